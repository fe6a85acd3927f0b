import { loadPostgres, parseHosts, type ServerTraits } from '@darkroom-service/store';
import type { Session } from '../../database/database.ts';
import { type Observation, ok, warning } from '../check.ts';
import type { Config } from '../config/config.ts';
import { problemsOfStandbys, withProblems } from '../operations/problems.ts';
import { describeStandbys, readStandbys, type Standby } from '../operations/standbys.ts';

/**
 * Says what the connections to the database keep, and whether processes hear each other. A transaction pooler keeps
 * less, and some servers of the protocol have no LISTEN: each lack has a price.
 * @param hasCarrier whether an addition carries notices
 */
export async function describeServer(
  { keepsSettings, prepares }: ServerTraits,
  { databaseUrl, databaseListenUrl }: Pick<Config, 'databaseUrl' | 'databaseListenUrl'>,
  hasCarrier: boolean,
): Promise<string> {
  const listenUrl = databaseListenUrl ?? (keepsSettings ? databaseUrl : null);
  const hears = hasCarrier || (listenUrl !== null && (await (await loadPostgres()).letsListen(listenUrl)));
  const polls = 'changes by other processes are found within a second';
  if (keepsSettings) return hears ? 'PostgreSQL answers' : `PostgreSQL answers without LISTEN (${polls})`;
  const prepared = prepares ? 'statements stay prepared' : 'each statement is planned anew';
  const heardAt = hasCarrier ? 'without it' : 'at DARKROOM_DATABASE_LISTEN_URL';
  const heard = hears ? `other processes are heard ${heardAt}` : polls;
  return `PostgreSQL answers through a transaction pooler (${prepared}; ${heard})`;
}

/** Checks a read replica. @throws Error when the replica does not answer */
export async function diagnoseReplica(url: string): Promise<Observation> {
  const { readReplicaAge, STALE_MS } = await loadPostgres();
  const ageMs = await readReplicaAge(url);
  if (ageMs <= STALE_MS) return ok('the replica answers and is at most ten seconds behind');
  const found =
    ageMs === Number.POSITIVE_INFINITY
      ? 'the replica answers and shows no heartbeat of any process'
      : `the replica answers and shows no heartbeat of the last ${Math.floor(ageMs / 1000)} s`;
  const advice =
    'While a service runs, this means that the replica is behind or of another database: lists and reports come from DARKROOM_DATABASE_URL. Compare DARKROOM_DATABASE_REPLICA_URL, and look at the replication.';
  return warning(found, advice);
}

/** Lists the standbys of the server at an address. */
export async function listStandbys(url: string): Promise<Standby[]> {
  const { connectToServer, endConnection, sessionOn } = await loadPostgres();
  const client = await connectToServer(url, 'read', 0);
  try {
    const read: Session = sessionOn(client);
    return await readStandbys({ kind: 'postgres', read });
  } finally {
    await endConnection(client);
  }
}

/**
 * Says whether a failover could lose orders. Without a standby there is nothing to say, unless the address names
 * several servers.
 */
export async function diagnoseStandbys(url: string): Promise<Observation> {
  const standbys = await listStandbys(url);
  const areExpected = (parseHosts(url)?.urls.length ?? 1) > 1;
  return withProblems(describeStandbys(standbys), problemsOfStandbys(standbys, areExpected));
}
