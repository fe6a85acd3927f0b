import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { withAtOnce } from '../../test/begin-at-once.ts';
import { forEachDatabase } from '../../test/databases.ts';
import { holdWrites } from '../../test/hold-writes.ts';
import { createPostgresDatabase } from '../../test/postgres-server.ts';
import { startTestService } from '../../test/service.ts';
import { createStoppableEngine, createSwiftEngine } from '../../test/swift-engine.ts';
import { commitMove } from '../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import { permitsLockOf } from '../tasks/queue-capacity.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import { claimEngineSlot } from './apply/claim-slot.ts';
import { createPermits } from './claim-permits.ts';

const ORDERS = 7;
const CAPACITY = 2;
const ORDER = { model_id: 'sketch', prompt: 'a fox' };
const AT_ONCE = { start: async () => ({ done: { outputs: [] } }) };
const PLACED = { type: 'image', path: '/v1/images', body: ORDER, idempotencyKey: null, simulate: null } as const;

forEachDatabase((kind) => {
  const start = async (t: TestContext, engine: Engine) =>
    await startTestService(t, {
      env: kind === 'postgres' ? { DARKROOM_DATABASE_URL: await createPostgresDatabase(t) } : {},
      service: { engines: [engine] },
    });

  test('orders that begin when they are placed take no more slots of their engine than it has, and the others follow', async (t) => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const swift = createSwiftEngine();
    const engine = createSwiftEngine({
      concurrency: CAPACITY,
      async start(order, context) {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => waiting.push(resolve));
        running--;
        return await swift.start(order, context);
      },
    });
    const { call, keys } = await start(t, engine);
    const answers = Array.from({ length: ORDERS }, (_, index) =>
      call(keys.live, 'POST', '/openai/v1/images/generations', { model: 'sketch', prompt: `fox ${index}` }),
    );
    for (let begun = 1; begun <= ORDERS; begun++) {
      await until(
        () => waiting,
        (calls) => calls.length === Math.min(CAPACITY, ORDERS - begun + 1),
      );
      waiting.shift()?.();
    }
    for (const answer of answers) assert.equal((await answer).status, 200);
    assert.equal(most, CAPACITY);
  });

  test('an order is `submitting` on disk before its engine is called, whether its caller waits or its engine can stop', async (t) => {
    const seen: unknown[] = [];
    const stoppable = createStoppableEngine();
    const engine = createSwiftEngine({
      ...stoppable,
      async start(order, context) {
        // Another connection sees what is committed, and no more.
        const { read } = database;
        const { builder } = read;
        const row = builder.selectFrom('tasks').select(['step', 'status', 'fence']).where('id', '=', order.taskId);
        seen.push(await read.first(row));
        return await stoppable.start(order, context);
      },
    });
    const { call, keys, database, ended } = await start(t, engine);
    for (const prefer of ['', 'wait=60']) {
      const { status, data } = await call(keys.live, 'POST', '/v1/images', ORDER, { prefer });
      assert.equal(status, 201);
      assert.equal(data.status, prefer === '' ? 'processing' : 'succeeded');
      assert.equal((await ended(keys.live, data)).status, 'succeeded');
    }
    assert.deepEqual(seen, Array(2).fill({ step: 'submitting', status: 'processing', fence: 1 }));
  });

  test('an order whose engine cannot stop stays in the queue and can be canceled for nothing, unless its caller waits', async (t) => {
    const engine = createSwiftEngine({ concurrency: 1, repeatable: false });
    const { call, keys, make } = await start(t, engine);
    const first = await call(keys.live, 'POST', '/v1/images', ORDER);
    assert.deepEqual([first.data.status, first.data.can_cancel], ['queued', true]);
    assert.equal((await make(keys.live, '/v1/images', ORDER)).status, 'succeeded');
  });

  test('an order that began at once and is canceled costs nothing where its engine stops it', async (t) => {
    const stoppable = createStoppableEngine();
    const engine: typeof stoppable = {
      ...stoppable,
      check: async (operation, order, context) => {
        const checked = await stoppable.check(operation, order, context);
        return checked.status === 'canceled' ? checked : { status: 'pending' };
      },
    };
    const { call, keys, ended } = await start(t, engine);
    const { data } = await call(keys.live, 'POST', '/v1/images', ORDER);
    assert.deepEqual([data.status, data.can_cancel], ['processing', true]);
    const path = `/v1/images/${data.task_id}/cancel` as '/v1/images/{task_id}/cancel';
    assert.equal((await call(keys.live, 'POST', path)).status, 200);
    const { status, cost } = await ended(keys.live, data);
    assert.deepEqual([status, cost.state, cost.amount], ['canceled', 'released', '0.00']);
  });

  test('a caller who waits for an order is answered what a GET answers, whether it is read again or not', async (t) => {
    const picture = createSwiftEngine({ repeatable: false });
    let isDone = true;
    let outcome: 'picture' | 'nothing' = 'picture';
    const engine = createSwiftEngine({
      repeatable: false,
      async start(order, context) {
        if (outcome === 'nothing') return await AT_ONCE.start();
        const started = await picture.start(order, context);
        if (!isDone || 'done' in started) return started;
        const checked = await picture.check(started.operation, order, { ...context, cancelRequested: false });
        if (checked.status !== 'succeeded') throw new Error(checked.status);
        return { done: checked.delivery };
      },
      check: picture.check,
    });
    const { call, keys } = await start(t, engine);
    for (const [place, wish] of [
      { isDone: true, outcome: 'picture' },
      { isDone: false, outcome: 'picture' },
      { isDone: true, outcome: 'nothing' },
    ].entries()) {
      isDone = wish.isDone;
      outcome = wish.outcome as typeof outcome;
      const body = { ...ORDER, metadata: { place: `${place}` }, end_user: 'someone' };
      const answer = await call(keys.live, 'POST', '/v1/images', body, { prefer: 'wait=60' });
      assert.equal(answer.data.status, outcome === 'picture' ? 'succeeded' : 'failed');
      assert.equal(answer.headers.get('preference-applied'), 'wait=60');
      assert.equal(answer.headers.get('location'), answer.data.urls.self);
      const found = await call(keys.live, 'GET', answer.data.urls.self);
      assert.equal(JSON.stringify(answer.data), JSON.stringify(found.data));
    }
  });

  test('orders that begin beside one that comes back to its engine take no more slots together than there are', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const begun: TaskRecord[] = [];
    let capacity = 1;
    const placing = withAtOnce(services, {
      worker: 'one',
      capacity: () => capacity,
      begin: (task) => begun.push(task),
    });
    const [first, second] = [
      await insertKey(services, { concurrency: 1 }),
      await insertKey(services, { concurrency: 9 }),
    ];
    const third = await insertKey(services);
    await createTask(placing, first, PLACED);
    const [came] = begun;
    assert.ok(came !== undefined);
    await commitMove(services, came, 'deferred', { claimable: 0 });
    const deferred = { ...came, step: 'deferred', claimable: 0 } as const;
    capacity = 2;
    // What comes while another is written is one group.
    const gate = Promise.withResolvers<void>();
    const before = database.write('before', () => gate.promise);
    const enter = async (key: OrderingKey) => {
      const entered = Promise.withResolvers<void>();
      const write: typeof database.write = (name, unit, options) => {
        const written = database.write(name, unit, options);
        entered.resolve();
        return written;
      };
      const order = createTask({ ...placing, database: { ...database, write } }, key, PLACED);
      await entered.promise;
      return { order };
    };
    const { order: one } = await enter(third);
    const alone = database.write('alone', async () => {});
    const back = claimEngineSlot(services, deferred, capacity, {});
    const { order: two } = await enter(second);
    gate.resolve();
    await Promise.all([before, one, alone, back, two]);
    const { read } = database;
    const rows = await read.all(read.builder.selectFrom('tasks').select('step'));
    const at = (step: string) => rows.filter((row) => row.step === step).length;
    assert.deepEqual([rows.length, at('submitting')], [3, capacity]);
  });
});

