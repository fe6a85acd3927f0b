import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createIdFactory, systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import { createLog } from '../../src/base/log.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Service } from '../../src/service/service.ts';
import { paidModel } from '../crash/paid-model.ts';
import { startService } from '../helpers/additions.ts';
import { startAwakeTime } from '../helpers/awake-time.ts';
import { loadConfig } from '../helpers/load-config.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';

const ENGINE_LIMIT = 6;
const KEY_LIMIT = 2;
const PER_MINUTE = 7;
const WORK_MS = 60;
const REVOKED_WITHIN_MS = 5_000;

test('a key that is revoked in one process stops in the others within five seconds', async (t) => {
  const { start, issue } = await open(t);
  const [one, other] = [await start('api'), await start('api')];
  const admin = await issue('admin', 0);
  const key = await issue('live', 0);
  const ask = () => fetch(`${other.url}/v1/models`, { headers: bearer(key.key) }).then((response) => response.status);
  assert.equal(await ask(), 200);
  const revoked = await fetch(`${one.url}/admin/v1/keys/${key.key_id}/revoke`, {
    method: 'POST',
    headers: bearer(admin.key),
  });
  assert.equal(revoked.status, 200);
  const awakeMs = startAwakeTime();
  assert.equal(await until(ask, (status) => status !== 200), 401);
  assert.ok(awakeMs() < REVOKED_WITHIN_MS, `${awakeMs()} ms`);
});

test('creates per minute of a key hold over all processes together', async (t) => {
  // A clock that stands: with the end of a minute the limit begins anew.
  const at = Date.now();
  const { start, issue } = await open(t, { now: () => at });
  const services = [await start('api'), await start('api'), await start('api')];
  const { key } = await issue('live', 0, PER_MINUTE);
  const answers = await Promise.all(
    Array.from({ length: 3 * PER_MINUTE }, async (_, place) => {
      const response = await fetch(`${services[place % services.length]?.url}/v1/images`, {
        method: 'POST',
        headers: { ...bearer(key), 'content-type': 'application/json' },
        body: JSON.stringify({ model_id: 'paid', prompt: 'a fox' }),
      });
      return response.status;
    }),
  );
  assert.deepEqual(
    [201, 429].map((status) => answers.filter((one) => one === status).length),
    [PER_MINUTE, 2 * PER_MINUTE],
  );
});

test('several workers together keep the limits of an engine and of a key, and take keys in turn', async (t) => {
  const { start, issue, watched, readOpen } = await open(t);
  const { url } = await start('api');
  const keys = { many: await issue('live', 0), few: await issue('live', 0), limited: await issue('live', KEY_LIMIT) };
  const owners = new Map<string, string>();
  const order = async (name: keyof typeof keys, count: number) => {
    for (let place = 0; place < count; place++) {
      const response = await fetch(`${url}/v1/images`, {
        method: 'POST',
        headers: { ...bearer(keys[name].key), 'content-type': 'application/json' },
        body: JSON.stringify({ model_id: 'paid', prompt: 'a fox' }),
      });
      assert.equal(response.status, 201);
      const { data } = (await response.json()) as { data: { task_id: string } };
      owners.set(data.task_id, name);
    }
  };
  await order('many', 30);
  await order('few', 5);
  await order('limited', 8);
  await Promise.all([start('worker'), start('worker'), start('worker')]);
  await until(
    () => watched.ended.length,
    (ended) => ended === owners.size,
  );
  // Only an order that is not final could be begun once more.
  await until(readOpen, (tasks) => tasks.length === 0);

  assert.deepEqual([...watched.begun].sort(), [...owners.keys()].sort(), 'each order was begun once');
  assert.equal(
    watched.mostAtOnce(() => true),
    ENGINE_LIMIT,
  );
  assert.equal(
    watched.mostAtOnce((taskId) => owners.get(taskId) === 'limited'),
    KEY_LIMIT,
  );
  const lastOfFew = watched.begun.findLastIndex((taskId) => owners.get(taskId) === 'few');
  // Three keys in turn: five orders of one need fifteen places, and what is begun at once comes in any order.
  assert.ok(lastOfFew < 3 * 5 + 2 * ENGINE_LIMIT, `the few waited for ${lastOfFew} orders`);
});

function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/**
 * Processes of one service as far as the database is concerned, all within this one, with an engine that watches its
 * orders.
 */
async function open(t: TestContext, clock: Clock = systemClock) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-several-'));
  const url = await createPostgresDatabase(t);
  await writeFile(join(directory, 'paid.json'), JSON.stringify({ vendor: 'Paid', models: [paidModel('paid')] }));
  const services: Service[] = [];
  const database = await openDatabase({ url, path: '' });
  t.after(async () => {
    await Promise.all(services.map((service) => service.stop({ now: true })));
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
  await createAccount(database, by, { id: 'default', name: 'default', creditLimit: null });
  const watched = watchedEngine();
  const { read } = database;
  return {
    watched,
    readOpen: () => read.all(read.builder.selectFrom('tasks').select('id').where('step', '!=', 'final')),
    issue: (mode: 'live' | 'admin', concurrency: number, createsPerMinute = 0) =>
      issueKey(database, by, { accountId: 'default', mode, concurrency, createsPerMinute, readsPerMinute: 0 }),
    async start(role: 'api' | 'worker') {
      const config = loadConfig({
        DARKROOM_DATABASE_URL: url,
        DARKROOM_PORT: '0',
        DARKROOM_ROLE: role,
        DARKROOM_PUBLIC_URL: 'http://127.0.0.1:1',
        DARKROOM_DATA_DIR: join(directory, 'data'),
        DARKROOM_CATALOG_DIR: directory,
        DARKROOM_LOG_LEVEL: 'fatal',
      });
      const service = await startService(config, { log: createLog('fatal'), clock, engines: [watched.engine] });
      services.push(service);
      return service;
    },
  };
}

function watchedEngine() {
  const moves: { readonly taskId: string; readonly by: 1 | -1 }[] = [];
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const engine: Engine = {
    name: 'paid',
    concurrency: ENGINE_LIMIT,
    async start({ taskId }) {
      moves.push({ taskId, by: 1 });
      await sleep(WORK_MS);
      const data = await picture;
      moves.push({ taskId, by: -1 });
      return { done: { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] } };
    },
    async check() {
      throw new Error('nothing is to be asked for');
    },
  };
  return {
    engine,
    get begun() {
      return moves.filter(({ by }) => by === 1).map(({ taskId }) => taskId);
    },
    get ended() {
      return moves.filter(({ by }) => by === -1).map(({ taskId }) => taskId);
    },
    mostAtOnce(counts: (taskId: string) => boolean) {
      let [now, most] = [0, 0];
      for (const { taskId, by } of moves) {
        if (!counts(taskId)) continue;
        now += by;
        most = Math.max(most, now);
      }
      return most;
    },
  };
}
