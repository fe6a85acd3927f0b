import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import type { OrderFormat, Peer, PeerDatabase, World } from './peer.ts';
import { startPeer } from './peer-process.ts';
import { openPostgres } from './postgres.ts';
import { hasRedis, openRedis } from './redis.ts';

const PACKAGES = join(import.meta.dirname, 'node_modules');

export const bullmq = handMade('BullMQ on Redis', 'bullmq', openRedis, () =>
  hasRedis() ? null : 'Redis: apt-get install redis-server',
);
export const pgBoss = handMade('pg-boss on PostgreSQL', 'pg-boss', openPostgres, () => null);
export const graphileWorker = handMade('Graphile Worker on PostgreSQL', 'graphile-worker', openPostgres, () => null);

/** A service of `<program>.mjs` on a library. */
function handMade(
  name: string,
  program: string,
  openDatabase: (directory: string) => Promise<PeerDatabase>,
  missing: () => string | null,
): Peer {
  return {
    name,
    missing: () => (existsSync(join(PACKAGES, program)) ? missing() : `${program}: npm --prefix bench/peers install`),
    async open(world) {
      const database = await openDatabase(world.directory);
      return {
        ...database,
        orders: formatFor(world),
        async start(runsOrders) {
          const port = await freePort();
          const env = {
            ...database.env,
            PEER_PORT: String(port),
            PEER_UPSTREAM: world.upstream,
            PEER_DIRECTORY: world.directory,
            PEER_WORKER: runsOrders ? '1' : '0',
          };
          const path = join(import.meta.dirname, `${program}.mjs`);
          return await startPeer([process.execPath, path], env, `http://127.0.0.1:${port}/ready`);
        },
        async fill({ url }, count) {
          const response = await fetch(`${url}/fill?count=${count}`, { method: 'POST' });
          if (!response.ok) throw new Error(`${name} cannot be filled: ${await response.text()}`);
          return (await response.json()) as string[];
        },
      };
    },
  };
}

function formatFor({ upstream }: World): OrderFormat {
  return {
    path: '/orders',
    headers: { 'content-type': 'application/json' },
    body: (prompt) => ({ prompt, webhook_url: `${upstream}/hook` }),
    idOf: (answer) => (answer as { id: string }).id,
    statusOf: (answer) => (answer as { status: string }).status,
    pathOf: (id) => `/orders/${id}`,
  };
}
