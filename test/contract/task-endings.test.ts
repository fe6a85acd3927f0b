import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { test } from 'node:test';
import { TASK_FAILURE_CODES } from '@darkroom-service/contract';
import { EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** How tasks end: every failure, both deadlines, and what comes too late (contract §6). */

const HOUR = 3_600_000;
const clock = new ManualClock();
const engine = createScriptedEngine();
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { clock, engines: [engine, createSwiftEngine({}, clock)] },
});
const { call, keys, make } = service;

const ORDER = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' };
const SCRIPTED = { model_id: 'scripted', prompt: 'a red fox' };
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
const DELIVERED = {
  status: 'succeeded',
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: 'a fox that is red', tiles: null }] },
} as const;

const read = async (key: string, task: TaskAnswer) => (await call(key, 'GET', task.urls.self)).data;
/**
 * Moves the clock and has the service look what is due, which it does by itself once a second and with every new order.
 */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'timeout' } });
}

/** @param stepMs how far the clock goes on at each look, where the service waits for it. */
const reached = (key: string, task: TaskAnswer, status: string, stepMs = 0) =>
  until(
    async () => {
      if (stepMs > 0) await advance(stepMs);
      return await read(key, task);
    },
    (now) => now.status === status,
  );
/** Until the worker has looked at what was due before, and is done with it. */
async function untilAtRest(): Promise<void> {
  // It checks what is due before it takes a new order.
  const body = { ...ORDER, simulate: { outcome: 'timeout' } };
  assert.equal((await call(keys.test, 'POST', '/v1/images', body, { prefer: 'wait=60' })).data.status, 'failed');
  await until(
    async () => String((await call(keys.admin, 'GET', '/metrics')).body),
    (metrics) => metrics.includes('\ndarkroom_tasks_held 0\n'),
  );
}
const reconciliation = async (query = '') =>
  (await call(keys.admin, 'GET', `/admin/v1/reconciliation?mode=all${query}`)).data.items;
const ledgerOf = async (key: string, taskId: string) =>
  (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items
    .filter((entry) => entry.task_id === taskId)
    .map((entry) => [entry?.kind, entry.amount])
    .reverse();

function assertFailed(task: TaskAnswer, code: string): void {
  assert.deepEqual(Object.keys(task.error), ['code', 'message', 'retry', 'charged'], task.error?.message);
  assert.deepEqual([task.status, task.error.code, task.error.charged], ['failed', code, false]);
  assert.equal(task.error.retry, /content_policy|invalid_input/.test(code) ? 'never' : 'new_order');
  assert.ok(task.error.message.length > 10);
  assert.deepEqual([task.cost.state, task.cost.amount], ['released', '0.00']);
  assert.ok(task.completed_at !== null && task.outputs.length === 0 && !task.can_cancel);
}

for (const [outcome, code] of [
  ['content_policy', 'content_policy'],
  ['upstream_error', 'upstream_error'],
  ['timeout', 'timeout'],
  ['outcome_unknown', 'outcome_unknown'],
  ['late', 'timeout'],
] as const) {
  test(`an order that simulates ${outcome} fails as ${code}, released and not charged`, async () => {
    const task = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome } });
    assertFailed(task, code);
    assert.equal(task.cost.quoted, '0.005', 'what was quoted never changes');
    assert.deepEqual(await ledgerOf(keys.test, task.task_id), [
      ['hold', '-0.005'],
      ['release', '0.005'],
    ]);
  });
}

test('an order that simulates success after some seconds waits that long, and costs what was held', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 60 } });
  await reached(keys.test, data, 'processing');
  await untilAtRest();
  await advance(59_000);
  await untilAtRest();
  assert.equal((await read(keys.test, data)).status, 'processing');
  await advance(1_000);
  const task = await reached(keys.test, data, 'succeeded');
  assert.deepEqual([task.cost.state, task.cost.amount], ['charged', '0.005']);
  assert.equal(Date.parse(task.completed_at) - Date.parse(task.created_at), 60_000);
  assert.deepEqual(await ledgerOf(keys.test, task.task_id), [
    ['hold', '-0.005'],
    ['release', '0.005'],
    ['charge', '-0.005'],
  ]);
});

