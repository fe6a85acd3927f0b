import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checked, Order } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { startAwakeTime } from '../helpers/awake-time.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Canceling in every state, on engines that can stop and on one that cannot, and deleting (contract §6). */

const wishes = new Set<string>();
const patient = createScriptedEngine({
  name: 'patient',
  async cancel(_operation: unknown, order: Order) {
    wishes.add(order.taskId);
    return true;
  },
});
const stubborn = createScriptedEngine({ name: 'stubborn' });
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'patient', routes: [{ engine: 'patient' }] }),
  plainEntry({ model_id: 'stubborn', routes: [{ engine: 'stubborn' }] }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [patient, stubborn] },
});
const { call, keys, make } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
const DELIVERED: Checked = {
  status: 'succeeded',
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
};

const create = async (body: object, key = keys.test) => (await call(key, 'POST', '/v1/images', body)).data;
const read = async (task: TaskAnswer, key = keys.test) => (await call(key, 'GET', task.urls.self)).data;
const cancel = (task: TaskAnswer, key = keys.test) => call(key, 'POST', task.urls.cancel);
const reached = (task: TaskAnswer, status: string, key = keys.test) =>
  until(
    () => read(task, key),
    (now) => now.status === status,
  );

function assertCanceled(task: TaskAnswer): void {
  const { status, can_cancel, completed_at, outputs, error, cost } = task;
  assert.deepEqual([status, can_cancel, outputs, error], ['canceled', false, [], null]);
  assert.deepEqual([cost.state, cost.amount], ['released', '0.00']);
  assert.ok(completed_at);
}

test('a queued task is canceled at once and released', async () => {
  const { key } = await service.issueKey({ mode: 'test', concurrency: 1 });
  const stuck = { ...ORDER, simulate: { outcome: 'stuck' } };
  await reached(await create(stuck, key), 'processing', key);
  const waiting = await create(stuck, key);
  assert.deepEqual([waiting.status, waiting.can_cancel], ['queued', true]);
  const answer = await cancel(waiting, key);
  assert.equal(answer.status, 200);
  assertCanceled(answer.data);
  assert.equal(answer.data.started_at, null);
  assertCanceled((await cancel(waiting, key)).data);
});

test('a task whose engine supports cancel shows the request and ends canceled and released', async () => {
  patient.answer = ({ taskId }) =>
    wishes.has(taskId) ? { status: 'canceled' } : { status: 'pending', checkAfterMs: 50 };
  for (const [task, key] of [
    [await create({ ...ORDER, simulate: { outcome: 'stuck' } }), keys.test],
    [await create({ model_id: 'patient', prompt: 'a fox' }, keys.live), keys.live],
  ] as const) {
    assert.equal((await reached(task, 'processing', key)).can_cancel, true);
    const { status, data } = await cancel(task, key);
    assert.equal(status, 200);
    assert.ok(data.cancel_requested_at !== null);
    assertCanceled(await reached(task, 'canceled', key));
    const again = await cancel(task, key);
    assert.deepEqual([again.status, again.data.status], [200, 'canceled'], 'repeating it is no fault');
  }
});

test('a task canceled too late succeeds and is charged', async () => {
  patient.answer = ({ taskId }) => (wishes.has(taskId) ? DELIVERED : { status: 'pending', checkAfterMs: 50 });
  const task = await create({ model_id: 'patient', prompt: 'a fox' }, keys.live);
  await reached(task, 'processing', keys.live);
  assert.equal((await cancel(task, keys.live)).status, 200);
  const done = await reached(task, 'succeeded', keys.live);
  assert.deepEqual([done.cost.state, done.cost.amount], ['charged', '0.01']);
  assert.ok(done.cancel_requested_at, 'the wish stays on record');
});

