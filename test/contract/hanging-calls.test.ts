import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** An upstream whose slots are all held by calls that hang. */

const SECOND = 1_000;
const CONCURRENCY = 4;
const clock = new ManualClock();
const engines = {
  stuck: createScriptedEngine({ name: 'stuck', concurrency: CONCURRENCY }),
  refused: createScriptedEngine({ name: 'refused', concurrency: CONCURRENCY }),
};
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
for (const engine of Object.values(engines)) {
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
  });
}
const overlay = await openCatalogOverlay(
  wholeFile,
  Object.keys(engines).map((name) => plainEntry({ model_id: name, routes: [{ engine: name }] })),
);
const { call, database, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: {
    clock,
    engines: [...Object.values(engines), createSwiftEngine({}, clock)],
    // The clock runs far ahead of the work.
    tempo: { lease: { ms: 3_600 * SECOND, renewEveryMs: 5 * SECOND } },
  },
});

const order = (model_id: string) => call(keys.live, 'POST', '/v1/images', { model_id, prompt: 'a fox' });
const read = async (task: TaskAnswer) => (await call(keys.live, 'GET', task.urls.self)).data;
const inside = async (task: TaskAnswer) => (await call(keys.admin, 'GET', `/admin/v1/tasks/${task.task_id}`)).data;
const circuitOf = async (name: string) =>
  (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.find((one) => one.name === name)!.circuit;

/** Moves the clock and has the service look at once what is due. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  const brief = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'timeout' } };
  await call(keys.test, 'POST', '/v1/images', brief, { prefer: 'wait=60' });
  await untilLetGo(database);
}
const reached = (task: TaskAnswer, status: string, stepMs: number) =>
  until(
    async () => {
      await advance(stepMs);
      return await read(task);
    },
    (now) => now.status === status,
  );

test('calls that hang in every slot of an upstream do not keep a test order from it', async () => {
  const answered = Promise.withResolvers<void>();
  const engine = engines.stuck;
  const start = engine.start;
  let calls = 0;
  engine.start = async (given, context) => {
    calls++;
    if (calls <= CONCURRENCY) await answered.promise;
    return await start.call(engine, given, context);
  };
  const stuck: TaskAnswer[] = [];
  for (let count = 0; count < CONCURRENCY; count++) stuck.push((await order('stuck')).data);
  await until(
    () => calls,
    (count) => count === CONCURRENCY,
  );
  const waiting: TaskAnswer[] = [];
  for (let count = 0; count < 3; count++) waiting.push((await order('stuck')).data);
  clock.advance(301 * SECOND);
  const opened = await until(
    () => circuitOf('stuck'),
    ({ state }) => state === 'open',
  );
  assert.equal(calls, CONCURRENCY, 'no slot was free');
  clock.advance(Date.parse(opened.retry_at) - clock.now());
  await until(
    () => circuitOf('stuck'),
    ({ state }) => state === 'closed',
  );
  await until(
    async () => (await Promise.all(waiting.map(read))).filter(({ status }) => status === 'succeeded').length,
    (done) => done === 1,
  );
  assert.equal(calls, CONCURRENCY + 1, 'only the test order went beyond the slots');
  answered.resolve();
  for (const task of [...stuck, ...waiting]) await reached(task, 'succeeded', SECOND);
});

test('a refused order can be the test order of an upstream whose slots all hang', async () => {
  const answered = Promise.withResolvers<void>();
  const engine = engines.refused;
  const start = engine.start;
  let calls = 0;
  // It is due again before the calls behind it count as hanging.
  engine.onStart = () => {
    throw new EngineError('busy', 'full', { took: 'no', retryAfterMs: 250 * SECOND });
  };
  const refused = (await order('refused')).data;
  await until(
    () => inside(refused),
    ({ step, worker }) => step === 'deferred' && worker === null,
  );
  engine.onStart = () => {};
  engine.start = async (given, context) => {
    calls++;
    if (calls <= CONCURRENCY) await answered.promise;
    return await start.call(engine, given, context);
  };
  const stuck: TaskAnswer[] = [];
  for (let count = 0; count < CONCURRENCY; count++) stuck.push((await order('refused')).data);
  await until(
    async () => {
      clock.advance(SECOND);
      return calls;
    },
    (count) => count === CONCURRENCY,
  );
  clock.advance(301 * SECOND);
  await until(
    async () => {
      clock.advance(SECOND);
      return (await read(refused)).status;
    },
    (status) => status === 'succeeded',
  );
  assert.equal(calls, CONCURRENCY + 1);
  answered.resolve();
  for (const task of stuck) await reached(task, 'succeeded', SECOND);
});
