import { nextTurn, world } from '@darkroom-service/contract';
import { type CommitHook, DeferUnit, type Transaction, type Unit } from './store.ts';

/**
 * The database operations that the queue needs: one transaction at a time, with a session per unit that tracks its
 * writes.
 */
export interface OpenTransaction<S> {
  /** Begins a unit of the group. The two functions receive the callbacks that the unit registers. */
  openUnit(afterCommit: Transaction<S>['afterCommit'], onFault: Transaction<S>['onFault']): OpenUnit<S>;
  /** Commits the transaction. @throws UnknownOutcome if it cannot be known whether it was committed. */
  commit(): Promise<Committed>;
  rollback(): Promise<void>;
}

/** A transaction whose changes other transactions see. */
export interface Committed {
  /** Resolves when the transaction is on disk; null if it already is. Its units resolve only then. Never rejects. */
  readonly flush: Promise<void> | null;
}

export interface OpenUnit<S> {
  readonly session: Transaction<S>;
  /** Whether a writing statement of the unit has run, including one that failed in the database. */
  hasWritten(): boolean;
  /** Ends the unit: other units of its group can acquire its locks. */
  end(): void;
}

interface WriteQueueOptions<S> {
  readonly begin: () => Promise<OpenTransaction<S>>;
  readonly hook: CommitHook | null;
  /** Whether units marked `together` run concurrently: worthwhile if each statement is a round trip. */
  readonly together?: boolean;
  /**
   * Milliseconds that the units of a group may take, for a database that blocks the event loop meanwhile; the other
   * units then follow in another group. Default: no limit.
   */
  readonly longestMs?: number;
  /** Tells whether a unit that failed with this error, alone in its transaction, may succeed when it runs again. */
  readonly isRepeatable?: (error: unknown) => boolean;
  /** Returns the error with which a unit is rejected, in place of one of the database. */
  readonly translateFault?: (error: unknown) => unknown;
}

/**
 * The connection was lost after the commit was requested and before it was confirmed. The group's units are never run
 * again.
 */
export class UnknownOutcome extends Error {}

interface Waiting<S> {
  readonly name: string;
  readonly unit: Unit<unknown, S>;
  /**
   * Whether the unit may run concurrently with others. A deferred unit may not, since it has to be able to wait for its
   * lock.
   */
  together: boolean;
  /** Callbacks for a fault, registered by the unit's last run. */
  onFault: ((error: unknown) => void)[] | null;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The state of a group while it runs. */
interface Progress<S> {
  readonly done: {
    readonly waiting: Waiting<S>;
    readonly value: unknown;
    readonly callbacks: readonly (() => void)[];
  }[];
  readonly refused: Set<Waiting<S>>;
  readonly deferred: Waiting<S>[];
  /** The units for which the group had no time left. */
  left: readonly Waiting<S>[];
  /** An error after something was written: the group is rolled back. */
  fault: { readonly error: unknown } | null;
}

const GROUP_SIZE = 256;
const ATTEMPTS = 4;

/**
 * Commits all writes of a process in groups: the waiting units run in one transaction with one flush to disk. Units run
 * one after the other, except for those that may run together.
 * A unit that throws before it has written is rejected alone. One that throws after it has written rolls the group
 * back; then every unit that was not rejected runs again in its own transaction, so that only the faulty one fails.
 */
export class WriteQueue<S> {
  readonly #options: WriteQueueOptions<S>;
  #waiting: Waiting<S>[] = [];
  #draining: Promise<void> | null = null;
  /** The flush of the last group that was committed. */
  #flushing: Promise<void> = Promise.resolve();
  #committed = 0;

  constructor(options: WriteQueueOptions<S>) {
    this.#options = options;
  }

