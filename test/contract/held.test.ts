import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Envelope } from '@darkroom-service/contract/schemas';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { readInstallation } from '../../src/installation/suspension.ts';
import type { Service } from '../../src/service/service.ts';
import { startService } from '../helpers/additions.ts';
import { copyInstallation } from '../helpers/copied-installation.ts';
import {
  DONE,
  FOX,
  hasBeaten,
  isReleased,
  newestProcess,
  openHeldServices,
  serviceOf,
  tempo,
} from '../helpers/held-services.ts';
import { insertProcess } from '../helpers/insert-process.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const { start, startOriginal, env } = await openHeldServices();

/** Stops a service before the test ends, and so before the storage that it writes to is removed. */
const stopping = (service: Service): AsyncDisposable => ({
  [Symbol.asyncDispose]: () => service.stop({ now: true }),
});

const openEntries = async ({ call, keys }: TestService) =>
  (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items.map((entry) => entry.task_id);
/** The same wherever operators read it. */
const toldOperators = async ({ call, keys }: TestService) => {
  const { service } = (await call(keys.admin, 'GET', '/admin/v1/health')).data;
  assert.deepEqual((await call(keys.admin, 'GET', '/readyz')).body.service, service);
  return service;
};
test('a copy started beside its original sends nothing; as its successor it ends what was open, and goes on', async (t) => {
  const { original, paid, ordered } = await startOriginal(t);
  const submissions: string[] = [];
  // With room for all.
  const again = createScriptedEngine();
  again.onStart = ({ taskId }) => submissions.push(taskId);
  again.answer = () => DONE;
  const copy = await start(t, [again], await copyInstallation(wholeFile, original));
  const { call, keys } = copy;
  assert.equal((await serviceOf(copy)).held, true);
  const later = await call(keys.live, 'POST', '/v1/images', FOX);
  assert.equal(later.status, 201);
  assert.equal((await call(null, 'GET', '/readyz')).status, 200);
  assert.equal((await toldOperators(copy)).is_copy, true);
  await hasBeaten(copy);
  const refused = await call(keys.admin, 'DELETE', '/admin/v1/hold');
  assert.deepEqual([refused.status, refused.error.param], [400, 'as']);
  assert.deepEqual([submissions, again.checked, paid.started.length], [[], [], 1]);
  assert.equal((await serviceOf(original)).held, false);

  await original.service.stop({ now: true });
  assert.equal((await call(keys.admin, 'DELETE', '/admin/v1/hold?as=successor')).status, 200);
  await isReleased(copy);
  assert.deepEqual((await openEntries(copy)).sort(), ordered.map(({ task_id }) => task_id).sort());
  assert.equal((await copy.ended(keys.live, later.data)).status, 'succeeded');
  again.answer = () => ({ status: 'pending', checkAfterMs: 20 });
  const last = (await call(keys.live, 'POST', '/v1/images', FOX)).data;
  await until(
    async () => submissions,
    (sent) => sent.length === 2,
  );
  const repeated = await call(keys.admin, 'DELETE', '/admin/v1/hold?as=successor');
  assert.deepEqual([repeated.status, repeated.data.held], [200, false]);
  await hasBeaten(copy);
  again.answer = () => DONE;
  assert.equal((await copy.ended(keys.live, last)).status, 'succeeded', 'a repeated release ends no later order');
  assert.deepEqual(submissions, [later.data.task_id, last.task_id]);
  for (const { task_id } of ordered) {
    const task = (await call(keys.admin, 'GET', `/admin/v1/tasks/${task_id}`)).data;
    assert.deepEqual([task.status, task.charged, task.error?.code], ['failed', '0.00', 'outcome_unknown']);
  }
});

test('as a copy it goes on beside its original, with an id and files of its own, and drops webhooks', async (t) => {
  const receiver = await startReceiver(t);
  const { original, paid } = await startOriginal(t, { webhook_url: receiver.url });
  const again = createScriptedEngine();
  again.answer = () => DONE;
  const variables = await copyInstallation(wholeFile, original);
  const copy = await start(t, [again], variables);
  const { code, stdout, stderr } = await runDarkroom(
    ['release', '--as', 'copy', '--json'],
    { ...env, ...variables },
    env.DARKROOM_CATALOG_DIR,
  );
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual([JSON.parse(stdout).orders.length, JSON.parse(stdout).webhooks], [2, 'drop']);
  await isReleased(copy);
  const task = await copy.make(copy.keys.live, '/v1/images', FOX);
  assert.equal(task.status, 'succeeded');
  const row = await copy.database.read.first(copy.database.read.builder.selectFrom('installation').selectAll());
  const own = await original.database.read.first(original.database.read.builder.selectFrom('installation').selectAll());
  assert.ok(row && own && row.id !== own.id);
  assert.equal(row.prefix, null, 'its directory is its own');
  const mark = JSON.parse(
    await readFile(join(variables.DARKROOM_DATA_DIR ?? '', 'files', 'installation.json'), 'utf8'),
  );
  assert.equal(mark.id, row.id);
  assert.equal((await fetch(task.outputs[0]?.url ?? '')).status, 200);
  assert.deepEqual([receiver.received, paid.started.length, (await serviceOf(original)).held], [[], 1, false]);
});

test('a copy tells what became of an order that was placed while it was held, and nothing of those of its original', async (t) => {
  const receiver = await startReceiver(t);
  const { original } = await startOriginal(t, { webhook_url: receiver.url });
  const copy = await start(t, [createScriptedEngine()], await copyInstallation(wholeFile, original));
  const { call, keys } = copy;
  const key = original.keys.live;
  const own = (await call(key, 'POST', '/v1/images', { ...FOX, webhook_url: receiver.url })).data;
  assert.equal((await call(key, 'POST', `/v1/images/${own.task_id}/cancel`)).data.status, 'canceled');
  await call(keys.admin, 'DELETE', '/admin/v1/hold?as=copy');
  await isReleased(copy);
  await until(
    async () => (await call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items,
    (deliveries) => deliveries.every(({ status }) => status !== 'pending'),
  );
  await hasBeaten(copy);
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data.task_id),
    [own.task_id],
  );
});

