import type { CommitHook, Transaction, Unit } from './database.ts';

/** What the queue needs of a database: one transaction at a time, with a session that counts what it has written. */
export interface OpenTransaction {
  readonly session: Transaction;
  /** How many writing statements have run since the start. */
  writes(): number;
  /** Makes it durable, then runs what waited for that. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

interface Waiting {
  readonly name: string;
  readonly unit: Unit<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_SIZE = 256;

/**
 * All writes of a process, committed in groups: what waits is run one after the other in one transaction, with one flush to disk.
 * A unit that throws before it has written is simply refused. One that throws after it has written takes the group back, and
 * every unit of the group runs again in a transaction of its own, so that only the faulty one fails.
 */
export class WriteQueue {
  readonly #begin: () => Promise<OpenTransaction>;
  readonly #hook: CommitHook | null;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;

  constructor(begin: () => Promise<OpenTransaction>, hook: CommitHook | null) {
    this.#begin = begin;
    this.#hook = hook;
  }

  write<T>(name: string, unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ name, unit, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when everything that waits is on disk. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever this turn of the event loop brings joins the group.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#waiting.splice(0, GROUP_SIZE);
      if ((await this.#commit(group)) === 'one by one') for (const single of group) await this.#commit([single]);
    }
    this.#draining = null;
  }

  async #commit(group: readonly Waiting[]): Promise<'settled' | 'one by one'> {
    const results: { readonly waiting: Waiting; readonly value: unknown }[] = [];
    let open: OpenTransaction | null = null;
    try {
      open = await this.#begin();
      for (const waiting of group) {
        const before = open.writes();
        try {
          results.push({ waiting, value: await waiting.unit(open.session) });
        } catch (error) {
          if (open.writes() > before) throw error;
          waiting.reject(error);
        }
      }
      const names = results.map((result) => result.waiting.name);
      this.#hook?.('before', names);
      await open.commit();
      this.#hook?.('after', names);
    } catch (error) {
      await open?.rollback();
      if (open !== null && group.length > 1) return 'one by one';
      for (const waiting of group) waiting.reject(error);
      return 'settled';
    }
    for (const { waiting, value } of results) waiting.resolve(value);
    return 'settled';
  }
}