test('the header Darkroom-Simulate says the same as the field', async () => {
  const header = { 'darkroom-simulate': 'outcome=upstream_error; seconds=0', prefer: 'wait=60' };
  assertFailed((await call(keys.test, 'POST', '/v1/images', ORDER, header)).data, 'upstream_error');
});

test('the reason of an upstream reaches the customer under the code of its class', async () => {
  const classes: Record<EngineErrorClass, string> = {
    invalid_input: 'invalid_input',
    content_policy: 'content_policy',
    auth: 'upstream_auth',
    billing: 'upstream_billing',
    rate_limited: 'upstream_error',
    busy: 'upstream_error',
    upstream: 'upstream_error',
    timeout: 'timeout',
  };
  for (const kind of ['invalid_input', 'content_policy', 'auth', 'billing'] as const) {
    engine.onStart = () => {
      throw new EngineError(kind, `the studio says no to ${kind}`, { took: 'no' });
    };
    const task = await make(keys.live, '/v1/images', SCRIPTED);
    assertFailed(task, classes[kind]);
    const reason = `the studio says no to ${kind}`;
    const isOperators = kind === 'auth' || kind === 'billing';
    const words = 'The service cannot reach this model now. Nothing was charged. The upstream said: ';
    assert.equal(task.error.message, isOperators ? `${words}${reason}` : reason);
    const { data: seen } = await call(keys.admin, 'GET', `/admin/v1/tasks/${task.task_id}`);
    assert.equal((seen.error as { message: string }).message, reason, 'the operator reads the words of the upstream');
    await call(keys.admin, 'POST', '/admin/v1/engines/scripted/circuit/close');
  }
  engine.onStart = () => {};
});

test('an order that may or may not have arrived is sent once, fails as outcome_unknown, and is listed for the operator', async () => {
  engine.onStart = () => {
    throw new EngineError('timeout', 'no answer within 30 s', { took: 'unknown' });
  };
  const before = engine.started.length;
  const task = await make(keys.live, '/v1/images', SCRIPTED);
  engine.onStart = () => {};
  assertFailed(task, 'outcome_unknown');
  assert.equal(engine.started.length, before + 1);
  const entry = (await reconciliation()).find((one) => one.task_id === task.task_id);
  assert.equal(entry?.kind, 'outcome_unknown');
  assert.equal(entry?.detail.engine, 'scripted');
});

test('an order that a busy upstream refused is offered again, once it may be', async () => {
  // The order that was lost before has opened it.
  await call(keys.admin, 'POST', '/admin/v1/engines/scripted/circuit/close');
  const before = engine.started.length;
  engine.onStart = () => {
    if (engine.started.length === before + 1)
      throw new EngineError('busy', 'too many at once', { took: 'no', retryAfterMs: 200 });
  };
  engine.answer = () => DELIVERED;
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  const task = await reached(keys.live, data, 'succeeded', 100);
  assert.equal(engine.started.length, before + 2);
  assert.equal(task.outputs[0].revised_prompt, 'a fox that is red');
  engine.onStart = () => {};
});

test('a stuck order is checked until the hard deadline, then it fails as a timeout', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'stuck' } });
  await reached(keys.test, data, 'processing');
  await untilAtRest();
  await advance(6 * HOUR - 10_000);
  await untilAtRest();
  const late = await read(keys.test, data);
  assert.deepEqual([late.status, late.cost.state], ['processing', 'held']);
  assert.ok(late.progress <= 50);
  await advance(10_000);
  const task = await reached(keys.test, data, 'failed');
  assertFailed(task, 'timeout');
  assert.ok(task.completed_at >= task.deadline_at);
  assert.match(task.error.message, /6 hours/);
});

