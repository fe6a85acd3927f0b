import { world } from '@darkroom-service/contract';
import type { Client } from 'pg';

/** A commit may wait for a synchronous standby, and no limit of the server ends that. */
export const COMMIT_TIMEOUT_MS = 10_000;
/** Milliseconds for the driver's own limit: more than the writes and their commit may take. */
const LONGEST_WITH_WRITES_MS = 60_000;

const WAITS = `
  select current_setting('synchronous_standby_names') as names, (
    select string_agg(application_name, ', ' order by application_name) from pg_stat_replication
    where sync_state in ('sync', 'quorum')
  ) as connected
  from pg_stat_activity
  where wait_event = 'SyncRep' and datname = current_database() and ($1::int is null or pid = $1::int)
  limit 1`;

/**
 * Commits a transaction. After the timeout the connection is lost, and the outcome of the commit is unknown.
 * @throws the driver's error
 */
export async function commitWithin(client: Client, timeoutMs: number): Promise<string> {
  const query = { text: 'commit', query_timeout: timeoutMs };
  const { command } = await client.query(query);
  return command;
}

/**
 * Sends a commit behind writes that the server has not answered yet. If one of them fails, the server rolls back
 * instead. After the timeout the connection is lost, and the outcome of the commit is unknown.
 * @param written resolves when the writes are answered; the timeout begins then
 * @returns the server's answer: `COMMIT` or `ROLLBACK`
 * @throws the driver's error
 */
export async function commitBehind(client: Client, written: Promise<unknown>, timeoutMs: number): Promise<string> {
  const answer = commitWithin(client, LONGEST_WITH_WRITES_MS);
  await Promise.race([written, answer]);
  const timer = world.setTimeout(() => client.connection.stream.destroy(), timeoutMs);
  try {
    return await answer;
  } finally {
    world.clearTimeout(timer);
  }
}

/** Returns the id of the server process behind a connection; null if a proxy in between hides it. */
export function serverProcessOf(client: Client): number | null {
  return (client as unknown as { readonly processID: number | null }).processID;
}

/**
 * Describes the standby that commits to this database wait for.
 * @param serverProcess restricts this to the commit of one server process; null = all
 * @returns null if none waits
 */
export async function describeWaitingCommit(client: Client, serverProcess: number | null): Promise<string | null> {
  const { rows } = await client.query(WAITS, [serverProcess]);
  const [row] = rows as { readonly names: string; readonly connected: string | null }[];
  if (row === undefined) return null;
  const connected = row.connected ?? 'none, or the role may not see them';
  return `commits wait for a synchronous standby (synchronous_standby_names is "${row.names}"; connected: ${connected})`;
}