test('an erasure in a copy that goes on beside its original removes the files of the copy, and none of the original', async (t) => {
  const engine = () => {
    const made = createScriptedEngine();
    made.answer = () => DONE;
    return made;
  };
  const original = await start(t, [engine()]);
  const task = await original.make(original.keys.live, '/v1/images', { ...FOX, end_user: 'ada' });
  const variables = await copyInstallation(wholeFile, original);
  const ownFiles = join(variables.DARKROOM_DATA_DIR ?? '', 'files');
  // The original goes on: what lies in its temporary folder may be gone before it is copied.
  const isPicture = (name: string) => !/installation\.json$|\/\.tmp$/.test(name);
  await cp(original.config.filesDirectory, ownFiles, { recursive: true, filter: isPicture });
  const copy = await start(t, [engine()], variables);
  const files = async (directory: string) =>
    (await readdir(directory, { recursive: true })).filter((name) => name.includes(task.task_id));
  const inCopy = () => files(ownFiles);
  assert.equal((await inCopy()).length, 1);
  const { call, keys } = copy;
  assert.equal((await call(keys.admin, 'DELETE', '/admin/v1/hold?as=copy')).status, 200);
  await isReleased(copy);
  const asked = await call(keys.admin, 'POST', '/admin/v1/erasures', { account_id: 'default', end_user: 'ada' });
  const erased = await until(
    async () => (await call(keys.admin, 'GET', `/admin/v1/erasures/${asked.data.erasure_id}`)).data,
    ({ status }) => status === 'completed',
  );
  assert.deepEqual([erased.orders, await inCopy()], [1, []]);
  assert.equal((await files(original.config.filesDirectory)).length, 1);
  assert.equal((await fetch(task.outputs[0]?.url ?? '')).status, 200);
});

test('a copy leaves alone what a killed process of its original left on this machine, held and released', async (t) => {
  const { original } = await startOriginal(t);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-original-'));
  t.after(() => rm(folder, { recursive: true }));
  const lock = join(folder, 'killed.lock');
  await writeFile(lock, '');
  const copy = await start(t, [], await copyInstallation(wholeFile, original));
  const { database } = copy;
  const { read } = database;
  const killed = () => read.first(read.builder.selectFrom('processes').selectAll().where('id', '=', 'killed'));
  await hasBeaten(copy);
  const { host, machine } = (await newestProcess(copy)) ?? assert.fail();
  await database.write('killed', (trx) => insertProcess(trx, 'killed', { host, machine, lock_path: lock }));
  await hasBeaten(copy);
  assert.equal((await killed())?.ended_at, null);
  await copy.call(copy.keys.admin, 'DELETE', '/admin/v1/hold?as=copy');
  await isReleased(copy);
  assert.equal((await killed())?.lock_path, '', 'its processes are none of the copy');
  await hasBeaten(copy);
  assert.ok(existsSync(lock), 'the original needs it to take the orders over');
});

