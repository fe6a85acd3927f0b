import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Storage, StorageError } from '@darkroom-service/media';
import { MachineFault } from '@darkroom-service/media/process';
import type { CommitHook } from '@darkroom-service/store';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { kindsInOrder } from '../helpers/kinds-in-order.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { readTasks } from './books.ts';
import { createPaidEngine, readSubmissions } from './paid-engine.ts';
import { paidModel } from './paid-model.ts';

const IMAGES = '/v1/images';
const tiny = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#264' } })
    .png()
    .toBuffer();

/** A service whose storage and database fail when told to, with two paid engines. */
async function startFaulty(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-faults-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const books = join(directory, 'submissions.jsonl');
  await writeFile(books, '');
  const catalog = await openCatalogOverlay(t, [
    paidModel('paid-polled'),
    paidModel('paid-blocking'),
    paidModel('painter'),
  ]);
  const faults = {
    storage: null as StorageError['kind'] | null,
    /** How often the commit of this name fails with this code of SQLite's. */
    commit: { name: '', code: 13, times: 0 },
    aheadMs: 0,
    /** Storage throws what the system throws, as when a scratch file cannot be written. */
    isRaw: false,
    met: 0,
  };
  const wrapStorage = (storage: Storage): Storage => {
    const guard = async () => {
      if (faults.storage === null) return;
      faults.met++;
      if (faults.isRaw) throw Object.assign(new Error('injected'), { code: 'ENOSPC' });
      throw new StorageError(faults.storage, 'injected');
    };
    return {
      ...storage,
      put: (key, source, options) => guard().then(() => storage.put(key, source, options)),
      open: (key, range) => guard().then(() => storage.open(key, range)),
      stat: (key) => guard().then(() => storage.stat(key)),
    };
  };
  const commitHook: CommitHook = (moment, names) => {
    const { name, code, times } = faults.commit;
    if (moment !== 'before' || times === 0 || !names.includes(name)) return;
    faults.commit.times--;
    faults.met++;
    throw Object.assign(new Error('injected'), { errcode: code });
  };
  /** May be asked any number of times, as the illustrator. */
  const painter = Object.assign(createScriptedEngine({ name: 'painter' }), { repeatable: true });
  const service = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: catalog.directory, DARKROOM_LOG_LEVEL: 'silent' },
    service: {
      clock: { now: () => Date.now() + faults.aheadMs },
      wrapStorage,
      commitHook,
      engines: [
        // Not done at the first look, however late that comes.
        createPaidEngine({ name: 'paid-polled', books, workMs: 1_000, stumbles: true }),
        createPaidEngine({ name: 'paid-blocking', books, blocking: true }),
        painter,
      ],
    },
  });
  return { service, faults, books, painter };
}

