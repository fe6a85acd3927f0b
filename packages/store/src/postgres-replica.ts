import { world } from '@darkroom-service/contract';
import { Pool, type QueryConfig } from 'pg';
import { endConnection, poolConfig } from './postgres-connection.ts';
import { connectToServer } from './postgres-server.ts';
import { nowExpression, PostgresSession, type Send } from './postgres-session.ts';
import { examineServer, type ServerTraits, sendAs } from './postgres-traits.ts';
import type { StoreSchema } from './store-schema.ts';

interface ReplicaOptions {
  /** The standby's address; null = there is none. */
  readonly url: string | null;
  readonly onFault: (error: unknown, what: string) => void;
}

const CONNECTIONS = 8;
const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const LOOK_TIMEOUT_MS = 2_000;
/** Age of the newest heartbeat, in milliseconds, from which a standby is too far behind; one is written every 3 s. */
export const STALE_MS = 10_000;
const NOT_USED = 'the replica is not used for now: lists and reports come from the primary server';

/** Reads from a standby while it answers and is close behind its server. Otherwise the server answers. */
export class PostgresReplica {
  readonly #options: ReplicaOptions;
  readonly #pool: Pool | null;
  #traits: ServerTraits | null = null;
  #inspection: Promise<boolean> = Promise.resolve(false);
  #lookedAt = Number.NEGATIVE_INFINITY;
  #wasUsed = true;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { url, onFault } = options;
    this.#pool =
      url === null ? null : new Pool({ ...poolConfig(url, 'report'), max: CONNECTIONS, idleTimeoutMillis: IDLE_MS });
    this.#pool?.on('error', (error) => onFault(error, 'idle connection to the replica lost'));
  }

  /**
   * Returns a function that reads from the standby if possible. @param server sends a statement to the server instead.
   */
  sendOr(server: Send): Send {
    const pool = this.#pool;
    if (pool === null) return server;
    return async (statement) => {
      if (!(await this.#isUsable(pool))) return await server(statement);
      try {
        return await sendAs(this.#traits!, (sent) => pool.query(sent))(statement);
      } catch (error) {
        this.#inspection = Promise.resolve(false);
        this.#reportFault(error);
        return await server(statement);
      }
    };
  }

  async close(): Promise<void> {
    await this.#pool?.end();
  }

  #isUsable(pool: Pool): Promise<boolean> {
    const now = world.monotonic();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      this.#inspection = this.#examine(pool).then(
        () => {
          this.#wasUsed = true;
          return true;
        },
        (error: unknown) => {
          this.#reportFault(error);
          return false;
        },
      );
    }
    return this.#inspection;
  }

  /** Checks the standby. @throws Error when it does not answer, or is too far behind */
  async #examine(pool: Pool): Promise<void> {
    this.#traits ??= await examineServer(this.#options.url!, 0);
    const age = await ageOf(({ text, values }) => pool.query(withTimeout(text, values)));
    if (age > STALE_MS) throw new Error(`the replica's newest heartbeat is ${Math.round(age / 1000)} s old`);
  }

  #reportFault(error: unknown): void {
    if (this.#wasUsed) this.#options.onFault(error, NOT_USED);
    this.#wasUsed = false;
  }
}

/** Returns a query with a timeout of its own, which the types of `pg` lack. */
function withTimeout(text: string, values: unknown[]): QueryConfig {
  return Object.assign({ text, values }, { query_timeout: LOOK_TIMEOUT_MS });
}

/** Returns the age (ms) of the newest heartbeat that an address shows; infinite if it shows none. */
async function ageOf(send: Send): Promise<number> {
  const session = new PostgresSession<StoreSchema>(send, nowExpression(null));
  const row = await session.first(
    session.builder
      .selectFrom('processes')
      .select(({ fn }) => [session.now.as('now'), fn.max('beat_at').as('beat_at')]),
  );
  return row === undefined || row.beat_at === null ? Number.POSITIVE_INFINITY : row.now - row.beat_at;
}

/** Asks a replica once. @throws Error when it does not answer */
export async function readReplicaAge(url: string): Promise<number> {
  const client = await connectToServer(url, 'read', 0);
  try {
    return await ageOf(({ text, values }) => client.query({ text, values }));
  } finally {
    await endConnection(client);
  }
}
