import { type Client, Pool } from 'pg';
import type { Clock } from '../base/clock.ts';
import type { CommitHook, Database } from './database.ts';
import { runMigrations } from './migrate.ts';
import { type ConnectionUse, connect, connectionConfig, endConnection, serverOf } from './postgres-connection.ts';
import { isConnectionLoss, isRepeatable, isStalePlan, translateFault } from './postgres-faults.ts';
import { PostgresNotices } from './postgres-notices.ts';
import { type Answer, nowExpression, PostgresSession, type Statement } from './postgres-session.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { WriteQueue } from './write-queue.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters that `pg` supports. */
  readonly url: string;
  /** The database's clock, so that tests can move leases. Default: the server's clock. */
  readonly clock?: Clock;
  readonly commitHook?: CommitHook;
  /** Called with errors that no caller waits for. */
  readonly onFault?: (error: unknown, what: string) => void;
  /** Whether to receive other processes' notifications; a command that does one thing and exits need not. */
  readonly listen?: boolean;
  /** How long a write waits for a restarting server before it fails. */
  readonly patienceMs?: number;
}

const READERS = 8;
/** Concurrent reports per process. */
const REPORTERS = 2;
const IDLE_READER_MS = 60_000;
const START_PATIENCE_MS = 10_000;
const PATIENCE_MS = 5_000;
const OLDEST_SERVER = 150_000;

/**
 * Opens a PostgreSQL database and migrates its schema. One connection writes, through the write queue; a pool reads;
 * one more connection listens to other processes.
 * @throws Error when the server cannot be reached, is too old or does not use UTF-8, or when the schema is newer than
 * this code.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, onFault = () => {} } = options;
  const now = nowExpression(options.clock ?? null);
  await prepareServer(url);
  const pool = new Pool({ ...connectionConfig(url, 'read'), max: READERS, idleTimeoutMillis: IDLE_READER_MS });
  pool.on('error', (error) => onFault(error, 'idle database connection lost'));
  const reportPool = new Pool({
    ...connectionConfig(url, 'report'),
    max: REPORTERS,
    idleTimeoutMillis: IDLE_READER_MS,
  });
  reportPool.on('error', (error) => onFault(error, 'idle report connection lost'));
  const notices = await PostgresNotices.open({
    url,
    listen: options.listen ?? true,
    onFault,
    send: (text, values) => pool.query(text, values),
  });
  const writer = new PostgresWriter(url, now, options.patienceMs ?? PATIENCE_MS);
  const queue = new WriteQueue({
    begin: () => writer.begin(),
    hook: options.commitHook ?? null,
    isRepeatable,
    together: true,
  });
  let commits = 0;
  return {
    kind: 'postgres',
    read: new PostgresSession((statement) => read(pool, statement), now),
    reports: new PostgresSession((statement) => read(reportPool, statement), now),
    async write(name, unit, options) {
      try {
        const value = await queue.write(name, unit, options?.together === true);
        commits++;
        notices.announce([]);
        return value;
      } catch (error) {
        throw translateFault(error);
      }
    },
    changeCounter: () => commits + notices.heard,
    announce: (topics) => notices.announce(topics),
    onRemoteChange: (listener) => notices.onRemoteChange(listener),
    async backup() {
      throw new Error(
        'A PostgreSQL database is copied with its own tools: pg_dump --format=custom, beside a copy of the files.',
      );
    },
    async close() {
      await queue.idle();
      await notices.close();
      await writer.close();
      await Promise.all([pool.end(), reportPool.end()]);
    },
  };
}

/** Repeats a read whose connection was lost, since a read changes nothing. */
async function read(pool: Pool, statement: Statement): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.query(statement);
    } catch (error) {
      if (attempt > 2 || !(isConnectionLoss(error) || isStalePlan(error))) throw translateFault(error);
    }
  }
}

/** Waits for a server that disappears during the checks, as for one that is not up yet. */
async function prepareServer(url: string): Promise<void> {
  const end = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      return await migrateServer(url);
    } catch (error) {
      if (!isConnectionLoss(error) || performance.now() >= end) throw error;
    }
  }
}

/**
 * Opens a connection outside of the pool, to a server that this code supports.
 * @throws Error when it cannot be reached, is too old, or does not use UTF-8.
 */
export async function connectToServer(url: string, use: ConnectionUse, patienceMs: number): Promise<Client> {
  const client = await connect(url, use, patienceMs).catch((error: unknown) => {
    throw new Error(`PostgreSQL at ${serverOf(url)} cannot be used: ${messageOf(error)}`, { cause: error });
  });
  try {
    await assertUsable(client);
    return client;
  } catch (error) {
    await endConnection(client);
    throw error;
  }
}

async function assertUsable(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version, encoding } = rows[0] as { version: number; encoding: string };
  if (version < OLDEST_SERVER)
    throw new Error(`PostgreSQL 15 or newer is expected, found ${Math.floor(version / 10_000)}. Upgrade the server.`);
  if (encoding !== 'UTF8')
    throw new Error(`A database in UTF8 is expected, found ${encoding}. Make one: create database … encoding 'UTF8'`);
}

async function migrateServer(url: string): Promise<void> {
  const client = await connectToServer(url, 'migrate', START_PATIENCE_MS);
  try {
    await runMigrations('postgres', async (work) => {
      await client.query('begin');
      try {
        // When many processes start at once, one of them migrates and the others find the schema up to date.
        await client.query(`select pg_advisory_xact_lock(hashtextextended('darkroom:schema', 0))`);
        await work(new PostgresSession((statement) => client.query(statement), nowExpression(null)));
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    });
  } finally {
    await endConnection(client);
  }
}

/** If several addresses of a host were tried, the driver's error has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
