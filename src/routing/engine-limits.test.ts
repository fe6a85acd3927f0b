import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { createScriptedEngine } from '../../test/helpers/scripted-engine.ts';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createRateLimits } from '../accounts/rate-limits.ts';
import { createLog } from '../base/log.ts';
import { createTask } from '../orders/create-task.ts';
import { createEngineLoad } from '../worker/engine-load.ts';
import { openLocalCapacity } from '../worker/local-capacity.ts';
import { openQueues } from '../worker/open-queues.ts';
import { openEngineLimits } from './engine-limits.ts';

const ENGINE = { name: 'sketch', concurrency: 4, adapts: { floor: 1, ceiling: 6 } };

test('a limit rises while waiting orders are accepted, halves after a refusal, and is shared by all processes', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const open = async () => {
    const limits = await openEngineLimits({
      database,
      clock,
      engines: () => [ENGINE],
      onChange: () => {},
      startRefresh: startTestRefresh,
    });
    t.after(() => limits.stop());
    return limits;
  };
  const [one, two] = [await open(), await open()];
  // The row of the engine is there before its limit ever changes.
  const balance = { amount: '4.5', unit: 'USD', told_at: 1, asked_at: 1 };
  const row = { engine: ENGINE.name, worker: '', ...balance };
  await database.write('test', (trx) => trx.run(trx.builder.insertInto('instances').values(row)));
  const key = await insertKey(services);
  const order = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  for (let count = 0; count < 8; count++)
    await createTask(services, key, { ...order, body: { model_id: 'sketch', prompt: 'a fox' } });
  const refresh = async () => {
    clock.advance(10_000);
    await one.refresh();
    await two.refresh();
    await one.refresh();
    return [one.of(ENGINE), two.of(ENGINE)];
  };
  one.succeeded(ENGINE);
  assert.deepEqual(await refresh(), [4, 4], 'there is room');
  await database.write('test', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ step: 'running' }).where('rank', '<', 6)),
  );
  assert.deepEqual(await refresh(), [5, 5]);
  for (const limits of [one, two]) limits.succeeded(ENGINE);
  assert.deepEqual(await refresh(), [6, 6], 'both processes saw it, and it rose once');
  one.succeeded(ENGINE);
  assert.deepEqual(await refresh(), [6, 6], 'the ceiling');
  for (const limits of [one, two]) limits.refused(ENGINE);
  assert.deepEqual(await refresh(), [3, 3], 'both were refused, and it fell once');
  for (const expected of [1, 1]) {
    two.refused(ENGINE);
    assert.deepEqual(await refresh(), [expected, expected]);
  }
  assert.equal(one.of({ name: 'fixed', concurrency: 7 }), 7);
  assert.equal((await readBalances(database.read)).get('sketch')?.amount, '4.5');
});

test('each process paints its share, so more processes paint more at once', async (t) => {
  const { clock, database } = await openTestServices(t);
  const painter = { ...createScriptedEngine({ name: 'sketch', concurrency: 4 }), isLocal: true };
  const engines = new Map([['sketch', painter]]);
  const open = async (worker: string) => {
    const capacity = await openLocalCapacity({
      database,
      worker,
      engines,
      startRefresh: startTestRefresh,
      log: createLog('silent'),
    });
    t.after(() => capacity.stop());
    return capacity;
  };
  const one = await open('one');
  assert.equal(one.of(painter), 4);
  const two = await open('two');
  await one.refresh();
  assert.deepEqual([one.of(painter), two.of(painter)], [8, 8]);
  const fixed = { of: () => 99, refused: () => {}, succeeded: () => {} };
  const load = createEngineLoad(clock, fixed, one, createRateLimits({ now: () => clock.now() }), {
    canSpool: () => true,
    stalledMs: () => 0,
  });
  const valves = {
    stateOf: () => 'free' as const,
    isPaused: () => false,
    hasTrial: () => false,
    beginning: () => null,
    isFull: () => false,
  };
  const queuesWith = (held: number) =>
    openQueues(engines, { valves, load }, () => held).filter(({ name }) => /live/.test(name));
  assert.deepEqual(queuesWith(1), [{ name: 'sketch:live', capacity: 8, atMost: 3 }]);
  assert.deepEqual(queuesWith(4), []);
  await two.stop();
  await one.refresh();
  assert.equal(one.of(painter), 4, 'one that has stopped');
  await two.refresh();
  clock.advance(21_000);
  await one.refresh();
  assert.equal(one.of(painter), 4, 'one that was not seen for a while');
});

test('while answers cannot be written to the disk, no paid order is claimed whose answer is the result', async () => {
  const blocking = { ...createScriptedEngine({ name: 'painter' }), isBlocking: true };
  const engines = [blocking, { ...blocking, name: 'own', isFree: true }, createScriptedEngine({ name: 'polled' })];
  const valves = {
    stateOf: () => 'free' as const,
    isPaused: () => false,
    hasTrial: () => false,
    beginning: () => null,
    isFull: () => false,
  };
  const claimed = (canSpool: boolean) => {
    const load = { limitOf: () => 1, isBackingOff: () => false, canSpool: () => canSpool };
    const queues = openQueues({ values: () => engines }, { valves, load }, () => 0);
    return new Set(queues.map(({ name }) => name.split(':')[0]));
  };
  assert.deepEqual(claimed(true), new Set(['painter', 'own', 'polled']));
  assert.deepEqual(claimed(false), new Set(['own', 'polled']));
});
