import type { Client } from 'pg';
import { runMigrations, type SchemaPlan } from './migrate.ts';
import { type ConnectionUse, connect, endConnection } from './postgres-connection.ts';
import { isConnectionLoss } from './postgres-faults.ts';
import { serverOf } from './postgres-hosts.ts';
import { nowExpression, PostgresSession } from './postgres-session.ts';
import { examineServer, type ServerTraits } from './postgres-traits.ts';
import type { StoreSchema } from './store-schema.ts';

const START_PATIENCE_MS = 10_000;
const OLDEST_SERVER = 150_000;

/** Lost connections in a row after which a server is not merely restarting. */
const MOST_LOSSES = 5;

/**
 * Migrates the schema and finds out what the server keeps for a connection. Waits for a server that disappears
 * meanwhile as for one that is not up yet, however long the migration has taken by then.
 */
export async function prepareServer(url: string, plan: SchemaPlan): Promise<ServerTraits> {
  for (let losses = 0; ; ) {
    let isConnected = false;
    try {
      await migrateServer(url, plan, () => {
        isConnected = true;
      });
      return await examineServer(url, START_PATIENCE_MS);
    } catch (error) {
      // A failed attempt to connect has already waited.
      if (!isConnected || !isConnectionLoss(error) || ++losses >= MOST_LOSSES) throw error;
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

async function migrateServer(url: string, plan: SchemaPlan, onConnected: () => void): Promise<void> {
  const client = await connectToServer(url, 'migrate', START_PATIENCE_MS);
  onConnected();
  try {
    const transaction = async (work: (session: PostgresSession<StoreSchema>) => Promise<void>) => {
      await client.query('begin');
      try {
        // When many processes start at once, one of them migrates and the others find the schema up to date.
        await client.query(`select pg_advisory_xact_lock(hashtextextended('darkroom:schema', 0))`);
        // Unprepared: behind a pooler, the next transaction may be on another connection.
        const send = ({ text, values }: { text: string; values: unknown[] }) => client.query({ text, values });
        await work(new PostgresSession(send, nowExpression(null)));
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    };
    await runMigrations('postgres', transaction, plan);
  } finally {
    await endConnection(client);
  }
}

/** Returns an error's message; the driver's error has none if several addresses of a host were tried. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
