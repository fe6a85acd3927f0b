import type { Config } from '../config/config.ts';
import { readReplicaAge, STALE_MS } from '../database/postgres-replica.ts';
import type { ServerTraits } from '../database/postgres-traits.ts';

export interface ReplicaFinding {
  readonly status: 'ok' | 'warning';
  readonly found: string;
  readonly advice: string | null;
}

/** Says what the connections to the database keep. A transaction pooler keeps less, and each lack has a price. */
export function describeTraits(
  { keepsSettings, prepares }: ServerTraits,
  config: Pick<Config, 'databaseListenUrl'>,
): string {
  if (keepsSettings) return 'PostgreSQL answers';
  const prepared = prepares ? 'statements stay prepared' : 'each statement is planned anew';
  const heard =
    config.databaseListenUrl === null
      ? 'changes by other processes are found within a second'
      : 'other processes are heard at DARKROOM_DATABASE_LISTEN_URL';
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