test('an order that still waits at its hard deadline fails as a timeout without having been started', async () => {
  const { key } = await service.issueKey({ mode: 'live', concurrency: 1 });
  engine.answer = () => ({ status: 'pending', checkAfterMs: 1_000 });
  const first = (await call(key, 'POST', '/v1/images', SCRIPTED)).data;
  await reached(key, first, 'processing');
  await advance(1);
  const second = (await call(key, 'POST', '/v1/images', SCRIPTED)).data;
  const started = engine.started.length;
  assert.equal(second.status, 'queued');
  await advance(6 * HOUR);
  assertFailed(await reached(key, first, 'failed', 100), 'timeout');
  assertFailed(await reached(key, second, 'failed', 100), 'timeout');
  assert.equal(engine.started.length, started);
});

test('after the soft deadline a task stays processing and is checked less often; a later result is a normal success', async () => {
  engine.answer = () => ({ status: 'pending', checkAfterMs: 1_000 });
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await reached(keys.live, data, 'processing');
  const checks = () => engine.checked.filter((taskId) => taskId === data.task_id).length;
  const isCheckedAfter = async (ms: number) => {
    const before = checks();
    await advance(ms);
    await until(checks, (count) => count > before);
    await untilAtRest();
  };
  await until(checks, (count) => count > 0);
  await untilAtRest();
  await isCheckedAfter(2_000);
  await isCheckedAfter(11 * 60_000);
  const silent = checks();
  await advance(30_000);
  // An order that was placed later has been made: the worker had its turns meanwhile.
  await make(keys.test, '/v1/images', { ...ORDER, simulate: { seconds: 0 } });
  assert.equal(checks(), silent, 'not after half a minute');
  await isCheckedAfter(31_000);
  assert.equal((await read(keys.live, data)).status, 'processing');
  engine.answer = () => DELIVERED;
  const task = await reached(keys.live, data, 'succeeded', 10_000);
  assert.equal(task.cost.state, 'charged');
});

test('the soft deadline moves while progress moves', async () => {
  let progress = 10;
  engine.answer = () => ({ status: 'pending', progress, checkAfterMs: 1_000 });
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await reached(keys.live, data, 'processing');
  const checks = () => engine.checked.filter((taskId) => taskId === data.task_id).length;
  const checkedAgain = async () => {
    const before = checks();
    await until(
      async () => {
        await advance(100);
        return checks();
      },
      (count) => count > before,
    );
    await untilAtRest();
  };
  await until(checks, (count) => count > 0);
  await untilAtRest();
  for (progress = 20; progress <= 50; progress += 10) {
    await advance(9 * 60_000);
    await checkedAgain();
  }
  assert.equal((await reached(keys.live, data, 'processing')).progress, 50);
  const begun = clock.now();
  await checkedAgain();
  await checkedAgain();
  assert.ok(clock.now() - begun < 30_000, 'it is asked as often as before');
  engine.answer = () => DELIVERED;
  await reached(keys.live, data, 'succeeded', 500);
});

test('a late result changes neither status nor money and is reported to the operator', async () => {
  const task = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'late' } });
  const entry = await until(
    async () => (await reconciliation()).find((one) => one.task_id === task.task_id),
    (found) => found !== undefined,
  );
  assert.deepEqual(Object.keys(entry ?? {}), [
    'reconciliation_id',
    'task_id',
    'kind',
    'mode',
    'account_id',
    'account_name',
    'key_id',
    'key_name',
    'model_id',
    'engine',
    'price',
    'ordered_at',
    'called_at',
    'detail',
    'created_at',
    'resolved_at',
    'resolution',
  ]);
  assert.deepEqual([entry?.kind, entry?.resolved_at, entry?.resolution], ['late_result', null, null]);
  const { revision, status, cost, outputs } = await read(keys.test, task);
  assert.deepEqual([status, cost.state, cost.amount, outputs], ['failed', 'released', '0.00', []]);
  assert.equal(revision, task.revision, 'final is final');
  assert.equal((await ledgerOf(keys.test, task.task_id)).length, 2);
});