test('an operator holds and releases by API and by command; orders and webhooks wait, and running orders end', async (t) => {
  const receiver = await startReceiver(t);
  const engine = createScriptedEngine();
  const service = await start(t, [engine]);
  const { call, keys, config } = service;
  const running = (await call(keys.live, 'POST', '/v1/images', { ...FOX, webhook_url: receiver.url })).data;
  await until(
    async () => engine.started.length,
    (count) => count === 1,
  );
  const message = 'We move to another server until 14:00.';
  const before = Date.now();
  const { since = '', ...told } = (await call(keys.admin, 'POST', '/admin/v1/hold', { message })).data;
  assert.deepEqual(told, { held: true, message, reason: 'An operator holds it.', is_copy: false });
  assert.ok(Date.parse(since) >= before && Date.parse(since) <= Date.now(), since);
  assert.deepEqual(await toldOperators(service), { ...told, since });
  const heldMetric = async () =>
    /^darkroom_held (\d)$/m.exec(String((await call(keys.admin, 'GET', '/metrics')).body))?.[1];
  assert.equal(await heldMetric(), '1');
  engine.answer = () => DONE;
  assert.equal((await service.ended(keys.live, running)).status, 'succeeded');
  const waiting = await call(keys.live, 'POST', '/v1/images', FOX);
  assert.deepEqual([waiting.status, await serviceOf(service)], [201, { held: true, message }]);
  assert.equal((await call(keys.live, 'GET', waiting.data.urls.self)).data.delayed_by, 'operator');
  assert.deepEqual((await call(null, 'GET', '/readyz')).body, { status: 'ready', service: { held: true, message } });
  assert.deepEqual([engine.started.length, receiver.received.length], [1, 0]);
  assert.equal((await call(keys.admin, 'DELETE', '/admin/v1/hold')).data.held, false);
  assert.equal(await heldMetric(), '0');
  assert.equal((await service.ended(keys.live, waiting.data)).status, 'succeeded');
  await receiver.count(1);

  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const run = (...words: string[]) => runDarkroom(words, variables, env.DARKROOM_CATALOG_DIR);
  assert.equal((await run('hold', '--message', 'Back soon.')).code, 0);
  assert.deepEqual(
    await until(
      () => serviceOf(service),
      ({ held }) => held,
    ),
    { held: true, message: 'Back soon.' },
  );
  assert.equal((await run('release')).code, 0);
  await isReleased(service);
});

test('DARKROOM_HOLD=true holds a start, whatever the database says', async (t) => {
  const engine = createScriptedEngine();
  const service = await start(t, [engine], { DARKROOM_HOLD: 'true' });
  assert.equal((await service.call(service.keys.live, 'POST', '/v1/images', FOX)).status, 201);
  assert.equal((await serviceOf(service)).held, true);
  await hasBeaten(service);
  assert.equal(engine.started.length, 0);
});

