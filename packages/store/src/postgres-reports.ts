import { Pool } from 'pg';
import { connect, endConnection, poolConfig } from './postgres-connection.ts';
import { readFrom } from './postgres-read.ts';
import { PostgresReplica } from './postgres-replica.ts';
import type { ReadRows } from './report-messages.ts';

/** Milliseconds; shorter than the life of an idle thread, so that its connections are closed properly. */
const IDLE_MS = 20_000;

/** Reads from a server, or from its standby while that is close behind, on one connection. */
export async function openPostgresReports(url: string, replicaUrl: string | null): Promise<ReadRows> {
  // The first connection finds out which parameters a pooler in front of the server accepts.
  await endConnection(await connect(url, 'report', 0));
  const pool = new Pool({ ...poolConfig(url, 'report'), max: 1, idleTimeoutMillis: IDLE_MS });
  pool.on('error', () => {});
  // The main thread uses the same standby, and reports its faults.
  const replica = new PostgresReplica({ url: replicaUrl, onFault: () => {} });
  const send = replica.sendOr((statement) => readFrom(pool, statement));
  return async (text, parameters) => (await send({ text, values: [...parameters] })).rows;
}