test('an order does not begin while another process gives out slots of its queue, and then waits its turn', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const placing = withAtOnce(services, { worker: 'one', capacity: () => 10, begin() {} });
  const key = await insertKey(services);
  const place = async () => {
    const { task } = await createTask(placing, key, PLACED);
    return 'status' in task && task.status;
  };
  assert.equal(await place(), 'processing');
  using other = holdWrites((await openAnother()).database);
  const asking = other.database.write('ask', (trx) => trx.lock(permitsLockOf('sketch:live')));
  await other.entered;
  assert.equal(await place(), 'queued');
  other.commit();
  await asking;
  assert.equal(await place(), 'queued', 'an order overtook one that waits');
});

test('an order leaves the slots to another process for which that has a permit', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const canceled = await createTask(services, key, PLACED);
  await createPermits((await openAnother()).database).ask([{ name: 'sketch:live', capacity: 2 }], 1);
  await cancelTask(services, key, 'image', canceled.taskId);
  const placing = withAtOnce(services, { worker: 'one', capacity: () => 2, begin() {} });
  const begun: unknown[] = [];
  for (let order = 0; order < 2; order++) {
    const { task } = await createTask(placing, key, PLACED);
    begun.push('status' in task && task.status);
  }
  assert.deepEqual(begun, ['processing', 'queued']);
});
