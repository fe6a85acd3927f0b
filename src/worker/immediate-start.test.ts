import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createPlacingProcess } from '../../test/helpers/placing-process.ts';
import { startTestService, type TestService } from '../../test/helpers/service.ts';
import { createStoppableEngine, createSwiftEngine } from '../../test/helpers/swift-engine.ts';
import { commitMove } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { claimEngineSlot } from './apply/claim-slot.ts';

const ORDERS = 7;
const CAPACITY = 2;

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
  const { call, keys } = await startTestService(t, { service: { engines: [engine] } });
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

const ORDER = { model_id: 'sketch', prompt: 'a fox' };
const AT_ONCE = { start: async () => ({ done: { outputs: [] } }) };

/** On PostgreSQL the first orders of a process wait to be claimed, and it expects more from then on. */
async function untilOrdersBegin({ call, keys }: TestService): Promise<void> {
  for (let status = 'queued'; status === 'queued'; )
    status = (await call(keys.live, 'POST', '/v1/images', ORDER)).data.status;
}

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
  const service = await startTestService(t, { service: { engines: [engine] } });
  const { call, keys, database, ended } = service;
  await untilOrdersBegin(service);
  for (const prefer of ['', 'wait=60']) {
    const { status, data } = await call(keys.live, 'POST', '/v1/images', ORDER, { prefer });
    assert.equal(status, 201);
    assert.equal(data.status, prefer === '' ? 'processing' : 'succeeded');
    assert.equal((await ended(keys.live, data)).status, 'succeeded');
  }
  const stored = { step: 'submitting', status: 'processing', fence: 1 };
  // Calls of the orders before may be among them.
  assert.ok(seen.length >= 2);
  for (const each of seen) assert.deepEqual(each, stored);
});

test('an order whose engine cannot stop stays in the queue and can be canceled for nothing, unless its caller waits', async (t) => {
  const engine = createSwiftEngine({ concurrency: 1, repeatable: false });
  const { call, keys, make } = await startTestService(t, { service: { engines: [engine] } });
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
  const service = await startTestService(t, { service: { engines: [engine] } });
  const { call, keys, ended } = service;
  await untilOrdersBegin(service);
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
  const { call, keys } = await startTestService(t, { service: { engines: [engine] } });
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
    assert.equal(answer.headers.get('preference-applied'), 'wait=45');
    assert.equal(answer.headers.get('location'), answer.data.urls.self);
    const found = await call(keys.live, 'GET', answer.data.urls.self);
    assert.equal(JSON.stringify(answer.data), JSON.stringify(found.data));
  }
});

test('orders that begin beside one that comes back to its engine take no more slots together than there are', async (t) => {
  const { services, database } = await openTestServices(t, 'sqlite');
  let capacity = 1;
  const process = createPlacingProcess(services, { worker: 'one', capacity: () => capacity, permits: null });
  const [first, second, third] = [await insertKey(services), await insertKey(services), await insertKey(services)];
  await process.place(first);
  const [came] = process.begun;
  assert.ok(came !== undefined);
  await commitMove(services, came, 'deferred', { claimable: 0 });
  const deferred = { ...came, step: 'deferred', claimable: 0 } as const;
  capacity = 2;
  // What comes while another is written is one group.
  const gate = Promise.withResolvers<void>();
  const before = database.write('before', () => gate.promise);
  const { placed: one } = await process.enter(second);
  const back = claimEngineSlot(services, deferred, capacity, {});
  const { placed: two } = await process.enter(third);
  gate.resolve();
  await Promise.all([before, one, back, two]);
  const { read } = database;
  const rows = await read.all(read.builder.selectFrom('tasks').select('step'));
  assert.deepEqual([rows.length, rows.filter(({ step }) => step === 'submitting').length], [3, capacity]);
});
