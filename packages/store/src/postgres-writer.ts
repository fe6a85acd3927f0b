import { world } from '@darkroom-service/contract';
import type { RawBuilder } from 'kysely';
import type { Client } from 'pg';
import { COMMIT_TIMEOUT_MS, commitWithin, describeWaitingCommit, serverProcessOf } from './bounded-commit.ts';
import { GatheredCalls } from './gathered-calls.ts';
import { GatheredInserts } from './gathered-inserts.ts';
import { GroupLocks } from './group-locks.ts';
import { connect, endConnection, SERVER_LIMITS } from './postgres-connection.ts';
import { isConnectionLoss, isReadOnlyServer, isStalePlan, leavesOutcomeOpen } from './postgres-faults.ts';
import { type Answer, PostgresSession, type Send, type Statement, statementOf } from './postgres-session.ts';
import { type ServerTraits, sendAs } from './postgres-traits.ts';
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

/** Milliseconds after which writes fail at once, except for one attempt per interval. */
const LOOK_AGAIN_MS = 1_000;
const LONGEST_TRANSACTION = '45s';
/** Expression for whether the server has `transaction_timeout`, which older versions lack. */
const HAS_TRANSACTION_TIMEOUT = `current_setting('server_version_num')::int >= 170000`;
const LIMIT_SESSION = `select set_config('transaction_timeout', '${LONGEST_TRANSACTION}', false) where ${HAS_TRANSACTION_TIMEOUT}`;
/** Statement for connections that do not keep their settings. */
const LIMIT_TRANSACTION = `
  select set_config(name, value, true)
  from (values ${Object.entries({ ...SERVER_LIMITS, transaction_timeout: LONGEST_TRANSACTION })
    .map(([name, value]) => `('${name}', '${value}')`)
    .join(', ')}) as limits (name, value)
  where name <> 'transaction_timeout' or ${HAS_TRANSACTION_TIMEOUT}`;

/** The connection through which a write queue writes. It is reopened when lost. */
export class PostgresWriter<S> {
  readonly #url: string;
  readonly #now: RawBuilder<number>;
  readonly #patienceMs: number;
  readonly #traits: ServerTraits;
  readonly #flushes: boolean;
  #client: Client | null = null;
  #downSince: number | null = null;
  #connections = 0;
  /** Id of the server process of the last commit that was not confirmed. */
  #unconfirmed: number | null = null;

  /**
   * @param patienceMs milliseconds that a write waits for a restarting server before it fails.
   * @param flushes whether a commit is on disk, and at synchronous standbys, when it is confirmed.
   */
  constructor(
    url: string,
    {
      now,
      patienceMs,
      traits,
      flushes = true,
    }: {
      readonly now: RawBuilder<number>;
      readonly patienceMs: number;
      readonly traits: ServerTraits;
      readonly flushes?: boolean;
    },
  ) {
    this.#url = url;
    this.#now = now;
    this.#patienceMs = patienceMs;
    this.#traits = traits;
    this.#flushes = flushes;
  }

