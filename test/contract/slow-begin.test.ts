import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine, MADE_NOTHING, type ScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** How orders begin that have waited for an upstream to which none can be submitted twice. */

const WAITING = 40;
const clock = new ManualClock();
const names = ['polls', 'paused', 'held', 'returns'] as const;
const engines = new Map(names.map((name) => [name, createScriptedEngine({ name, concurrency: WAITING })]));
const overlay = await openCatalogOverlay(
  wholeFile,
  names.map((name) => plainEntry({ model_id: name, routes: [{ engine: name }] })),
);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: {
    clock,
    engines: [...engines.values()],
    tempo: { lease: { ms: 3_600_000, renewEveryMs: 5_000 }, installation: { refreshMs: 20, beatEveryMs: 50 } },
  },
});
const { call, keys } = service;
const { key } = await service.issueKey({ mode: 'live', concurrency: WAITING * 2 });

function engineOf(name: (typeof names)[number]) {
  const engine = engines.get(name);
  assert.ok(engine, name);
  return engine;
}

const place = async (model_id: string) => (await call(key, 'POST', '/v1/images', { model_id, prompt: 'a fox' })).data;
const viewOf = async (name: string) =>
  (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.find((one) => one.name === name)!;
const circuitOf = async (name: string) => (await viewOf(name)).circuit;
const slowBeginOf = async (name: string) => (await viewOf(name)).slow_begin;
const read = async (task: TaskAnswer) => (await call(key, 'GET', task.urls.self)).data;

/** Tells how tasks stand: by their status, or by the code of their failure. */
const outcomesOf = async (tasks: readonly TaskAnswer[]) =>
  (await Promise.all(tasks.map(read))).map(({ status, error }) => (status === 'failed' ? error?.code : status));
const allTaken = (tasks: readonly TaskAnswer[]) =>
  until(
    async () => {
      clock.advance(5_000);
      return await outcomesOf(tasks);
    },
    (found) => found.every((one) => one === 'content_policy'),
  );
const placeAll = (name: string) => Promise.all(Array.from({ length: WAITING }, () => place(name)));
const startsOf = (name: (typeof names)[number]) => engineOf(name).started.length;

/** The upstream takes an order and answers `{}`. */
function lose(): never {
  throw new EngineError('upstream', 'it answered {}', { took: 'unknown' });
}

/** Lets submissions wait for their answers. @returns a function that gives them */
function gateOf(engine: ScriptedEngine): () => void {
  const gate = Promise.withResolvers<void>();
  const { start } = engine;
  engine.start = async (order, context) => {
    const started = await start.call(engine, order, context);
    await gate.promise;
    return started;
  };
  return gate.resolve;
}

for (const engine of engines.values()) engine.answer = () => ({ status: 'pending', checkAfterMs: 100 });

test('when good checks close the circuit of an upstream that loses what it takes, it gets one of the orders that wait', async () => {
  const engine = engineOf('polls');
  const running = [await place('polls'), await place('polls')];
  await until(
    () => startsOf('polls'),
    (count) => count === 2,
  );
  const probed = Promise.withResolvers<{ ok: boolean; message: string }>();
  engine.probe = () => probed.promise;
  engine.answer = () => {
    throw new EngineError('upstream', 'checks are not answered', { took: 'yes' });
  };
  await until(
    async () => {
      clock.advance(2_000);
      return (await circuitOf('polls')).state;
    },
    (state) => state === 'open',
  );
  clock.advance(15_000);
  const waiting = await placeAll('polls');
  engine.onStart = lose;
  engine.answer = () => ({ status: 'pending', checkAfterMs: 100 });
  await until(
    async () => {
      clock.advance(1_000);
      return await circuitOf('polls');
    },
    ({ reason }) => reason === 'it answered {}',
  );
  assert.equal(startsOf('polls'), 3);
  probed.resolve({ ok: true, message: 'well' });
  const outcomes = await outcomesOf(waiting);
  assert.deepEqual(outcomes.toSorted(), ['outcome_unknown', ...Array.from({ length: WAITING - 1 }, () => 'queued')]);

  engine.onStart = () => {};
  engine.answer = () => MADE_NOTHING;
  await allTaken([...running, ...waiting.filter((_, index) => outcomes[index] === 'queued')]);
  assert.equal((await circuitOf('polls')).state, 'closed');
});

test('when an operator resumes an upstream, it gets one of the orders that wait until it has accepted one', async () => {
  const engine = engineOf('paused');
  const running = await placeAll('paused');
  await until(
    () => startsOf('paused'),
    (count) => count === WAITING,
  );
  const waiting = await placeAll('paused');
  await call(keys.admin, 'POST', '/admin/v1/engines/paused/pause');
  engine.answer = () => MADE_NOTHING;
  await allTaken(running);
  assert.equal(startsOf('paused'), WAITING);
  const open = gateOf(engine);
  await call(keys.admin, 'POST', '/admin/v1/engines/paused/resume');
  await until(
    () => startsOf('paused'),
    (count) => count > WAITING,
  );
  const { checks } = (await call(keys.admin, 'GET', '/readyz')).body;
  assert.match(
    checks.find((one) => one.name === 'engine paused')!.detail,
    /begin slowly, at most 1 at once until it has accepted them: it was paused/,
  );
  assert.deepEqual(await slowBeginOf('paused'), { at_once: 1, reason: 'it was paused' });
  assert.equal(startsOf('paused'), WAITING + 1);
  open();
  await allTaken(waiting);
});

test('when a held service is released, an upstream gets one of the orders that wait until it has accepted one', async () => {
  const engine = engineOf('held');
  engine.answer = () => MADE_NOTHING;
  await call(keys.admin, 'POST', '/admin/v1/hold');
  const waiting = await placeAll('held');
  const open = gateOf(engine);
  await call(keys.admin, 'DELETE', '/admin/v1/hold');
  await until(
    () => startsOf('held'),
    (count) => count > 0,
  );
  assert.deepEqual(await slowBeginOf('held'), { at_once: 1, reason: 'the service was held' });
  assert.equal(startsOf('held'), 1);
  open();
  await allTaken(waiting);
});

test('when a worker starts while none ran, an upstream gets one of the orders that wait until it has accepted one', async (t) => {
  const options = { clock, tempo: { lease: { ms: 3_600_000, renewEveryMs: 5_000 } } };
  const api = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    config: { role: 'api' },
    service: { ...options, engines: [createScriptedEngine({ name: 'returns', concurrency: WAITING })] },
  });
  const order = { model_id: 'returns', prompt: 'a fox' };
  const isReturning = ({ name }: { readonly name: string }) => name === 'returns';
  for (let count = 0; count < 5; count++)
    assert.equal((await api.call(api.keys.live, 'POST', '/v1/images', order)).status, 201);
  const engine = engineOf('returns');
  engine.answer = () => MADE_NOTHING;
  const open = gateOf(engine);
  const worker = await startService(
    { ...api.config, role: 'worker' },
    { ...options, log: createLog('fatal'), engines: [engine] },
  );
  t.after(() => worker.stop({ now: true }));
  await until(
    () => startsOf('returns'),
    (count) => count > 0,
  );
  const found = await until(
    async () => (await api.call(api.keys.admin, 'GET', '/admin/v1/engines')).data.items.find(isReturning)?.slow_begin,
    (slow) => slow != null,
  );
  assert.deepEqual(found, { at_once: 1, reason: 'no worker ran' });
  assert.equal(startsOf('returns'), 1);
  open();
  await until(
    async () => {
      clock.advance(1_000);
      return startsOf('returns');
    },
    (count) => count === 5,
  );
});
