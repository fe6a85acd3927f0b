import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from '@darkroom-service/media';
import type { CommitHook } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { DatabaseError } from 'pg';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { loggedLines } from '../helpers/logged-lines.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What is ready while the database can only be read, or the storage is away. */

const faults = { readOnly: false, storage: false };
const commitHook: CommitHook = (moment) => {
  if (!faults.readOnly || moment !== 'before') return;
  const refusal = new DatabaseError('cannot execute UPDATE in a read-only transaction', 0, 'error');
  throw Object.assign(refusal, { code: '25006', severity: 'ERROR', errcode: 8 });
};
const away = async <T>(call: () => Promise<T>): Promise<T> => {
  if (faults.storage) throw new StorageError('unavailable', 'injected');
  return await call();
};
const { log, lines } = loggedLines();
const { call, keys, make } = await startTestService(wholeFile, {
  service: {
    log,
    commitHook,
    tempo: { readinessFreshMs: 0 },
    engines: [createSwiftEngine({ probe: () => new Promise(() => {}) })],
    wrapStorage: (storage) => ({
      ...storage,
      check: () => away(() => storage.check()),
      put: (...request) => away(() => storage.put(...request)),
      open: (...request) => away(() => storage.open(...request)),
      stat: (...request) => away(() => storage.stat(...request)),
    }),
  },
});
const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
const readyFor = async (what: string) => (await call(null, 'GET', `/readyz${what}`)).status;
const allReady = async () => await Promise.all(['', '?for=orders', '?for=reads', '?for=files'].map(readyFor));

test('while the database can only be read, readiness fails for orders and holds for reads', async () => {
  const task = await make(keys.live, '/v1/images', ORDER);
  faults.readOnly = true;
  await until(
    () => readyFor('?for=orders'),
    (status) => status === 503,
  );
  assert.deepEqual(await allReady(), [200, 503, 200, 200]);
  assert.deepEqual((await call(null, 'GET', '/readyz')).body, { status: 'ready', orders: false });
  const refused = await call(keys.live, 'POST', '/v1/images', ORDER);
  assert.deepEqual([refused.status, refused.error.code], [503, 'service_unavailable']);
  assert.equal((await call(keys.live, 'GET', task.urls.self)).status, 200);
  const told = await call(keys.admin, 'GET', '/readyz?for=orders');
  assert.equal(told.error.details.find(({ name }) => name === 'database writes')?.ok, false);
  faults.readOnly = false;
  await until(
    () => readyFor('?for=orders'),
    (status) => status === 200,
  );
  assert.equal((await call(keys.live, 'POST', '/v1/images', ORDER)).status, 201);
});

test('during a storage outage, orders without media and reads work, and only files are not ready', async () => {
  const task = await make(keys.live, '/v1/images', ORDER);
  // On a busy machine a check may have taken too long before: that was an outage too.
  await until(
    () => readyFor('?for=files'),
    (status) => status === 200,
  );
  const earlier = lines.length;
  faults.storage = true;
  await until(
    () => readyFor('?for=files'),
    (status) => status === 503,
  );
  assert.deepEqual(await allReady(), [200, 200, 200, 503]);
  const placed = await call(keys.live, 'POST', '/v1/images', ORDER);
  assert.equal(placed.status, 201);
  for (const path of [task.urls.self, placed.data.urls.self, '/v1/images', '/v1/account', '/v1/models'])
    assert.equal((await call(keys.live, 'GET', path)).status, 200, path);
  assert.equal((await call(keys.live, 'POST', '/v1/prices', ORDER)).status, 200);
  assert.equal((await call(keys.live, 'GET', `${task.urls.self}/content`)).status, 503);
  const told = (msg: string) => lines.slice(earlier).filter((line) => line.msg === msg && line.check === 'storage');
  assert.deepEqual([told('outage began').length, told('outage ended').length], [1, 0]);
  faults.storage = false;
  await until(
    () => readyFor('?for=files'),
    (status) => status === 200,
  );
  const [began] = told('outage began');
  const [ended, ...more] = told('outage ended');
  assert.deepEqual([began?.level, ended?.level, more], ['error', 'info', []]);
  assert.ok(Number(ended?.outage_seconds) >= 0, `${ended?.outage_seconds}`);
});

test('a probe that hangs delays no answer, and an unknown capability is refused', async () => {
  const detailed = await call(keys.admin, 'GET', '/readyz');
  assert.ok(detailed.body.checks.some(({ name }: { name: string }) => name === 'engine sketch'));
  assert.equal((await call(null, 'GET', '/readyz?for=tea')).status, 400);
});

const detailOf = (answer: Awaited<ReturnType<typeof call>>) =>
  String(answer.error.details.find(({ name }) => name === 'database')?.detail ?? '');

test('while PostgreSQL is away, an admin key that was known shows the reasons, and another key does not', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const service = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: line.url },
    service: { tempo: { readinessFreshMs: 0 } },
  });
  const look = async (key: string) => await service.call(key, 'GET', '/readyz');
  assert.equal((await look(service.keys.admin)).status, 200);
  line.cut();
  const away = await until(
    () => look(service.keys.admin),
    ({ status }) => status === 503,
  );
  assert.doesNotMatch(detailOf(away), /the reason is in the log/);
  assert.match(detailOf(await look(`dk_admin_${'a'.repeat(50)}`)), /^$|the reason is in the log/);
  line.mend();
});

test('while PostgreSQL hangs, everybody is told in time which dependency fails, and the known admin key why', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const service = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: line.url },
    service: { tempo: { readinessFreshMs: 0 }, engines: [createSwiftEngine()] },
  });
  const look = async (key: string | null) => await service.call(key, 'GET', '/readyz');
  const otherAdmin = (
    await service.call(service.keys.admin, 'POST', '/admin/v1/keys', { mode: 'admin', name: 'other' })
  ).data.key;
  assert.equal((await look(service.keys.admin)).status, 200);
  line.stall();
  const stranger = await until(
    () => look(null),
    ({ status }) => status === 503,
  );
  const told = stranger.error.details.map(({ name, ok, detail }) => [name, ok, String(detail).replace(/;.*/, '')]);
  assert.deepEqual(told.slice(0, 2), [
    ['database', false, 'fails'],
    ['database writes', false, 'fails'],
  ]);
  assert.ok(
    told.every(([name]) => !String(name).startsWith('engine ')),
    'upstreams are told to operators only',
  );
  assert.deepEqual(
    (await look(otherAdmin)).error.details.map(({ name }) => name),
    told.map(([name]) => name),
  );
  const known = await look(service.keys.admin);
  assert.deepEqual(
    ['database', 'engine sketch'].map((one) => known.error.details.find(({ name }) => name === one)?.ok),
    [false, true],
  );
  assert.doesNotMatch(detailOf(known), /the reason is in the log/);
});
