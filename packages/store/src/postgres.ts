import type { Client } from 'pg';
import { nowExpression, PostgresSession } from './postgres-session.ts';
import type { Session } from './store.ts';

export { connect, endConnection, poolConfig } from './postgres-connection.ts';
export { isConnectionLoss } from './postgres-faults.ts';
export { letsListen, openPostgresNotices } from './postgres-notices.ts';
export { readReplicaAge, STALE_MS } from './postgres-replica.ts';
export { connectToServer } from './postgres-server.ts';
export { examineServer } from './postgres-traits.ts';

/** Returns a session of one connection, which prepares and repeats nothing by itself. */
export function sessionOn<S>(client: Client): Session<S> {
  return new PostgresSession<S>((statement) => client.query(statement), nowExpression(null));
}
