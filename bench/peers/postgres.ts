import { askPostgres, createEmptyPostgresDatabase, postgresServer } from '../../test/helpers/postgres-server.ts';
import type { PeerDatabase } from './peer.ts';
import { parentOf, withChildren } from './process-tree.ts';

/** An empty database on the PostgreSQL of the tests, which here flushes each commit to disk. */
export async function openPostgres(): Promise<PeerDatabase & { readonly url: string }> {
  const server = await postgresServer('durable');
  // The server drops what was made once the process that asked has ended.
  const url = await createEmptyPostgresDatabase({ after: () => {} }, 'durable');
  return {
    url,
    env: { PEER_DATABASE: url },
    flush: async () => void (await askPostgres(server, 'checkpoint')),
    databases: () => serverProcesses(server),
    close: async () => void (await askPostgres(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`)),
  };
}

/** The postmaster and everything that it has started. */
async function serverProcesses(server: string): Promise<number[]> {
  const [row] = await askPostgres(server, 'select pg_backend_pid() as pid');
  const postmaster = await parentOf(Number(row?.pid));
  return postmaster === null ? [] : await withChildren(postmaster);
}
