import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { installation, runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { openLocalBench } from '../local-bench.ts';
import { openService, words } from '../local-service.ts';

test('one command sets the price of a pulled model, which a running service takes over and a new pull keeps', async (t) => {
  const bench = await openLocalBench();
  await bench.pull('fox');
  const { call, keys, order, ended, config } = await openService(t, bench);
  const { directory } = await installation(t);
  const env = { ...bench.env, DARKROOM_DATA_DIR: config.dataDirectory, ...databaseOf(config) };
  const run = (...line: string[]) => runDarkroom(['local', ...line], env, directory);
  assert.equal((await run('price', 'fox', 'cheap')).code, 2);
  assert.equal((await run('price', 'hen', '0.01')).code, 2);
  const set = await run('price', 'fox', '0.015');
  assert.match(set.stdout, /local-fox and local-fox-grid: 0\.015 USD/, set.stderr);
  const from = async (id: string) => (await call(keys.live, 'GET', `/v1/models/${id}`)).data.pricing.from;
  await until(
    () => from('local-fox'),
    (price) => price === '0.015',
  );
  assert.equal(await from('local-fox-grid'), '0.015');
  assert.equal((await ended(await order('fox', 'a fox'))).cost.amount, '0.015');
  await bench.pull('fox');
  const { models } = JSON.parse((await run('show', 'fox', '--entry')).stdout);
  assert.deepEqual(models[0].pricing, { components: [{ per: 'image', amount: '0.015' }] });
});

test('an order that waits for its server is queued, and is begun when the server is free', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended, read } = await openService(t, bench);
  const first = await order('fox', 'a fox [[hold]]');
  await until(
    () => words(fox),
    (happened) => happened.includes('hold'),
  );
  const second = await order('fox', 'a hen');
  const { status, started_at } = await read(second);
  assert.deepEqual([status, started_at, (await read(first)).status], ['queued', null, 'processing']);
  await fox.go();
  const [begun, done] = [await ended(first), await ended(second)];
  assert.deepEqual([begun.status, done.status], ['succeeded', 'succeeded']);
  assert.ok(String(done.started_at) >= String(begun.completed_at ?? begun.started_at));
});

test('a removed model takes no orders, the removal tells which wait, and these end with a retry that is true', async (t) => {
  const bench = await openLocalBench({ DARKROOM_LOCAL_IDLE_SECONDS: '60' });
  const fox = await bench.pull('fox');
  const service = await openService(t, bench);
  const { order, ended, read, call, keys, config } = service;
  const running = await order('fox', 'a fox [[hold]]');
  await until(
    () => words(fox),
    (happened) => happened.includes('paint'),
  );
  const waiting = [await order('fox', 'a hen'), await order('fox', 'a cow')];
  const { directory } = await installation(t);
  const env = { ...bench.env, DARKROOM_DATA_DIR: config.dataDirectory, ...databaseOf(config) };
  const removed = await runDarkroom(['local', 'rm', 'fox', '--json'], env, directory);
  assert.equal(JSON.parse(removed.stdout).waiting_orders, 3, removed.stderr);
  await until(
    () => call(keys.live, 'POST', '/v1/images', { model_id: 'local-fox', prompt: 'late' }),
    ({ status, error }) => status === 404 && error.code === 'model_not_found',
  );
  for (const { status, started_at } of await Promise.all(waiting.map(read)))
    assert.deepEqual([status, started_at], ['queued', null]);
  await fox.go();
  for (const task of waiting) {
    const { status, error, cost } = await ended(task);
    assert.deepEqual(
      [status, error?.code, error?.retry, cost.state],
      ['failed', 'upstream_error', 'never', 'released'],
    );
    assert.match(error?.message ?? '', /there is no model fox on this machine/);
  }
  assert.equal((await ended(running)).status, 'succeeded');
  const found = await until(
    async () => (await runDarkroom(['doctor', '--json'], env, directory)).stdout,
    (text) => !text.includes('server fox'),
  );
  assert.ok(!found.includes('no such model'));
  const engines = await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items,
    (items) => items.find(({ name }) => name === 'local')?.route_circuits.length === 0,
  );
  assert.ok(engines.length > 0);
});

/** The setting of the service's own database, where it is not in its data directory. */
function databaseOf({ databaseUrl }: { readonly databaseUrl: string | null }): Record<string, string> {
  return databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl };
}
