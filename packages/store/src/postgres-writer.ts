import { world } from '@darkroom-service/contract';
import type { RawBuilder } from 'kysely';
import type { Client } from 'pg';
import { describeWaitingCommit, serverProcessOf } from './bounded-commit.ts';
import { connect, endConnection, SERVER_LIMITS } from './postgres-connection.ts';
import { type ServerTraits, sendAs } from './postgres-traits.ts';
import { gatherPackets, PostgresTransaction } from './postgres-transaction.ts';
import type { OpenTransaction } from './write-queue.ts';

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

  /**
   * Begins a transaction, whose first queries are sent with it. A connection that was lost while idle shows it only
   * then: the units fail and run again.
   * @throws the driver's error when the server cannot be reached: then none was begun.
   */
  async begin(): Promise<OpenTransaction<S>> {
    const client = this.#client ?? (await this.#connect());
    this.#client = client;
    const waits = await this.#waitingCommit(client).catch(() => null);
    if (waits !== null) throw Object.assign(new Error(waits), { code: 'ETIMEDOUT' });
    return new PostgresTransaction(client, {
      now: this.#now,
      begun: this.#open(client),
      send: sendAs(this.#traits, (statement) => client.query(statement)),
      discard: () => this.#discard(client),
      onUnconfirmed: () => {
        this.#unconfirmed = serverProcessOf(client);
      },
    });
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
    gatherPackets(client);
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
