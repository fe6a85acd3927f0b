import { letsListen } from '../../database/postgres-notices.ts';
import { readReplicaAge, STALE_MS } from '../../database/postgres-replica.ts';
import type { ServerTraits } from '../../database/postgres-traits.ts';
import type { Config } from '../config/config.ts';

interface ReplicaFinding {
  readonly status: 'ok' | 'warning';
  readonly found: string;
  readonly advice: string | null;
}

/**
 * Says what the connections to the database keep, and whether processes hear each other. A transaction pooler keeps
 * less, and some servers of the protocol have no LISTEN: each lack has a price.
 */
export async function describeServer(
  { keepsSettings, prepares }: ServerTraits,
  { databaseUrl, databaseListenUrl }: Pick<Config, 'databaseUrl' | 'databaseListenUrl'>,
): Promise<string> {
  const listenUrl = databaseListenUrl ?? (keepsSettings ? databaseUrl : null);
  const hears = listenUrl !== null && (await letsListen(listenUrl));
  const polls = 'changes by other processes are found within a second';
  if (keepsSettings) return hears ? 'PostgreSQL answers' : `PostgreSQL answers without LISTEN (${polls})`;
  const prepared = prepares ? 'statements stay prepared' : 'each statement is planned anew';
  const heard = hears ? 'other processes are heard at DARKROOM_DATABASE_LISTEN_URL' : polls;
  return `PostgreSQL answers through a transaction pooler (${prepared}; ${heard})`;
}

/** @throws Error when the replica does not answer */
export async function diagnoseReplica(url: string): Promise<ReplicaFinding> {
  const ageMs = await readReplicaAge(url);
  if (ageMs <= STALE_MS)
    return { status: 'ok', found: 'the replica answers and is at most ten seconds behind', advice: null };
  const found =
    ageMs === Number.POSITIVE_INFINITY
      ? 'the replica answers and shows no heartbeat of any process'
      : `the replica answers and shows no heartbeat of the last ${Math.floor(ageMs / 1000)} s`;
  const advice =
    'While a service runs, this means that the replica is behind or of another database: lists and reports come from DARKROOM_DATABASE_URL. Compare DARKROOM_DATABASE_REPLICA_URL, and look at the replication.';
  return { status: 'warning', found, advice };
}
