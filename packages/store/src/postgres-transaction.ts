import type { RawBuilder } from 'kysely';
import type { Client } from 'pg';
import { COMMIT_TIMEOUT_MS, commitBehind } from './bounded-commit.ts';
import { GatheredCalls } from './gathered-calls.ts';
import { GatheredInserts } from './gathered-inserts.ts';
import { GroupLocks } from './group-locks.ts';
import { isConnectionLoss, isReadOnlyServer, isStalePlan, leavesOutcomeOpen } from './postgres-faults.ts';
import { type Answer, PostgresSession, type Send, type Statement, statementOf } from './postgres-session.ts';
import type { Shared } from './prepare-shared.ts';
import type { Prepared } from './prepared.ts';
import type { Transaction } from './store.ts';
import {
  type Committed,
  LastWrites,
  makeOnce,
  type OpenTransaction,
  type OpenUnit,
  UnknownOutcome,
} from './write-queue.ts';

/** A transaction on the connection of a writer, for the units of one group. */
export class PostgresTransaction<S> implements OpenTransaction<S> {
  readonly #client: Client;
  readonly #now: RawBuilder<number>;
  readonly #sendOne: Send;
  readonly #discard: () => Promise<void>;
  readonly #onUnconfirmed: () => void;
  readonly #shared = new Map<string, object>();
  readonly #locks = new GroupLocks();
  readonly #lastWrites = new LastWrites();
  readonly #inserts = new GatheredInserts();
  readonly #calls = new GatheredCalls(async (query, values) => (await this.#send(statementOf(query, values))).rows);
  /** Statements that were sent and not answered yet. */
  #pending: Promise<unknown>[] = [];
  /** First error within the transaction, which can then only be rolled back; null without one. */
  #fault: { readonly error: unknown } | null = null;
  /** Promise that the server has begun the transaction. The first queries do not wait for it. */
  readonly #begun: Promise<unknown>;
  #state: 'beginning' | 'awaited' | 'begun' = 'beginning';
  /** Whether the server has answered the commit: with it, or with a rollback. */
  #isOver = false;

  constructor(
    client: Client,
    options: {
      readonly now: RawBuilder<number>;
      readonly begun: Promise<unknown>;
      readonly send: Send;
      readonly discard: () => Promise<void>;
      readonly onUnconfirmed: () => void;
    },
  ) {
    this.#client = client;
    this.#now = options.now;
    this.#sendOne = options.send;
    this.#discard = options.discard;
    this.#onUnconfirmed = options.onUnconfirmed;
    this.#begun = options.begun.then(
      () => {
        if (this.#state === 'beginning') this.#state = 'begun';
      },
      (error: unknown) => {
        this.#fault ??= { error };
        throw error;
      },
    );
    this.#pending.push(this.#begun.catch(() => {}));
  }

