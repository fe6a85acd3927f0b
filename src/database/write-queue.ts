import type { CommitHook, Transaction, Unit } from './database.ts';

/** What the queue needs of a database: one transaction at a time, with a session for each unit that counts what it has written. */
export interface OpenTransaction {
  /** A unit of the group begins. What it wants to have run after the commit is handed to `afterCommit`. */
  openUnit(afterCommit: (callback: () => void) => void): OpenUnit;
  /** Makes it durable. @throws UnknownOutcome when it cannot be known whether it did. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface OpenUnit {
  readonly session: Transaction;
  /** Whether a writing statement of it has run, one that failed within the database included. */
  hasWritten(): boolean;
  /** It has done its work, or failed: what it locked is free for the others of its group. */
  end(): void;
}

export interface WriteQueueOptions {
  readonly begin: () => Promise<OpenTransaction>;
  readonly hook: CommitHook | null;
  /** Whether units that may run together do: it pays where each statement is a round trip. */
  readonly together?: boolean;
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
  /** Whether it may run at the same time as others. One that was put off once may not: it has to be able to wait. */
  together: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How a group went so far. */
interface Progress {
  readonly done: { readonly waiting: Waiting; readonly value: unknown; readonly callbacks: readonly (() => void)[] }[];
  readonly refused: Set<Waiting>;
  readonly putOff: Waiting[];
  /** A fault after something was written: the group is taken back. */
  fault: { readonly error: unknown } | null;
}

const GROUP_SIZE = 256;
const ATTEMPTS = 4;

/**
 * All writes of a process, committed in groups: what waits is run in one transaction, with one flush to disk. Units run one after the
 * other, but for those that may run together.
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

  write<T>(name: string, unit: Unit<T>, together: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ name, unit, together, resolve: resolve as (value: unknown) => void, reject });
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
    const progress: Progress = { done: [], refused: new Set(), putOff: [], fault: null };
    let names: string[] = [];
    let open: OpenTransaction | null = null;
    try {
      open = await this.#options.begin();
      await this.#runAll(open, group, progress);
      names = progress.done.map(({ waiting }) => waiting.name);
      this.#options.hook?.('before', names);
      await open.commit();
    } catch (error) {
      await open?.rollback();
      const unsettled = group.filter((waiting) => !progress.refused.has(waiting));
      if (open !== null && !(error instanceof UnknownOutcome)) {
        if (group.length > 1 || (mayRepeat && this.#options.isRepeatable?.(error) === true)) return unsettled;
      }
      for (const waiting of unsettled) waiting.reject(error);
      return [];
    }
    this.#waiting.unshift(...progress.putOff);
    const callbacks = progress.done.flatMap((unit) => unit.callbacks);
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
    for (const { waiting, value } of progress.done) waiting.resolve(value);
    return [];
  }

  /** @throws the first fault after something was written, when nothing of the group runs any more. */
  async #runAll(open: OpenTransaction, group: readonly Waiting[], progress: Progress): Promise<void> {
    const running: Promise<void>[] = [];
    for (const waiting of group) {
      const together = waiting.together && this.#options.together === true;
      if (!together) await Promise.all(running.splice(0));
      if (progress.fault !== null) break;
      const ended = runUnit(open, waiting, progress);
      if (together) running.push(ended);
      else await ended;
    }
    await Promise.all(running);
    if (progress.fault !== null) throw progress.fault.error;
  }
}

/** Never rejects: how it went stands in the progress. */
async function runUnit(open: OpenTransaction, waiting: Waiting, progress: Progress): Promise<void> {
  const callbacks: (() => void)[] = [];
  const unit = open.openUnit((callback) => callbacks.push(callback));
  try {
    progress.done.push({ waiting, value: await waiting.unit(unit.session), callbacks });
  } catch (error) {
    if (unit.hasWritten()) {
      progress.fault ??= { error };
    } else if (error instanceof PutOff) {
      waiting.together = false;
      progress.putOff.push(waiting);
    } else {
      progress.refused.add(waiting);
      waiting.reject(error);
    }
  } finally {
    unit.end();
  }
}

/** What `Transaction.once` does, over what a group shares. */
export function makeOnce<T extends object>(shared: Map<string, object>, name: string, make: () => T): T {
  const known = shared.get(name);
  if (known !== undefined) return known as T;
  const made = make();
  shared.set(name, made);
  return made;
}
