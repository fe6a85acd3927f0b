import type { Send } from './postgres-session.ts';
import { DeferUnit } from './store.ts';
import { publishLock } from './taken-locks.ts';

/** The locks of one unit. */
interface UnitLocks {
  /** Records that the unit is about to write. */
  recordWrite(): void;
  /** Acquires a lock. @throws DeferUnit when another process holds it and waiting for it here could deadlock. */
  lock(name: string): Promise<void>;
  /** Acquires the lock unless another process holds it. @returns whether it is held */
  tryLock(name: string): Promise<boolean>;
  /** Whether the unit may wait for another transaction. */
  mayWait(): boolean;
  /** Ends the unit: the next unit of its group can acquire its locks. */
  end(): void;
}

/**
 * Named locks of one transaction. PostgreSQL holds them against other transactions (advisory locks, until the
 * transaction ends). This class holds them between units of the transaction, because the server grants a lock again to
 * the transaction that already holds it.
 */
export class GroupLocks {
  /** Names held by the transaction. */
  readonly #held = new Set<string>();
  /** The end of the last unit that requested each name. */
  readonly #ends = new Map<string, Promise<void>>();
  #unitCount = 0;
  /** Units that have locked or written something, or are about to. */
  readonly #busy = new Set<number>();

  /**
   * Opens the locks of a unit.
   * @param send sends the unit's statements
   * @param hasChanged whether the unit has changed a row
   */
  openUnit(send: Send, hasChanged: () => boolean): UnitLocks {
    const index = this.#unitCount++;
    const own = new Set<string>();
    /**
     * Whether the unit may wait for another process: only the first of a group may, while no other unit has done
     * anything. Otherwise it could deadlock with a process that waits for locks and rows of the group, and the server
     * needs a second to detect that.
     */
    const mayWait = () => index === 0 && [...this.#busy].every((busy) => busy === index);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    /** Waits for the units before this one. @returns whether the transaction holds the lock */
    const takeTurn = async (name: string, waits: boolean) => {
      publishLock({ unit: own, name, afterWrite: waits && hasChanged() });
      if (!own.has(name)) {
        const before = this.#ends.get(name);
        this.#ends.set(name, ended);
        own.add(name);
        await before;
      }
      return this.#held.has(name);
    };
    return {
      recordWrite: () => void this.#busy.add(index),
      lock: async (name) => {
        if (await takeTurn(name, true)) return;
        const waits = mayWait();
        this.#busy.add(index);
        await acquire(name, send, waits);
        this.#held.add(name);
      },
      tryLock: async (name) => {
        if (await takeTurn(name, false)) return true;
        this.#busy.add(index);
        if (!(await tryLock(name, send))) return false;
        this.#held.add(name);
        return true;
      },
      mayWait,
      end,
    };
  }
}

/** Acquires a lock, also against other processes. @param mayWait whether it waits for them */
async function acquire(name: string, send: Send, mayWait: boolean): Promise<void> {
  if (mayWait)
    await send({ name: 'lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] });
  else if (!(await tryLock(name, send))) throw new DeferUnit(`another process holds ${name}`);
}

async function tryLock(name: string, send: Send): Promise<boolean> {
  const { rows } = await send({
    name: 'try_lock',
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
    values: [name],
  });
  return (rows[0] as { locked: boolean }).locked;
}