  openUnit(afterCommit: Transaction<S>['afterCommit'], onFault: Transaction<S>['onFault']): OpenUnit<S> {
    let written = false;
    let changed = false;
    const unitLocks = this.#locks.openUnit(
      (statement) => send(statement),
      () => changed,
    );
    const send = async (statement: Statement) => {
      if (!leavesRowsFree(statement)) unitLocks.recordWrite();
      try {
        const answer = await this.#send(statement);
        if (answer.command !== 'SELECT' && answer.rowCount !== 0) changed = true;
        return answer;
      } catch (error) {
        written = true;
        throw error;
      }
    };
    const session: Transaction<S> = Object.assign(new PostgresSession<S>(send, this.#now), {
      afterCommit,
      onFault,
      lock: (name: string) => unitLocks.lock(name),
      tryLock: (name: string) => unitLocks.tryLock(name),
      mayWait: unitLocks.mayWait,
      once: <T extends object>(name: string, make: () => T) => makeOnce(this.#shared, name, make),
      firstShared: async <A extends object, R>(query: Shared<A, R>, values: A) => {
        if (query.changes !== null) unitLocks.recordWrite();
        try {
          const row = await this.#calls.first(query as unknown as Shared<object, object>, values);
          if (row !== undefined && query.changes !== null) changed = true;
          return row as R | undefined;
        } catch (error) {
          written = true;
          throw error;
        }
      },
      send: (query: Prepared<object, unknown>, values: object) => {
        changed = true;
        const statement = statementOf(query, values);
        if (this.#inserts.mustBeSentBefore(statement)) this.#sendInserts();
        if (this.#inserts.add(statement)) {
          unitLocks.recordWrite();
          if (this.#inserts.isFull) this.#sendInserts();
        } else this.#pending.push(send(statement).catch(() => {}));
      },
      beforeCommit: (name: string, write: (session: Transaction<S>) => void) => {
        written = true;
        this.#lastWrites.register(name, () => write(session));
      },
    });
    // A unit may fail because of another's error: a shared statement fails for both, and nothing can be committed.
    return { session, hasWritten: () => changed || written || this.#fault !== null, end: () => unitLocks.end() };
  }

  /**
   * Commits the transaction. The commit is sent with the last writes, before they are answered: if one of them fails,
   * the server rolls back instead.
   */
  async commit(): Promise<Committed> {
    // Outside a transaction, each write would be a commit of its own.
    await this.#begun.catch(() => {});
    const release = holdPackets(this.#client);
    let answer: Promise<string> | null = null;
    try {
      this.#lastWrites.run();
      this.#sendInserts();
      await driverHasTaken();
      // The server knows nothing of a statement that the driver refused.
      if (this.#fault === null) answer = commitBehind(this.#client, Promise.all(this.#pending), COMMIT_TIMEOUT_MS);
    } finally {
      release();
    }
    return answer === null ? await this.#fail() : await this.#confirm(answer);
  }

  /** @throws the transaction's first error, once all statements are answered */
  async #fail(): Promise<never> {
    await Promise.all(this.#pending);
    throw this.#fault?.error;
  }

  /** Waits for the answer to the commit. @throws UnknownOutcome if the server may have committed nevertheless */
  async #confirm(answer: Promise<string>): Promise<Committed> {
    let command: string;
    try {
      command = await answer;
      this.#isOver = true;
    } catch (error) {
      this.#fault ??= { error };
      // A write that the server refused proves it as well as a refused commit.
      if (!leavesOutcomeOpen(this.#fault.error)) throw this.#fault.error;
      this.#onUnconfirmed();
      throw new UnknownOutcome('the commit was not confirmed', { cause: error });
    }
    const fault = this.#fault;
    if (fault === null && command === 'COMMIT') return { flush: null };
    if (fault === null) throw new Error(`expected the answer COMMIT, found ${command}: nothing was written`);
    if (command === 'COMMIT') throw new UnknownOutcome('committed without a write that failed', { cause: fault.error });
    throw fault.error;
  }

  async rollback(): Promise<void> {
    await Promise.all(this.#pending);
    const error = this.#fault?.error;
    // Another server may accept writes.
    if (isConnectionLoss(error) || isStalePlan(error) || isReadOnlyServer(error)) return await this.#discard();
    if (!this.#isOver) await this.#client.query('rollback').catch(() => this.#discard());
  }

  /** Sends the gathered inserts first, so that each statement finds what was sent before it. */
  #send(statement: Statement): Promise<Answer> {
    gatherPackets(this.#client);
    this.#sendInserts();
    return this.#sendNow(statement);
  }

  #sendInserts(): void {
    for (const statement of this.#inserts.take()) {
      gatherPackets(this.#client);
      this.#pending.push(this.#sendNow(statement).catch(() => {}));
    }
  }

  /** Sends a statement. @throws the transaction's first error, after which the server refuses all without a cause */
  async #sendNow(statement: Statement): Promise<Answer> {
    try {
      // Writes of a transaction that the server has not begun would be committed. Later statements keep their order.
      if (this.#state === 'beginning' && !leavesRowsFree(statement)) this.#state = 'awaited';
      if (this.#state === 'awaited') await this.#begun;
      return await this.#sendOne(statement);
    } catch (error) {
      this.#fault ??= { error };
      throw this.#fault.error;
    }
  }
}

const gathering = new WeakSet<Client>();

/** Sends the statements of this tick to a connection in one packet. */
export function gatherPackets(client: Client): void {
  if (gathering.has(client)) return;
  gathering.add(client);
  const release = holdPackets(client);
  process.nextTick(() => {
    gathering.delete(client);
    release();
  });
}

/** Holds back the statements to a connection until the returned function sends them in one packet. */
function holdPackets(client: Client): () => void {
  const { stream } = client.connection;
  stream.cork();
  return () => stream.uncork();
}

/**
 * Resolves when the driver has sent or refused the statements that it has been given. It refuses in the next tick, and
 * the refusal is known after all callbacks of that tick.
 */
async function driverHasTaken(): Promise<void> {
  for (let ticks = 0; ticks < 2; ticks++) await new Promise<void>((resolve) => process.nextTick(resolve));
}

const LOCKS_ROWS = / for (?:update|key share)(?: skip locked)?$/;

function leavesRowsFree({ text }: Statement): boolean {
  return text.startsWith('select') && !LOCKS_ROWS.test(text);
}
