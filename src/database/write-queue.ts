import type { CommitHook, Transaction, Unit } from './database.ts';

/** What the queue needs of a database: one transaction at a time, with a session that counts what it has written. */
export interface OpenTransaction {
  readonly session: Transaction;
  /** The next unit of the group begins. */
  startUnit(): void;
  /** How many writing statements have run since the start, those that failed within the database included. */
  writes(): number;
  /** Makes it durable. @throws UnknownOutcome when it cannot be known whether it did. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface WriteQueueOptions {
  /** Opens a transaction; what its units want to have run after the commit is handed to `afterCommit`. */
  readonly begin: (afterCommit: (callback: () => void) => void) => Promise<OpenTransaction>;
  readonly hook: CommitHook | null;
  /** Whether a unit that failed with this, alone in its transaction, may go through when it is run again. */
  readonly isRepeatable?: (error: unknown) => boolean;
}

/** Thrown within a unit that would have to wait for another process while its group already holds something: its turn comes first in the next group. */
export class PutOff extends Error {}

/** The connection was lost between asking for the commit and its confirmation. What was in the group is never run again. */
export class UnknownOutcome extends Error {}

interface Waiting {
  readonly name: string;
  readonly unit: Unit<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_SIZE = 256;
const ATTEMPTS = 4;

/**
 * All writes of a process, committed in groups: what waits is run one after the other in one transaction, with one flush to disk.
 * A unit that throws before it has written is simply refused. One that throws after it has written takes the group back, and
 * every unit of the group that was not refused runs again in a transaction of its own, so that only the faulty one fails.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  write<T>(name: string, unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ name, unit, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** How many units wait for a group. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when everything that waits is on disk. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever this turn of the event loop brings joins the group.
      await new Promise((resolve) => setImmediate(resolve));
      for (const single of await this.#commit(this.#waiting.splice(0, GROUP_SIZE), true)) {
        for (let attempt = 1; (await this.#commit([single], attempt < ATTEMPTS)).length > 0; attempt++);
      }
    }
    this.#draining = null;
  }

  /** @returns the units that are to be run again, one by one. */
  async #commit(group: readonly Waiting[], mayRepeat: boolean): Promise<Waiting[]> {
    const refused = new Set<Waiting>();
    const putOff: Waiting[] = [];
    const results: { readonly waiting: Waiting; readonly value: unknown }[] = [];
    const callbacks: (() => void)[] = [];
    const names: string[] = [];
    let open: OpenTransaction | null = null;
    try {
      open = await this.#options.begin((callback) => callbacks.push(callback));
      for (const waiting of group) {
        const before = open.writes();
        const callbacksBefore = callbacks.length;
        open.startUnit();
        try {
          results.push({ waiting, value: await waiting.unit(open.session) });
          names.push(waiting.name);
        } catch (error) {
          if (open.writes() > before) throw error;
          callbacks.length = callbacksBefore;
          if (error instanceof PutOff) {
            putOff.push(waiting);
            continue;
          }
          refused.add(waiting);
          waiting.reject(error);
        }
      }
      this.#options.hook?.('before', names);
      await open.commit();
    } catch (error) {
      await open?.rollback();
      const unsettled = group.filter((waiting) => !refused.has(waiting));
      if (open !== null && !(error instanceof UnknownOutcome)) {
        if (group.length > 1 || (mayRepeat && this.#options.isRepeatable?.(error) === true)) return unsettled;
      }
      for (const waiting of unsettled) waiting.reject(error);
      return [];
    }
    this.#waiting.unshift(...putOff);
    for (const callback of [() => this.#options.hook?.('after', names), ...callbacks]) {
      try {
        callback();
      } catch (error) {
        // A fault of the callback: told loudly, but what is committed stays answered.
        setImmediate(() => {
          throw error;
        });
      }
    }
    for (const { waiting, value } of results) waiting.resolve(value);
    return [];
  }
}