test('a result that an upstream finishes after the hard deadline is reported to the operator', async () => {
  engine.answer = () => ({ status: 'pending', checkAfterMs: 1_000 });
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await reached(keys.live, data, 'processing');
  await advance(6 * HOUR);
  assertFailed(await reached(keys.live, data, 'failed', 100), 'timeout');
  const ended = await read(keys.live, data);
  const isListed = async () => (await reconciliation()).some((one) => one.task_id === data.task_id);
  const checks = () => engine.checked.filter((taskId) => taskId === data.task_id).length;
  const asked = checks();
  await advance(61_000);
  await until(checks, (count) => count > asked);
  await untilAtRest();
  assert.equal(await isListed(), false, 'it has not come yet');
  engine.answer = () => DELIVERED;
  await advance(2 * HOUR);
  await until(isListed, (listed) => listed);
  // Signed addresses are renewed as time passes.
  const lasting = ({ queue_position: _, urls: __, ...task }: Partial<TaskAnswer>) => task;
  assert.deepEqual(lasting(await read(keys.live, data)), lasting(ended), 'final is final');
  assert.equal((await ledgerOf(keys.live, data.task_id)).length, 2);
});

test('an order that is deleted while a late result is possible is listed for the operator', async () => {
  engine.answer = () => ({ status: 'pending', checkAfterMs: 1_000 });
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await reached(keys.live, data, 'processing');
  await advance(6 * HOUR);
  await reached(keys.live, data, 'failed', 100);
  assert.equal((await call(keys.live, 'DELETE', data.urls.self)).status, 200);
  await advance(61_000);
  const entry = await until(
    async () => (await reconciliation()).find((one) => one.task_id === data.task_id),
    (found) => found !== undefined,
  );
  assert.deepEqual([entry?.kind, entry?.detail.engine], ['late_result', 'scripted']);
  assert.match(entry?.detail.message ?? '', /erased/);
});

test('the operator resolves an unknown outcome with a note, and that moves no money', async () => {
  const task = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'outcome_unknown' } });
  const find = <Entry extends { readonly task_id: string }>(items: readonly Entry[]) =>
    items.find((one) => one.task_id === task.task_id);
  const { reconciliation_id: id } = find(await reconciliation())!;
  const resolve = (body: object) => call(keys.admin, 'POST', `/admin/v1/reconciliation/${id}/resolve`, body);
  assert.equal((await resolve({})).status, 400);
  const { status, data } = await resolve({ resolution: 'not on the bill of that day' });
  assert.deepEqual([status, data.resolution], [200, 'not on the bill of that day']);
  assert.ok(data.resolved_at);
  assert.equal(find(await reconciliation()), undefined);
  assert.ok(find(await reconciliation('&resolved=true')));
  assert.equal((await ledgerOf(keys.test, task.task_id)).length, 2);
  const act = (await call(keys.admin, 'GET', '/admin/v1/audit?limit=1')).data.items[0];
  assert.deepEqual([act.act, act.target], ['reconciliation.resolve', id]);
});

test('a task succeeds only when its output is in our own storage, and is not charged if that finally fails', async () => {
  const { filesDirectory: files } = service.config;
  engine.answer = () => DELIVERED;
  const away = `${files}-away`;
  await rename(files, away);
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await until(
    () => engine.checked.includes(data.task_id),
    (asked) => asked,
  );
  await untilAtRest();
  const waiting = await read(keys.live, data);
  assert.deepEqual([waiting.status, waiting.cost.state], ['processing', 'held']);
  await advance(6 * HOUR);
  const task = await reached(keys.live, data, 'failed', 1_000);
  await rename(away, files);
  assertFailed(task, 'storage_error');
});

test('a result that is no picture fails the task as upstream_error', async () => {
  const data = Buffer.from('<html>busy</html>');
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }] },
  });
  assertFailed(await make(keys.live, '/v1/images', SCRIPTED), 'upstream_error');
});

test('the failure codes are those of the contract, and of chains', () => {
  assert.deepEqual([...TASK_FAILURE_CODES].sort(), [
    'content_policy',
    'invalid_input',
    'outcome_unknown',
    'parent_failed',
    'storage_error',
    'timeout',
    'upstream_auth',
    'upstream_billing',
    'upstream_error',
  ]);
});