  /** Begins a transaction. @throws the driver's error when the server cannot be reached: then none was begun. */
  async begin(): Promise<OpenTransaction<S>> {
    for (let attempt = 1; ; attempt++) {
      const client = this.#client ?? (await this.#connect());
      this.#client = client;
      const waits = await this.#waitingCommit(client).catch(() => null);
      if (waits !== null) throw Object.assign(new Error(waits), { code: 'ETIMEDOUT' });
      try {
        await this.#open(client);
        const send = sendAs(this.#traits, (statement) => client.query(statement));
        const onUnconfirmed = () => {
          this.#unconfirmed = serverProcessOf(client);
        };
        const discard = () => this.#discard(client);
        return new PostgresTransaction(client, { now: this.#now, send, discard, onUnconfirmed });
      } catch (error) {
        await this.#discard(client);
        // A connection that was lost while idle shows it only now.
        if (attempt > 1 || !isConnectionLoss(error)) throw error;
      }
    }
  }

  /** Number of times that a lost connection was replaced. */
  get reconnects(): number {
    return Math.max(0, this.#connections - 1);
  }

  async close(): Promise<void> {
    if (this.#client !== null) await this.#discard(this.#client);
  }

  /** Describes the standby that the unconfirmed commit waits for; null if none. Another commit would wait as well. */
  async #waitingCommit(client: Client): Promise<string | null> {
    if (this.#unconfirmed === null) return null;
    const waits = await describeWaitingCommit(client, this.#unconfirmed);
    if (waits === null) this.#unconfirmed = null;
    return waits;
  }

  /** Begins the transaction. The statements share a round trip. */
  async #open(client: Client): Promise<void> {
    const begin = `begin isolation level read committed${this.#flushes ? '' : '; set local synchronous_commit to off'}`;
    const begun = client.query(begin);
    await Promise.all(this.#traits.keepsSettings ? [begun] : [begun, client.query({ text: LIMIT_TRANSACTION })]);
  }

  async #connect(): Promise<Client> {
    const now = world.monotonic();
    if (this.#downSince !== null && now - this.#downSince < LOOK_AGAIN_MS) {
      throw Object.assign(new Error('the server could not be reached a moment ago'), { code: 'ECONNREFUSED' });
    }
    try {
      const client = await connect(this.#url, 'write', this.#downSince === null ? this.#patienceMs : 0);
      if (this.#traits.keepsSettings) await client.query(LIMIT_SESSION);
      this.#downSince = null;
      this.#connections++;
      return client;
    } catch (error) {
      this.#downSince = world.monotonic();
      throw error;
    }
  }

  async #discard(client: Client): Promise<void> {
    if (this.#client === client) this.#client = null;
    await endConnection(client);
  }
}

class PostgresTransaction<S> implements OpenTransaction<S> {
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
  #gathers = false;
  /** First error within the transaction, which can then only be rolled back; null without one. */
  #fault: { readonly error: unknown } | null = null;

  constructor(
    client: Client,
    options: {
      readonly now: RawBuilder<number>;
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

  async commit(): Promise<Committed> {
    this.#lastWrites.run();
    this.#sendInserts();
    await Promise.all(this.#pending);
    if (this.#fault !== null) throw this.#fault.error;
    let command: string;
    try {
      command = await commitWithin(this.#client, COMMIT_TIMEOUT_MS);
    } catch (error) {
      this.#fault = { error };
      if (!leavesOutcomeOpen(error)) throw error;
      this.#onUnconfirmed();
      throw new UnknownOutcome('the commit was not confirmed', { cause: error });
    }
    if (command !== 'COMMIT') throw new Error(`expected the answer COMMIT, found ${command}: nothing was written`);
    return { flush: null };
  }

  async rollback(): Promise<void> {
    await Promise.all(this.#pending);
    const error = this.#fault?.error;
    // Another server may accept writes.
    if (isConnectionLoss(error) || isStalePlan(error) || isReadOnlyServer(error)) return await this.#discard();
    await this.#client.query('rollback').catch(() => this.#discard());
  }

  /** Sends the gathered inserts first, so that each statement finds what was sent before it. */
  #send(statement: Statement): Promise<Answer> {
    this.#gather();
    this.#sendInserts();
    return this.#sendNow(statement);
  }

  #sendInserts(): void {
    for (const statement of this.#inserts.take()) {
      this.#gather();
      this.#pending.push(this.#sendNow(statement).catch(() => {}));
    }
  }

  /** Sends a statement. @throws the transaction's first error, after which the server refuses all without a cause */
  async #sendNow(statement: Statement): Promise<Answer> {
    try {
      return await this.#sendOne(statement);
    } catch (error) {
      this.#fault ??= { error };
      throw this.#fault.error;
    }
  }

  /** Sends statements issued in the same tick in one packet. */
  #gather(): void {
    if (this.#gathers) return;
    this.#gathers = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#gathers = false;
      stream.uncork();
    });
  }
}

const LOCKS_ROWS = / for (?:update|key share)(?: skip locked)?$/;

function leavesRowsFree({ text }: Statement): boolean {
  return text.startsWith('select') && !LOCKS_ROWS.test(text);
}
