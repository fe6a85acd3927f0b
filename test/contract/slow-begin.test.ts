import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines/engine';
import { until } from '@darkroom-service/testing/until';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../service.ts';
import { ManualClock } from '../task-services.ts';
import { wholeFile } from '../whole-file.ts';

/** How orders begin that have waited for an upstream to which none can be submitted twice. */

const WAITING = 40;
const clock = new ManualClock();
const names = ['polls', 'paused'] as const;
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
    tempo: { lease: { ms: 3_600_000, renewEveryMs: 5_000 } },
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
const circuitOf = async (name: string) =>
  (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.find((one) => one.name === name)!.circuit;
const read = async (task: TaskAnswer) => (await call(key, 'GET', task.urls.self)).data;

const statusesOf = async (tasks: readonly TaskAnswer[]) =>
  (await Promise.all(tasks.map(read))).map(({ status }) => status);
const allReached = (tasks: readonly TaskAnswer[], status: string) =>
  until(
    async () => {
      clock.advance(5_000);
      return await statusesOf(tasks);
    },
    (found) => found.every((one) => one === status),
  );
const placeAll = (name: string) => Promise.all(Array.from({ length: WAITING }, () => place(name)));
const startsOf = (name: (typeof names)[number]) => engineOf(name).started.length;

/** The upstream takes an order and answers `{}`. */
function lose(): never {
  throw new EngineError('upstream', 'it answered {}', { took: 'unknown' });
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
  const statuses = await statusesOf(waiting);
  assert.deepEqual(statuses.toSorted(), ['failed', ...Array.from({ length: WAITING - 1 }, () => 'queued')]);

  engine.onStart = () => {};
  engine.answer = () => ({ status: 'canceled' });
  await allReached([...running, ...waiting.filter((_, index) => statuses[index] === 'queued')], 'canceled');
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
  engine.answer = () => ({ status: 'canceled' });
  await allReached(running, 'canceled');
  assert.equal(startsOf('paused'), WAITING);
  const gate = Promise.withResolvers<void>();
  const { start } = engine;
  engine.start = async (order, context) => {
    const started = await start.call(engine, order, context);
    await gate.promise;
    return started;
  };
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
  assert.equal(startsOf('paused'), WAITING + 1);
  gate.resolve();
  await allReached(waiting, 'canceled');
});
