import type { RawBuilder } from 'kysely';
import type { Client } from 'pg';
import type { Transaction } from './database.ts';
import { connect, endConnection } from './postgres-connection.ts';
import { isConnectionLoss, isStalePlan, leavesOutcomeOpen } from './postgres-faults.ts';
import { type Answer, PostgresSession, type Statement, statementOf } from './postgres-session.ts';
import type { Prepared } from './prepared.ts';
import { type OpenTransaction, PutOff, UnknownOutcome } from './write-queue.ts';

/** After that writes are refused at once, but for one try in this time. */
const LOOK_AGAIN_MS = 1_000;
/** What earlier versions of the server do not know yet. */
const LIMIT_TRANSACTION = `select set_config('transaction_timeout', '45s', false) where current_setting('server_version_num')::int >= 170000`;

/** The one connection that a write queue writes through. It is opened anew when it was lost. */
export class PostgresWriter {
  readonly #url: string;
  readonly #now: RawBuilder<number>;
  readonly #patienceMs: number;
  #client: Client | null = null;
  #downSince: number | null = null;

  /** @param patienceMs how long a write waits for a server that is being started again, before it is refused. */
  constructor(url: string, now: RawBuilder<number>, patienceMs: number) {
    this.#url = url;
    this.#now = now;
    this.#patienceMs = patienceMs;
  }

  /** @throws what the driver says when the server cannot be reached: then nothing was begun. */
  async begin(afterCommit: (callback: () => void) => void): Promise<OpenTransaction> {
    for (let attempt = 1; ; attempt++) {
      const client = this.#client ?? (await this.#connect());
      this.#client = client;
      try {
        await client.query('begin isolation level read committed');
        return new PostgresTransaction(client, this.#now, afterCommit, () => this.#discard(client));
      } catch (error) {
        await this.#discard(client);
        // A connection that was lost while nobody used it shows only now.
        if (attempt > 1 || !isConnectionLoss(error)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    if (this.#client !== null) await this.#discard(this.#client);
  }

  async #connect(): Promise<Client> {
    const now = performance.now();
    if (this.#downSince !== null && now - this.#downSince < LOOK_AGAIN_MS) {
      throw Object.assign(new Error('the server could not be reached a moment ago'), { code: 'ECONNREFUSED' });
    }
    try {
      const client = await connect(this.#url, 'write', this.#downSince === null ? this.#patienceMs : 0);
      await client.query(LIMIT_TRANSACTION);
      this.#downSince = null;
      return client;
    } catch (error) {
      this.#downSince = performance.now();
      throw error;
    }
  }

  async #discard(client: Client): Promise<void> {
    if (this.#client === client) this.#client = null;
    await endConnection(client);
  }
}

class PostgresTransaction implements OpenTransaction {
  readonly session: Transaction;
  readonly #client: Client;
  readonly #discard: () => Promise<void>;
  #units = 0;
  #writes = 0;
  /** What was sent and is not yet answered. */
  #pending: Promise<unknown> = Promise.resolve();
  /** After a fault within it the transaction can only be taken back. */
  #fault: { readonly error: unknown } | null = null;

  constructor(
    client: Client,
    now: RawBuilder<number>,
    afterCommit: (callback: () => void) => void,
    discard: () => Promise<void>,
  ) {
    this.#client = client;
    this.#discard = discard;
    const session = new PostgresSession((statement) => this.#send(statement), now);
    this.session = Object.assign(session, {
      afterCommit,
      lock: (name: string) => this.#lock(name),
      send: (query: Prepared<object, unknown>, values: object) => {
        this.#writes++;
        const sent = this.#send(statementOf(query, values)).catch(() => {});
        this.#pending = Promise.all([this.#pending, sent]);
      },
    });
  }

  startUnit(): void {
    this.#units++;
  }

  writes(): number {
    return this.#writes;
  }

  async commit(): Promise<void> {
    await this.#pending;
    if (this.#fault !== null) throw this.#fault.error;
    let command: string;
    try {
      ({ command } = await this.#client.query('commit'));
    } catch (error) {
      this.#fault = { error };
      if (leavesOutcomeOpen(error)) throw new UnknownOutcome('the commit was not confirmed', { cause: error });
      throw error;
    }
    if (command !== 'COMMIT') throw new Error(`expected the answer COMMIT, found ${command}: nothing was written`);
  }

  async rollback(): Promise<void> {
    await this.#pending;
    const error = this.#fault?.error;
    if (isConnectionLoss(error) || isStalePlan(error)) return await this.#discard();
    await this.#client.query('rollback').catch(() => this.#discard());
  }

  async #send(statement: Statement): Promise<Answer> {
    try {
      const answer = await this.#client.query(statement);
      if (answer.command !== 'SELECT') this.#writes += answer.rowCount ?? 1;
      return answer;
    } catch (error) {
      this.#fault ??= { error };
      this.#writes++;
      throw error;
    }
  }

  /**
   * Only the first unit of a group waits for a lock: a later one would wait while the group holds locks and rows that the other side
   * may be waiting for, and the server takes a second to find that out.
   */
  async #lock(name: string): Promise<void> {
    if (this.#units <= 1) {
      await this.#send({ name: 'lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] });
      return;
    }
    const { rows } = await this.#send({
      name: 'try_lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
      values: [name],
    });
    if ((rows[0] as { locked: boolean }).locked !== true) throw new PutOff(`another process holds ${name}`);
  }
}