test('a repeated cancel changes nothing', async () => {
  patient.answer = () => ({ status: 'pending', checkAfterMs: 50 });
  const task = await create({ model_id: 'patient', prompt: 'a fox' }, keys.live);
  await reached(task, 'processing', keys.live);
  const [first, second] = [await cancel(task, keys.live), await cancel(task, keys.live)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(second.data.cancel_requested_at, first.data.cancel_requested_at);
  patient.answer = () => ({ status: 'canceled' });
  await reached(task, 'canceled', keys.live);
});

test('a cancel that arrives during a check does not wait for the next check', async () => {
  const asked = new Set<string>();
  patient.answer = async ({ taskId }) => {
    if (asked.has(taskId)) return { status: 'canceled' };
    asked.add(taskId);
    await call(keys.live, 'POST', `/v1/images/${taskId}/cancel`);
    return { status: 'pending', checkAfterMs: 15_000 };
  };
  const awakeMs = startAwakeTime();
  const task = await create({ model_id: 'patient', prompt: 'a fox' }, keys.live);
  assertCanceled(await reached(task, 'canceled', keys.live));
  assert.ok(awakeMs() < 5_000, `${awakeMs()} ms`);
});

test('a task whose engine cannot cancel says so beforehand, refuses the cancel, and runs on', async () => {
  stubborn.answer = () => ({ status: 'pending', checkAfterMs: 50 });
  const task = await create({ model_id: 'stubborn', prompt: 'a fox' }, keys.live);
  assert.equal((await reached(task, 'processing', keys.live)).can_cancel, false);
  const { status, error } = await cancel(task, keys.live);
  assert.deepEqual([status, error.code], [409, 'not_cancelable']);
  assert.equal((await read(task, keys.live)).cancel_requested_at, null);
  stubborn.answer = () => DELIVERED;
  assert.equal((await reached(task, 'succeeded', keys.live)).cost.state, 'charged');
});

test('a succeeded or failed task cannot be canceled any more', async () => {
  for (const outcome of ['succeeded', 'timeout']) {
    const task = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome } });
    const { status, error } = await cancel(task);
    assert.deepEqual([status, error.code], [409, 'not_cancelable'], outcome);
    assert.equal((await read(task)).revision, task.revision);
  }
});

test('a cancel takes no body, an empty one or {}, and no fields', async () => {
  const task = await create({ ...ORDER, simulate: { outcome: 'stuck' } });
  const refused = await call(keys.test, 'POST', task.urls.cancel, { reason: 'x' });
  assert.deepEqual([refused.status, refused.error.code], [400, 'unsupported_field']);
  for (const body of [{}, undefined]) assert.equal((await call(keys.test, 'POST', task.urls.cancel, body)).status, 200);
  const json = { 'content-type': 'application/json' };
  assert.equal((await call(keys.test, 'POST', task.urls.cancel, undefined, json)).status, 200);
});

test('a film is canceled under its own address', async () => {
  const order = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const film = (await call(keys.test, 'POST', '/v1/videos', order)).data;
  const wrong = await call(keys.test, 'POST', `/v1/images/${film.task_id}/cancel`);
  assert.deepEqual([wrong.status, wrong.error.code], [404, 'task_not_found']);
  assert.equal((await cancel(film)).status, 200);
  assertCanceled(await reached(film, 'canceled'));
});

test('a film that is being painted stops', async () => {
  const order = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '720p', duration: 20 };
  const film = (await call(keys.test, 'POST', '/v1/videos', order)).data;
  await reached(film, 'processing');
  assert.equal((await cancel(film)).status, 200);
  assertCanceled(await reached(film, 'canceled'));
});

test('only what is final can be deleted', async () => {
  const task = await create({ ...ORDER, simulate: { outcome: 'stuck' } });
  for (const status of ['processing', 'processing']) {
    await reached(task, status);
    const { status: refused, error } = await call(keys.test, 'DELETE', task.urls.self);
    assert.deepEqual([refused, error.code, error.retryable], [409, 'not_final', true]);
  }
  await cancel(task);
  await reached(task, 'canceled');
  assert.equal((await call(keys.test, 'DELETE', task.urls.self)).status, 200);
});

