import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** `darkroom examples make`: what it orders, what it costs, and what a second run does. */

const swift = createSwiftEngine();
let refuses = false;
const engine: typeof swift = {
  ...swift,
  check: async (...asked) =>
    refuses
      ? { status: 'failed', error: { code: 'content_policy', message: 'The prompt was refused.' } }
      : await swift.check(...asked),
};
const { call, keys, url } = await startTestService(wholeFile, { service: { engines: [engine] } });
const KEYS = { DARKROOM_API_KEY: keys.live, DARKROOM_ADMIN_KEY: keys.admin };

async function run(t: TestContext, words: readonly string[], variables: Record<string, string> = KEYS) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-examples-'));
  t.after(() => rm(directory, { recursive: true }));
  return await runDarkroom(['examples', 'make', ...words], { DARKROOM_URL: url, ...variables }, directory);
}

async function shown() {
  const { data } = await call(keys.admin, 'GET', '/admin/v1/examples');
  return data.items.map(({ model_id, prompt, amount }) => [model_id, prompt, amount]).sort();
}

const liveOrders = async () =>
  (await call(keys.live, 'GET', '/v1/images?limit=100')).data.items.length +
  (await call(keys.live, 'GET', '/v1/videos?limit=100')).data.items.length;

test('one example of each model is ordered within the budget, shown, and not ordered again', async (t) => {
  const unasked = await run(t, []);
  assert.notEqual(unasked.code, 0);
  assert.match(unasked.stderr, /sketch-motion +0\.10?\b[\s\S]*3 orders for 0\.13 USD\.[\s\S]*Add --yes to order\./);
  assert.equal(await liveOrders(), 0);

  const first = await run(t, ['--yes', '--max-spend', '0.03', '--prompt', 'a fox']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /2 orders for 0\.03 USD\. Beyond --max-spend: 1\./);
  assert.deepEqual(await shown(), [
    ['sketch', 'a fox', '0.01'],
    ['sketch-grid', 'a fox', '0.02'],
  ]);

  const again = await run(t, ['sketch', 'sketch-grid', '--yes', '--prompt', 'a fox', '--json']);
  assert.deepEqual([again.code, JSON.parse(again.stdout)], [0, { items: [] }]);
  assert.equal(await liveOrders(), 2);
});

test('an order that an earlier run placed is shown, not placed again', async (t) => {
  const [before, listed] = [await liveOrders(), await call(keys.admin, 'GET', '/admin/v1/examples')];
  const example = listed.data.items.find(({ model_id }) => model_id === 'sketch');
  const path = `/admin/v1/tasks/${example?.task_id}/example` as '/admin/v1/tasks/{task_id}/example';
  assert.equal((await call(keys.admin, 'DELETE', path)).status, 200);
  const { code, stdout } = await run(t, ['sketch', '--yes', '--prompt', 'a fox', '--json']);
  const { items } = JSON.parse(stdout) as { items: unknown };
  assert.deepEqual(
    [code, items],
    [0, [{ model_id: 'sketch', task_id: example?.task_id, amount: '0.01', fault: null }]],
  );
  assert.equal(await liveOrders(), before);
});

test('a failed order costs nothing, is reported, and is placed again by the next run', async (t) => {
  refuses = true;
  const failed = await run(t, ['sketch-motion', '--yes', '--json']);
  refuses = false;
  const [item] = (JSON.parse(failed.stdout) as { items: { fault: string; amount: string; task_id: string }[] }).items;
  assert.deepEqual([failed.code, item?.amount], [1, '0.00']);
  assert.match(item?.fault ?? '', /The prompt was refused\./);
  const again = await run(t, ['sketch-motion', '--yes', '--json']);
  const [made] = (JSON.parse(again.stdout) as { items: { fault: string | null; task_id: string }[] }).items;
  assert.deepEqual([again.code, made?.fault], [0, null]);
  assert.notEqual(made?.task_id, item?.task_id);
});

test('a model that the key cannot order, a wrong key and a wrong budget are told before anything is ordered', async (t) => {
  const before = await liveOrders();
  const unknown = await run(t, ['nothing', '--yes']);
  assert.match(unknown.stderr, /this key can order no model nothing/);
  const playful = await run(t, ['--yes'], { ...KEYS, DARKROOM_API_KEY: keys.test });
  assert.match(playful.stderr, /DARKROOM_API_KEY: expected a live key/);
  const powerless = await run(t, ['--yes'], { DARKROOM_API_KEY: keys.live });
  assert.match(powerless.stderr, /DARKROOM_ADMIN_KEY: expected an admin key/);
  const dear = await run(t, ['--yes', '--max-spend', 'much']);
  assert.match(dear.stderr, /--max-spend: expected dollars such as 2\.00; found 'much'/);
  for (const { code } of [unknown, playful, powerless, dear]) assert.notEqual(code, 0);
  assert.equal(await liveOrders(), before);
});
