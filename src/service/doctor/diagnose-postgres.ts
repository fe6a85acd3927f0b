import { loadPostgres, parseHosts, type ServerTraits } from '@darkroom-service/store';
import type { Session } from '../../database/database.ts';
import type { Config } from '../config/config.ts';
import type { Observation } from '../finding.ts';
import { areAsynchronous, readStandbys } from '../operations/standbys.ts';

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

/**
 * Says whether a failover could lose orders. Without a standby there is nothing to say, unless the address names
 * several servers.
 */
export async function diagnoseStandbys(url: string): Promise<Observation> {
  const { connectToServer, endConnection, sessionOn } = await loadPostgres();
  const client = await connectToServer(url, 'read', 0);
  try {
    const read: Session = sessionOn(client);
    const standbys = await readStandbys({ kind: 'postgres', read });
    const found = standbys.map(({ name, is_synchronous: is }) => `${name} (${is ? '' : 'a'}synchronous)`).join(', ');
    if (areAsynchronous(standbys))
      return {
        status: 'warning',
        found: `${found}: if one of them takes over, the latest orders may be lost`,
        advice: 'Make one synchronous: docs/high-availability.md.',
      };
    if (standbys.length > 0) return { status: 'ok', found, advice: null };
    const none = 'none is connected, or the role may not see them (pg_monitor)';
    return (parseHosts(url)?.urls.length ?? 1) === 1
      ? { status: 'ok', found: none, advice: null }
      : {
          status: 'warning',
          found: none,
          advice: 'DARKROOM_DATABASE_URL names several servers. See if the others run and replicate.',
        };
  } finally {
    await endConnection(client);
  }
}
