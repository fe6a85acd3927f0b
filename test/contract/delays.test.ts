import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_INSTANCE, EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Why an order waits that no upstream has yet: what the order itself tells its customer. */

const SECOND = 1_000;
const clock = new ManualClock();
/** An instance whose name only operators may see. */
const engine = Object.assign(createScriptedEngine({ name: 'secret-pool', concurrency: 1 }), {
  instance: { ...DEFAULT_INSTANCE, kind: 'painter' },
});
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'painted', routes: [{ engine: 'painter' }] }),
]);
const { call, keys, issueKey } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: {
    clock,
    engines: [engine],
    tempo: { addedEveryMs: 10, lease: { ms: 3_600 * SECOND, renewEveryMs: 5 * SECOND } },
  },
});

const at = (ms: number) => new Date(ms).toISOString();
const order = async (body: object = {}, key = keys.live): Promise<TaskAnswer> => {
  const { data, error } = await call(key, 'POST', '/v1/images', { model_id: 'painted', prompt: 'a fox', ...body });
  assert.equal(error, undefined, JSON.stringify(error));
  return data;
};
const read = async (task: TaskAnswer, key = keys.live): Promise<TaskAnswer> =>
  (await call(key, 'GET', task.urls.self)).data;
const untilDelayed = (task: TaskAnswer, code: string | undefined, key = keys.live) =>
  until(
    () => read(task, key),
    ({ delay }) => delay?.code === code,
  );
const operate = async (method: string, path: string, body: object = {}) => {
  const { status, error } = await call(keys.admin, method, `/admin/v1${path}`, method === 'DELETE' ? undefined : body);
  assert.ok(status < 300, JSON.stringify(error));
};
const end = async (task: TaskAnswer) => {
  await call(keys.live, 'POST', task.urls.cancel);
  engine.answer = () => ({ status: 'failed', error: { code: 'content_policy', message: 'no' } });
  await until(
    () => read(task),
    ({ completed_at }) => completed_at !== null,
  );
  engine.answer = () => ({ status: 'pending', checkAfterMs: 50 });
};

test('an order that begins at once tells no delay', async () => {
  const task = await order();
  const begun = await until(
    () => read(task),
    ({ status }) => status === 'processing',
  );
  assert.deepEqual([begun.delay, begun.delayed_by], [undefined, undefined]);
  await end(task);
});

test('a held, a paused model and a paused upstream are told with their beginning, the remedy, and no instance', async () => {
  const cases: readonly { code: string; on: string; off: [string, string]; upstream: string | null }[] = [
    { code: 'held', on: '/hold', off: ['DELETE', '/hold'], upstream: null },
    {
      code: 'model_paused',
      on: '/models/painted/pause',
      off: ['POST', '/models/painted/resume'],
      upstream: null,
    },
    {
      code: 'upstream_paused',
      on: '/engines/secret-pool/pause',
      off: ['POST', '/engines/secret-pool/resume'],
      upstream: 'painter',
    },
  ];
  for (const { code, on, off, upstream } of cases) {
    const blocking = await order();
    const task = await order();
    const before = clock.now();
    await operate('POST', on);
    const { delay, delayed_by } = await untilDelayed(task, code);
    assert.ok(delay !== undefined);
    assert.deepEqual([delayed_by, delay.upstream, delay.retry_at], ['operator', upstream, null], code);
    assert.ok(code === 'held' || delay.since === at(before), `${code}: ${delay.since}`);
    assert.match(`${delay.message} It goes on when ${delay.ends_when}.`, /operator .*It goes on when the operator /);
    assert.doesNotMatch(JSON.stringify(delay), /secret-pool/);
    await operate(...off);
    await until(
      () => read(task),
      (found) => found.delay?.code !== code,
    );
    await end(blocking);
    await end(task);
  }
});

test('an upstream that fails is told with its beginning and the next try, and the delay ends with the fault', async () => {
  let isWell = false;
  const probe = async () => ({ ok: isWell, message: isWell ? 'well' : 'secret-pool: 503 of pool-7.internal' });
  Object.assign(engine, { probe });
  engine.onStart = () => {
    throw new EngineError('upstream', 'secret-pool: line cut', { took: 'unknown' });
  };
  const lost = await order();
  await until(
    () => read(lost),
    ({ status }) => status === 'failed',
  );
  engine.onStart = () => {};
  const task = await order();
  const { delay, delayed_by } = await untilDelayed(task, 'upstream_away');
  assert.ok(delay !== undefined);
  assert.deepEqual([delayed_by, delay.upstream], ['upstream', 'painter']);
  assert.ok(Date.parse(delay.retry_at ?? '') > Date.parse(delay.since ?? ''), JSON.stringify(delay));
  assert.doesNotMatch(JSON.stringify(delay), /secret-pool|internal|503/);
  isWell = true;
  const begun = await until(
    async () => {
      clock.advance(5 * SECOND);
      return await read(task);
    },
    ({ status, started_at, delay: found }) => status === 'processing' && started_at !== null && found === undefined,
  );
  assert.equal(begun.delayed_by, undefined);
  await end(task);
});

test("an order tells that it waits for its turn, for its key's limit or for another order", async () => {
  const first = await order();
  await until(
    () => read(first),
    ({ status }) => status === 'processing',
  );
  const second = await order();
  assert.equal((await read(second)).delay, undefined, 'most orders begin at once');
  clock.advance(3 * SECOND);
  const { delay } = await untilDelayed(second, 'turn');
  assert.deepEqual([delay?.upstream, delay?.since], ['painter', second.created_at]);

  const { key } = await issueKey({ mode: 'live', concurrency: 1 });
  await order({}, key);
  const limited = await order({}, key);
  clock.advance(3 * SECOND);
  assert.equal((await untilDelayed(limited, 'key_limit', key)).delay?.upstream, null);

  const { data: child } = await call(keys.test, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'follows',
    image_urls: [`task:${(await simulated()).task_id}`],
    wait_for_parent: true,
  });
  assert.equal(child.delay?.code, 'parent');
  await end(first);
});

const simulated = () => order({ model_id: 'sketch', simulate: { outcome: 'stuck' } }, keys.test);
