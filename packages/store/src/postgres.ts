import type { Client } from 'pg';
import { nowExpression, PostgresSession } from './postgres-session.ts';
import type { Session } from './store.ts';

export { commitWithin, describeWaitingCommit } from './bounded-commit.ts';
export { connect, endConnection, poolConfig } from './postgres-connection.ts';
export { isConnectionLoss } from './postgres-faults.ts';
export { letsListen, openPostgresNotices } from './postgres-notices.ts';
export { readReplicaAge, STALE_MS } from './postgres-replica.ts';
export { connectToServer } from './postgres-server.ts';
export { examineServer } from './postgres-traits.ts';

/**
 * Returns a session of one connection, which repeats nothing by itself. It prepares nothing: a transaction pooler keeps
 * no statement for a client, and may have that of another one under the same name.
 */
export function sessionOn<S>(client: Client): Session<S> {
  return new PostgresSession<S>(({ text, values }) => client.query({ text, values }), nowExpression(null));
}