async function untilMet(faults: { met: number }, times: number): Promise<void> {
  for (let waited = 0; faults.met < times; waited += 10) {
    assert.ok(waited < 60_000, `the fault was met ${faults.met} times`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function ledgerOf({ database }: TestService): Promise<string[]> {
  const entries = await database.read.all(database.read.builder.selectFrom('ledger').select('kind'));
  return kindsInOrder(entries);
}

test('a full storage lets finished orders wait, and they succeed once there is room', async (t) => {
  const { service, faults, books } = await startFaulty(t);
  const { call, keys } = service;
  faults.storage = 'full';
  const ids: string[] = [];
  for (const model_id of ['sketch', 'paid-polled', 'paid-blocking']) {
    const body = model_id === 'sketch' ? tiny : { model_id, prompt: 'a fox' };
    ids.push((await call(keys.live, 'POST', IMAGES, body)).data.task_id);
  }
  await untilMet(faults, 3);
  for (const taskId of ids) {
    const { data } = await call(keys.live, 'GET', `${IMAGES}/${taskId}`);
    assert.deepEqual([data.status, data.cost.state], ['processing', 'held']);
  }
  faults.storage = null;
  for (const taskId of ids) {
    const { data } = await call(keys.live, 'GET', `${IMAGES}/${taskId}`, undefined, { prefer: 'wait=60' });
    assert.deepEqual([data.status, data.cost.state, data.outputs.length], ['succeeded', 'charged', 1], data.model_id);
  }
  assert.equal(readSubmissions(books).length, 2, 'neither paid order was submitted again');
});

test('an order whose result cannot be stored until its hard deadline fails as storage_error, released', async (t) => {
  const { service, faults } = await startFaulty(t);
  const { call, keys } = service;
  faults.storage = 'unavailable';
  const { data } = await call(keys.live, 'POST', IMAGES, { model_id: 'paid-polled', prompt: 'a fox' });
  await untilMet(faults, 1);
  await untilLetGo(service.database);
  faults.aheadMs = 7 * 3_600_000;
  const headers = { prefer: 'wait=60' };
  const ended = await call(keys.live, 'GET', `${IMAGES}/${data.task_id}`, undefined, headers);
  const { status, error, cost } = ended.data;
  assert.deepEqual([status, error?.code, cost.state], ['failed', 'storage_error', 'released']);
});

test('an order waits while a full disk prevents it, however often it is tried, and then succeeds', async (t) => {
  const { service, faults, painter } = await startFaulty(t);
  const { call, keys } = service;
  const tries = 5;
  painter.answer = async () => {
    if (faults.met++ < tries) throw new MachineFault('ENOSPC', 'the painter cannot work');
    const outputs = [{ source: { data: await picture() }, seed: null, revisedPrompt: null, tiles: null }];
    return { status: 'succeeded', delivery: { outputs } };
  };
  const { data } = await call(keys.live, 'POST', IMAGES, { model_id: 'painter', prompt: 'a fox' });
  for (let met = 1; met <= tries; met++) {
    await untilMet(faults, met);
    await untilLetGo(service.database);
    faults.aheadMs += 61_000;
  }
  const ended = await call(keys.live, 'GET', `${IMAGES}/${data.task_id}`, undefined, { prefer: 'wait=60' });
  assert.deepEqual([ended.data.status, ended.data.error], ['succeeded', null]);
});

test('a paid result waits while the disk is full, wherever that happens on its way into storage', async (t) => {
  const { service, faults, books } = await startFaulty(t);
  const { call, keys } = service;
  faults.isRaw = true;
  faults.storage = 'full';
  const { data } = await call(keys.live, 'POST', IMAGES, { model_id: 'paid-blocking', prompt: 'a fox' });
  await untilMet(faults, 2);
  faults.storage = null;
  const ended = await call(keys.live, 'GET', `${IMAGES}/${data.task_id}`, undefined, { prefer: 'wait=60' });
  assert.deepEqual([ended.data.status, ended.data.error], ['succeeded', null]);
  assert.equal(readSubmissions(books).length, 1);
});

test('a full storage refuses uploads and data URIs as storage_full, and nothing is held or left behind', async (t) => {
  const { service, faults } = await startFaulty(t);
  const { call, keys, url, config } = service;
  const bytes = await picture();
  const upload = async () => {
    const response = await fetch(`${url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.live}`, 'content-type': 'image/png' },
      body: new Uint8Array(bytes),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
  const body = { ...tiny, image_urls: [`data:image/png;base64,${bytes.toString('base64')}`] };
  for (const [kind, code] of [
    ['full', 'storage_full'],
    ['unavailable', 'service_unavailable'],
  ] as const) {
    faults.storage = kind;
    const refused = await upload();
    assert.deepEqual([refused.status, refused.body.error.code], [503, code]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(refused.body.error.retryable, true);
    const order = await call(keys.live, 'POST', IMAGES, body);
    assert.deepEqual([order.status, order.error.code], [503, code]);
  }
  assert.deepEqual(await ledgerOf(service), []);
  assert.deepEqual(await readTasks(service.database), []);
  const [own = ''] = await readdir(join(config.dataDirectory, 'tmp'));
  assert.deepEqual(await readdir(join(config.dataDirectory, 'tmp', own)), []);
  faults.storage = null;
  assert.equal((await upload()).status, 201);
  assert.equal((await call(keys.live, 'POST', IMAGES, body)).status, 201);
});

test('a file that storage cannot deliver now is answered 503 and may be requested again', async (t) => {
  const { service, faults } = await startFaulty(t);
  const task = await service.make(service.keys.live, IMAGES, tiny);
  faults.storage = 'unavailable';
  for (const address of [task.outputs[0].url, task.outputs[0].content_url]) {
    const answer = await service.call(service.keys.live, 'GET', address);
    assert.deepEqual([answer.status, answer.error.code], [503, 'service_unavailable']);
  }
  faults.storage = null;
  assert.equal((await fetch(task.outputs[0].url)).status, 200);
});

test('an order that the database cannot store is refused and leaves nothing', async (t) => {
  const { service, faults } = await startFaulty(t);
  const { call, keys } = service;
  const headers = { 'idempotency-key': 'one' };
  for (const [code, expected] of [
    [13, 'storage_full'],
    [10, 'service_unavailable'],
  ] as const) {
    faults.commit = { name: 'create_task', code, times: 1 };
    const refused = await call(keys.live, 'POST', IMAGES, tiny, headers);
    assert.deepEqual([refused.status, refused.error.code, refused.error.retryable], [503, expected, true]);
    assert.deepEqual(await ledgerOf(service), []);
  }
  const taken = await call(keys.live, 'POST', IMAGES, tiny, { ...headers, prefer: 'wait=60' });
  assert.deepEqual([taken.status, taken.data.status], [201, 'succeeded']);
  assert.deepEqual(await ledgerOf(service), ['hold', 'release', 'charge']);
});

test('whichever commit of an order fails, it is submitted once, settled once and delivered', async (t) => {
  const { service, faults, books } = await startFaulty(t);
  const { call, keys } = service;
  const always = ['claim_tasks', 'submitting', 'settle_succeeded'];
  const points = {
    sketch: [...always, 'running'],
    'paid-polled': [...always, 'running', 'note_progress', 'let_go'],
    'paid-blocking': always,
  };
  const ordered: { readonly taskId: string; readonly what: string }[] = [];
  for (const [model_id, names] of Object.entries(points)) {
    for (const name of names) {
      faults.commit = { name, code: 10, times: 1 };
      const body = model_id === 'sketch' ? tiny : { model_id, prompt: 'a fox' };
      const { data } = await call(keys.live, 'POST', IMAGES, body);
      ordered.push({ taskId: data.task_id, what: `${model_id} ${name}` });
      await untilMet(faults, ordered.length);
    }
  }
  ordered.sort((one, other) => Number(one.what.includes('let_go')) - Number(other.what.includes('let_go')));
  for (const { taskId, what } of ordered) {
    // A claim that could not be let go ends by itself.
    if (what.includes('let_go')) faults.aheadMs += 16_000;
    const { data } = await call(keys.live, 'GET', `${IMAGES}/${taskId}`, undefined, { prefer: 'wait=60' });
    assert.deepEqual([data.status, data.error], ['succeeded', null], what);
  }
  const tasks = await readTasks(service.database);
  assert.equal(tasks.length, ordered.length);
  assert.equal((await ledgerOf(service)).length, ordered.length * 3);
  assert.equal(readSubmissions(books).length, points['paid-polled'].length + points['paid-blocking'].length);
});