test('with DARKROOM_HOLD=true no order from before is canceled and no file removed, since the original of a copy may have sent the one and needs the other', async (t) => {
  const engine = createScriptedEngine();
  engine.answer = () => DONE;
  const original = await start(t, [engine]);
  const { call, keys, config } = original;
  const made = await original.make(keys.live, '/v1/images', FOX);
  await call(keys.admin, 'POST', '/admin/v1/hold');
  const { task_id: earlier } = (await call(keys.live, 'POST', '/v1/images', FOX)).data;
  await original.service.stop();
  const held = await startService({ ...config, hold: true }, { engines: [createScriptedEngine()], tempo });
  t.after(() => held.stop({ now: true }));
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${keys.live}`, 'content-type': 'application/json' };
    const answer = await fetch(`${held.url}/v1/images${path}`, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as Envelope<{ task_id: string; status: string }> & { error?: { code: string } };
  };
  assert.equal((await ask('POST', `/${earlier}/cancel`, {})).error?.code, 'not_cancelable');
  const { task_id: later } = (await ask('POST', '', FOX)).data;
  assert.equal((await ask('POST', `/${later}/cancel`, {})).data.status, 'canceled');
  const files = async () =>
    (await readdir(config.filesDirectory, { recursive: true })).filter((name) => name.includes(made.task_id));
  const before = await files();
  assert.equal((await ask('DELETE', `/${made.task_id}`)).data.task_id, made.task_id);
  await hasBeaten({ ...original, service: held });
  assert.deepEqual([before.length, await files()], [1, before]);
});

test('the storage of another installation is refused with the command that adopts it', async (t) => {
  const one = await start(t, []);
  await until(
    () => one.database.read.first(one.database.read.builder.selectFrom('installation').selectAll()),
    (row) => (row?.beat ?? 0) > 1,
  );
  await one.service.stop({ now: true });
  const two = await start(t, []);
  await two.service.stop({ now: true });
  const config = { ...two.config, filesDirectory: one.config.filesDirectory };
  const options = { engines: [createSwiftEngine()], tempo };
  await assert.rejects(
    startService(config, options),
    /belongs to another installation.*darkroom release --as successor/,
  );
  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  assert.equal((await runDarkroom(['release', '--as', 'successor'], variables, env.DARKROOM_CATALOG_DIR)).code, 0);
  await using _ = stopping(await startService(config, options));
  await until(
    () => two.database.read.first(two.database.read.builder.selectFrom('installation').selectAll()),
    (row) => row?.held === null,
  );
});

test('a database file that was put back while the service was stopped is held: its storage has gone on', async (t) => {
  const { original, paid } = await startOriginal(t);
  const { config, keys } = original;
  if (config.databaseUrl !== null) return t.skip('its files are no files of the service');
  await original.service.stop({ now: true });
  const copy = await mkdtemp(join(tmpdir(), 'darkroom-copy-'));
  t.after(() => rm(copy, { recursive: true }));
  for (const end of ['', '-wal']) await cp(`${config.databasePath}${end}`, join(copy, `darkroom.db${end}`));

  const options = { tempo, log: createLog('fatal') };
  const again = await startService(config, { ...options, engines: [paid, createSwiftEngine()] });
  const beat = async () => (await readInstallation(original.database.read))?.beat ?? 0;
  const before = await beat();
  await until(beat, (found) => found > before + 2);
  await again.stop({ now: true });

  const engine = createScriptedEngine();
  const rolledBack = await startService(
    { ...config, databasePath: join(copy, 'darkroom.db') },
    {
      ...options,
      engines: [engine, createSwiftEngine()],
    },
  );
  await using _ = stopping(rolledBack);
  const answer = await fetch(`${rolledBack.url}/v1/account`, { headers: { authorization: `Bearer ${keys.live}` } });
  const { data } = (await answer.json()) as { readonly data: { readonly service: { readonly held: boolean } } };
  assert.equal(data.service.held, true);
  assert.deepEqual(engine.started, [], 'no order that may have been sent since');
});

test('a storage that hangs stops neither the beats nor submissions, once its mark was read', async (t) => {
  const hang = { isOn: false };
  const engine = createScriptedEngine();
  const service = await startTestService(t, {
    env,
    service: {
      engines: [engine, createSwiftEngine()],
      tempo,
      wrapStorage: (storage) => ({
        isLocal: storage.isLocal,
        keepsVersions: () => storage.keepsVersions(),
        provesBytes: () => storage.provesBytes(),
        put: (...args) => storage.put(...args),
        stat: (key) => storage.stat(key),
        open: (...args) => (hang.isOn ? new Promise(() => {}) : storage.open(...args)),
        address: (...args) => storage.address(...args),
        remove: (key) => storage.remove(key),
        list: (prefix) => storage.list(prefix),
        check: () => storage.check(),
        close: () => storage.close(),
      }),
    },
  });
  const beatOf = async () => (await readInstallation(service.database.read))?.beat ?? 0;
  hang.isOn = true;
  const before = await beatOf();
  await until(beatOf, (beat) => beat > before + 2);
  await service.call(service.keys.live, 'POST', '/v1/images', FOX);
  await until(
    async () => engine.started.length,
    (count) => count === 1,
  );
});
