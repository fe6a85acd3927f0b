import type { Send } from './postgres-session.ts';
import { PutOff } from './write-queue.ts';

/** The locks of one unit. */
export interface Turn {
  /** The unit is about to write something. */
  noteWrite(): void;
  /** @throws PutOff when another process has it, and waiting for it here could hold up both. */
  lock(name: string): Promise<void>;
  /** The unit has ended: the next of its group may have what it locked. */
  end(): void;
}

/**
 * Named locks of one transaction, held against other transactions by the server (advisory locks, until the transaction ends) and among the
 * units of the transaction here, since the server gives a transaction what it holds already.
 */
export class GroupLocks {
  /** Held by the transaction. */
  readonly #held = new Set<string>();
  /** When the last unit that asked for a name has ended. */
  readonly #ends = new Map<string, Promise<void>>();
  #turns = 0;
  /** Units that have locked or written something, or are about to. */
  readonly #busy = new Set<number>();

  /** @param send sends the statements of the unit whose turn it is. */
  openTurn(send: Send): Turn {
    const place = this.#turns++;
    const own = new Set<string>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    return {
      noteWrite: () => {
        this.#busy.add(place);
      },
      lock: async (name) => {
        if (own.has(name)) return;
        const before = this.#ends.get(name);
        this.#ends.set(name, ended);
        own.add(name);
        await before;
        if (this.#held.has(name)) return;
        await this.#acquire(name, place, send);
        this.#held.add(name);
      },
      end,
    };
  }

  /**
   * Only the first unit of a group waits for another process, and only while no other unit has done anything: else it would wait while the
   * group holds locks and rows that the other side may be waiting for, and the server takes a second to find that out.
   */
  async #acquire(name: string, place: number, send: Send): Promise<void> {
    const mayWait = place === 0 && [...this.#busy].every((busy) => busy === place);
    this.#busy.add(place);
    if (mayWait) {
      await send({ name: 'lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] });
      return;
    }
    const { rows } = await send({
      name: 'try_lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
      values: [name],
    });
    if ((rows[0] as { locked: boolean }).locked !== true) throw new PutOff(`another process holds ${name}`);
  }
}
