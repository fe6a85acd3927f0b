import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What becomes of an order whose finished result cannot be read, or whose upstream stops it by itself. */

const HOUR = 3_600_000;
const PICTURE = plainPicture({ width: 64, height: 64 }, 'result');
const clock = new ManualClock();
const engine = createScriptedEngine();
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] }),
]);
const { call, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { clock, engines: [engine] },
});

const SCRIPTED = { model_id: 'scripted', prompt: 'a red fox' };
const ofTest = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K', simulate: { outcome: 'timeout' } };
/** Moves the clock and has the service look what is due, as it does with every new order. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await call(keys.test, 'POST', '/v1/images', ofTest);
}
/** @param stepMs how far the clock goes on at each look */
const reached = (task: TaskAnswer, status: string, stepMs: number) =>
  until(
    async () => {
      await advance(stepMs);
      return (await call(keys.live, 'GET', task.urls.self)).data;
    },
    (now) => now.status === status,
  );
const entriesOf = async (task: TaskAnswer) =>
  (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items.filter((one) => one.task_id === task.task_id);

function assertFailed({ status, error, cost }: TaskAnswer, code: string): void {
  assert.deepEqual([status, error.code, error.charged], ['failed', code, false]);
  assert.deepEqual([cost.state, cost.amount], ['released', '0.00']);
}

/** Serves the picture from a time on, and a page before. @returns how often it was asked for, and an answer with it */
async function servePictureFrom(t: TestContext, from: number) {
  let downloads = 0;
  const server = createServer((_request, response) => {
    downloads++;
    const isThere = clock.now() >= from;
    response.setHeader('content-type', isThere ? 'image/png' : 'text/html');
    response.end(isThere ? PICTURE : '<html><body>Log in</body></html>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = { url: `${origin}/fox.png?signature=secret-0815`, allowOrigins: [origin] };
  const outputs = [{ source, seed: null, revisedPrompt: null, tiles: null }];
  return { origin, downloads: () => downloads, answer: { status: 'succeeded', delivery: { outputs } } as const };
}

test('a result whose address answers with a page for 40 seconds is delivered, and is asked for ever more seldom', async (t) => {
  const served = await servePictureFrom(t, clock.now() + 40_000);
  engine.answer = () => served.answer;
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  const { cost } = await reached(data, 'succeeded', 2_000);
  assert.deepEqual([cost.state, cost.amount], ['charged', '0.01']);
  assert.ok(served.downloads() <= 7, `${served.downloads()} downloads`);
});

test('a result that cannot be read until the deadline costs nothing, and the operator is told where it lies', async (t) => {
  const served = await servePictureFrom(t, Number.POSITIVE_INFINITY);
  engine.answer = () => served.answer;
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await until(served.downloads, (count) => count > 0);
  for (let hours = 1; hours < 5; hours++) {
    await advance(HOUR - 600_000);
    const before = served.downloads();
    let minutes = 0;
    await until(
      async () => {
        // However long a download takes, the deadline is not reached meanwhile.
        await advance(minutes++ < 30 ? 60_000 : 0);
        return served.downloads();
      },
      (count) => count > before,
    );
  }
  assert.equal((await call(keys.live, 'GET', data.urls.self)).data.status, 'processing');
  assertFailed(await reached(data, 'failed', 600_000), 'upstream_error');
  assert.ok(clock.now() >= Date.parse(data.deadline_at));
  await advance(61_000);
  const entries = await until(
    () => entriesOf(data),
    ({ length }) => length === 2,
  );
  assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['late_result', 'not_as_ordered']);
  for (const { detail } of entries) assert.equal(detail.address, `${served.origin}/fox.png?signature=[secret]`);
});

test('checks that fail until the deadline are followed by others, which find what the upstream made', async () => {
  engine.answer = () => {
    throw new EngineError('timeout', 'scripted: Gateway Timeout', { took: 'yes' });
  };
  const { data } = await call(keys.live, 'POST', '/v1/images', SCRIPTED);
  await until(() => engine.checked.includes(data.task_id), Boolean);
  await advance(6 * HOUR);
  assertFailed(await reached(data, 'failed', 100), 'timeout');
  const outputs = [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }];
  engine.answer = () => ({ status: 'succeeded', delivery: { outputs } });
  await advance(61_000);
  await until(
    async () => (await entriesOf(data)).map(({ kind }) => kind),
    (kinds) => kinds.join() === 'late_result',
  );
});

test('an order that its upstream stopped by itself has failed, and says that nobody had canceled it', async () => {
  engine.answer = () => ({ status: 'canceled' });
  const task = await make(keys.live, '/v1/images', SCRIPTED);
  assertFailed(task, 'upstream_error');
  assert.match(task.error.message, /stopped the order, which nobody had canceled here/);
});