  write<T>(name: string, unit: Unit<T, S>, together: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { translateFault } = this.#options;
      this.#waiting.push({
        name,
        unit,
        together,
        onFault: null,
        resolve: resolve as (value: unknown) => void,
        reject: translateFault === undefined ? reject : (error) => reject(translateFault(error)),
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Number of units that wait for a group. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Number of units that were committed. */
  get committed(): number {
    return this.#committed;
  }

  /** Resolves when all waiting units are on disk. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
    await this.#flushing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Units added in this iteration of the event loop join the group.
      await nextTurn();
      for (const single of await this.#commit(this.#waiting.splice(0, GROUP_SIZE), true)) {
        for (let attempt = 1; (await this.#commit([single], attempt < ATTEMPTS)).length > 0; attempt++);
      }
    }
    this.#draining = null;
  }

  /** Commits a group. @returns the units to run again, one by one. */
  async #commit(group: readonly Waiting<S>[], mayRepeat: boolean): Promise<Waiting<S>[]> {
    const progress: Progress<S> = { done: [], refused: new Set(), deferred: [], left: [], fault: null };
    let names: string[] = [];
    let open: OpenTransaction<S> | null = null;
    let flush: Promise<void> | null = null;
    try {
      open = await this.#options.begin();
      await this.#runAll(open, group, progress);
      names = progress.done.map(({ waiting }) => waiting.name);
      if (names.length === 0) {
        await open.rollback();
      } else {
        this.#options.hook?.('before', names);
        ({ flush } = await open.commit());
      }
    } catch (error) {
      await open?.rollback();
      this.#waiting.unshift(...progress.left);
      const ran = group.slice(0, group.length - progress.left.length);
      const unsettled = ran.filter((waiting) => !progress.refused.has(waiting));
      if (open !== null && !(error instanceof UnknownOutcome)) {
        if (ran.length > 1 || (mayRepeat && this.#options.isRepeatable?.(error) === true)) return unsettled;
      }
      for (const waiting of unsettled) {
        for (const callback of waiting.onFault ?? []) callback(error);
        waiting.reject(error);
      }
      return [];
    }
    this.#waiting.unshift(...progress.deferred, ...progress.left);
    if (flush === null) {
      this.#notifyCommitted(progress, names);
    } else {
      // One group runs while the previous one is flushed, and not more: small groups write more pages for each unit.
      await this.#flushing;
      this.#flushing = flush.then(() => this.#notifyCommitted(progress, names));
    }
    return [];
  }

  #notifyCommitted(progress: Progress<S>, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#committed += names.length;
    const { hook } = this.#options;
    if (hook !== null) callOutside(() => hook('after', names));
    for (const { callbacks } of progress.done) for (const callback of callbacks) callOutside(callback);
    for (const { waiting, value } of progress.done) waiting.resolve(value);
  }

  /** Runs all units of a group. @throws the first error after a write, once no unit of the group runs any more. */
  async #runAll(open: OpenTransaction<S>, group: readonly Waiting<S>[], progress: Progress<S>): Promise<void> {
    const { longestMs = Number.POSITIVE_INFINITY } = this.#options;
    const began = world.monotonic();
    const running: Promise<void>[] = [];
    for (const [place, waiting] of group.entries()) {
      if (place > 0 && world.monotonic() - began >= longestMs) {
        progress.left = group.slice(place);
        break;
      }
      const together = waiting.together && this.#options.together === true;
      if (!together && running.length > 0) await Promise.all(running.splice(0));
      if (progress.fault !== null) break;
      const ended = runUnit(open, waiting, progress);
      if (together) running.push(ended);
      else await ended;
    }
    await Promise.all(running);
    if (progress.fault !== null) throw progress.fault.error;
  }
}

/** Calls a function whose error is thrown outside, as uncaught: the committed units succeed anyway. */
function callOutside(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    world.setImmediate(() => {
      throw error;
    });
  }
}

/** Runs a unit. Never rejects: the result is recorded in the progress. */
async function runUnit<S>(open: OpenTransaction<S>, waiting: Waiting<S>, progress: Progress<S>): Promise<void> {
  const callbacks: (() => void)[] = [];
  waiting.onFault = null;
  const unit = open.openUnit(
    (callback) => callbacks.push(callback),
    (callback) => {
      waiting.onFault ??= [];
      waiting.onFault.push(callback);
    },
  );
  try {
    progress.done.push({ waiting, value: await waiting.unit(unit.session), callbacks });
  } catch (error) {
    if (unit.hasWritten()) {
      progress.fault ??= { error };
    } else if (error instanceof DeferUnit) {
      waiting.together = false;
      progress.deferred.push(waiting);
    } else {
      progress.refused.add(waiting);
      waiting.reject(error);
    }
  } finally {
    unit.end();
  }
}

/** The writes of `Transaction.beforeCommit`. */
export class LastWrites {
  readonly #writes = new Map<string, () => void>();

  register(name: string, write: () => void): void {
    if (!this.#writes.has(name)) this.#writes.set(name, write);
  }

  run(): void {
    for (const name of [...this.#writes.keys()].sort()) this.#writes.get(name)?.();
    this.#writes.clear();
  }
}

/** Implements `Transaction.once` with the values that a group shares. */
export function makeOnce<T extends object>(shared: Map<string, object>, name: string, make: () => T): T {
  const known = shared.get(name);
  if (known !== undefined) return known as T;
  const made = make();
  shared.set(name, made);
  return made;
}
