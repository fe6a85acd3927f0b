import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { paidModel } from '../../test/crash/paid-model.ts';
import { copyWaiting } from './copy-waiting.ts';
import type { OrderFormat, Peer, World } from './peer.ts';
import { startPeer } from './peer-process.ts';
import { openPostgres } from './postgres.ts';

const PROGRAM = join(import.meta.dirname, 'darkroom-process.ts');
const MODEL = 'peer';

export const darkroomEmbedded = darkroom('Darkroom on SQLite', async () => null);
export const darkroomOnPostgres = darkroom('Darkroom on PostgreSQL', openPostgres);

function darkroom(name: string, openServer: () => Promise<Awaited<ReturnType<typeof openPostgres>> | null>): Peer {
  return {
    name,
    missing: () => null,
    async open(world) {
      const server = await openServer();
      const data = join(world.directory, 'data');
      const catalog = join(world.directory, 'catalog');
      await mkdir(data, { recursive: true });
      await mkdir(catalog, { recursive: true });
      await writeFile(join(catalog, 'peer.json'), JSON.stringify({ vendor: 'Bench', models: [paidModel(MODEL)] }));
      const database = await openDatabase({ url: server?.url ?? null, path: join(data, 'darkroom.db') });
      const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
      await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
      const free = { accountId: 'bench', queueLimit: 0, readsPerMinute: 0 };
      const { key } = await issueKey(database, by, { mode: 'live', ...free });
      return {
        orders: formatFor(world, key),
        async start(runsOrders) {
          const port = await freePort();
          const settings = {
            DARKROOM_ROLE: runsOrders ? 'all' : 'api',
            DARKROOM_PORT: String(port),
            DARKROOM_DATA_DIR: data,
            DARKROOM_CATALOG_DIR: catalog,
            DARKROOM_LOG_LEVEL: 'fatal',
            DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
            ...(server === null ? {} : { DARKROOM_DATABASE_URL: server.url }),
          };
          const values = [PROGRAM, world.upstream, JSON.stringify(settings)];
          return await startPeer([process.execPath, ...values], {}, `http://127.0.0.1:${port}/readyz`);
        },
        fill: async (_running, count) => await copyWaiting(database, count),
        flush: async () => await server?.flush(),
        databases: async () => (await server?.databases()) ?? [],
        async close() {
          await database.close();
          await server?.close();
        },
      };
    },
  };
}

function formatFor({ upstream }: World, key: string): OrderFormat {
  const dataOf = (answer: unknown) => (answer as { data: { task_id: string; status: string } }).data;
  return {
    path: '/v1/images',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: (prompt) => ({ model_id: MODEL, prompt, webhook_url: `${upstream}/hook` }),
    idOf: (answer) => dataOf(answer).task_id,
    statusOf: (answer) => dataOf(answer).status,
    pathOf: (id) => `/v1/images/${id}`,
  };
}