test('a deletion erases outputs, inputs and prompt; ids, times, money and the ledger stay with the operator', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const task = await make(key, '/v1/images', { ...ORDER, prompt: 'a curious fox', end_user: 'lou' });
  const [{ url, thumbnail_url, content_url }] = task.outputs;
  const { status, data } = await call(key, 'DELETE', task.urls.self);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(data), ['task_id', 'deleted_at']);
  assert.equal(data.task_id, task.task_id);
  for (const [method, path] of [
    ['GET', task.urls.self],
    ['DELETE', task.urls.self],
    ['POST', task.urls.cancel],
    ['GET', content_url],
  ] as const) {
    const answer = await call(key, method, path);
    assert.deepEqual([answer.status, answer.error.code], [404, 'task_not_found'], `${method} ${path}`);
  }
  for (const address of [url, thumbnail_url]) {
    const answer = await call(null, 'GET', address);
    assert.deepEqual([answer.status, answer.error.code], [410, 'outputs_expired']);
  }
  assert.deepEqual((await call(key, 'GET', '/v1/images')).data.items, []);
  const { items } = (await call(key, 'GET', '/v1/account/ledger')).data;
  assert.deepEqual(
    items.map((entry) => [entry.kind, entry.task_id]),
    ['charge', 'release', 'hold'].map((kind) => [kind, task.task_id]),
  );
  assert.equal((await call(key, 'GET', '/v1/account/usage')).data.items[0].charged, '0.005');
  const kept = await call(keys.admin, 'GET', `/admin/v1/tasks/${task.task_id}`);
  assert.deepEqual(
    [kept.data.key_id, kept.data.status, kept.data.charged, kept.data.deleted_at],
    [keyId, 'succeeded', '0.005', data.deleted_at],
  );
  const row = await service.database.read.first(
    service.database.read.builder.selectFrom('tasks').selectAll().where('id', '=', task.task_id),
  );
  // No id has these letters.
  assert.doesNotMatch(JSON.stringify(row), /curious|lou/);
});

test('a deletion with `after` hides the task and its files at once, can be taken back, and a plain one does not wait', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const task = await make(key, '/v1/images', { ...ORDER, prompt: 'a fox to restore' });
  await call(key, 'PUT', `${task.urls.self}/tags`, { tags: ['hero'] });
  const [{ url }] = task.outputs;
  for (const after of ['0', '86401', '1.5', 'soon']) {
    const { status, error } = await call(key, 'DELETE', `${task.urls.self}?after=${after}`);
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'after']);
  }
  const { status, data } = await call(key, 'DELETE', `${task.urls.self}?after=600`);
  assert.equal(status, 200);
  assert.equal(Date.parse(data.delete_at ?? '') - Date.parse(data.deleted_at), 600_000);
  assert.deepEqual((await call(key, 'DELETE', `${task.urls.self}?after=9`)).data, data, 'a repetition');
  assert.equal((await call(key, 'GET', task.urls.self)).status, 404);
  assert.equal((await call(null, 'GET', url)).status, 410);
  assert.deepEqual((await call(key, 'GET', '/v1/images?tag=hero')).data.items, []);
  assert.deepEqual((await call(key, 'GET', '/v1/images?search=restore')).data.items, []);
  for (const _ of ['restored', 'repeated']) {
    const restored = await call(key, 'POST', `${task.urls.self}/restore`);
    assert.deepEqual([restored.status, restored.data.outputs.length], [200, 1]);
  }
  assert.equal((await call(null, 'GET', url)).status, 200);
  assert.equal((await call(key, 'GET', '/v1/images?tag=hero')).data.items[0].task_id, task.task_id);
  await call(key, 'DELETE', `${task.urls.self}?after=600`);
  assert.equal('delete_at' in (await call(key, 'DELETE', task.urls.self)).data, false);
  assert.equal((await call(key, 'POST', `${task.urls.self}/restore`)).status, 404);
});

test('a deleted parent cannot be acted on', async () => {
  const parent = await make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  await call(keys.test, 'DELETE', parent.urls.self);
  const body = { parent_task_id: parent.task_id, action: 'upscale', index: 1 };
  const { status, error } = await call(keys.test, 'POST', '/v1/images/actions', body);
  assert.deepEqual([status, error.code, error.param], [409, 'parent_not_usable', 'parent_task_id']);
  assert.match(error.message, /it was deleted/);
});
