import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory, windowStart } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { holdWrites } from '../../../test/helpers/hold-writes.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { balanceOf } from '../../accounts/ledger.ts';
import { spentIn } from '../../accounts/spend-limits.ts';
import type { OrderingKey } from '../../kernel.ts';
import { auditSettlements } from '../../service/doctor/audit-ledger.ts';
import { auditSpending } from '../../service/doctor/audit-spending.ts';
import { refundTask } from '../../tasks/refund-task.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { auditBatches } from './audit-batches.ts';
import type { BatchRow } from './batch-view.ts';
import { cancelBatch } from './cancel-batch.ts';
import { cancelPortion } from './cancel-portion.ts';
import { BatchDraft } from './draft-batch.ts';
import { endBatch, isOver } from './end-batch.ts';
import { enqueueNext, placePortion } from './feed-batch.ts';
import { findBatch } from './find-batches.ts';
import { placeBatch } from './place-batch.ts';

type Step =
  | { readonly kind: 'place' | 'let_in' | 'cancel' | 'end' }
  | { readonly kind: 'settle'; readonly pick: number; readonly status: Ending['status']; readonly share: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'place' } as const, { kind: 'let_in' } as const) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'end' } as const) },
  { weight: 6, arbitrary: anySettlement() },
);

function anySettlement() {
  return fc.record({
    kind: fc.constant('settle' as const),
    pick: fc.nat(1000),
    status: fc.constantFrom('succeeded' as const, 'failed' as const, 'canceled' as const),
    share: fc.integer({ min: 0, max: 4 }),
  });
}

async function draftOf(services: TaskServices, key: OrderingKey, count: number) {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  for (let index = 0; index < count; index++)
    await drafting.add(`orders[${index}]`, {
      operation: 'images',
      body: { model_id: 'sketch', prompt: 'a fox', seed: index },
    });
  return await drafting.finish();
}

const FIELDS = {
  maxPrice: null,
  maxParallel: null,
  deliverTo: null,
  webhookUrl: 'https://example.com/hook',
  metadata: {},
};

async function placeOne(services: TaskServices, key: OrderingKey, count: number): Promise<string> {
  const draft = await draftOf(services, key, count);
  const { batch } = await placeBatch(kernelOf(services), key, { draft, fields: FIELDS, claim: null });
  return batch.batch_id;
}

async function rowOf(services: TaskServices, id: string): Promise<BatchRow> {
  const { read } = services.database;
  return (await read.first(read.builder.selectFrom('batches').selectAll().where('id', '=', id)))!;
}

/** What holds at every commit, with the batch somewhere on its way. */
async function assertBooks(services: TaskServices, key: OrderingKey, batchId: string): Promise<void> {
  const { read } = services.database;
  assert.deepEqual((await auditBatches(read)).faults, []);
  assert.deepEqual((await auditSettlements(read)).faults, []);
  const { cost, counts, orders } = await findBatch(kernelOf(services), key, batchId);
  const [quoted, charged, held] = [cost.quoted, cost.charged, cost.held].map(Number) as [number, number, number];
  assert.ok(charged <= quoted);
  assert.ok(held >= 0 && charged + held <= quoted + 1e-9);
  assert.equal(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    orders,
  );
  // Nothing else was ordered: the balance is what is held and charged, and so is the limited spending.
  const balance = (await balanceOf(read, key.account.id, key.mode)) / 1e6;
  assert.ok(Math.abs(balance + charged + held) < 1e-6, `balance ${balance}, charged ${charged}, held ${held}`);
  const spent = (await spentIn(read, key.id, 'day', services.clock.now())) / 1e6;
  assert.ok(Math.abs(spent - charged - held) < 1e-6, `spent ${spent}, charged ${charged}, held ${held}`);
}

async function takeStep(services: TaskServices, key: OrderingKey, batchId: string, next: Step): Promise<void> {
  const { read } = services.database;
  const batch = await rowOf(services, batchId);
  if (next.kind === 'settle') await settleOne(services, batchId, next);
  else if (next.kind === 'place') await placePortion(kernelOf(services), batchId);
  else if (next.kind === 'let_in') await enqueueNext(kernelOf(services), batch);
  else if (next.kind === 'cancel') await cancelBatch(kernelOf(services), key, batchId);
  else if (await isOver(read, batch)) await endBatch(kernelOf(services), batch);
}

async function settleOne(
  { database, ...others }: TaskServices,
  batchId: string,
  { pick, status, share }: Extract<Step, { kind: 'settle' }>,
): Promise<void> {
  const { read } = database;
  const open = await read.all(
    read.builder
      .selectFrom('batch_orders')
      .innerJoin('tasks', 'tasks.id', 'task_id')
      .selectAll('tasks')
      .where('batch_id', '=', batchId)
      .where('step', '!=', 'final')
      .orderBy('task_id'),
  );
  const task = open[pick % Math.max(1, open.length)];
  if (task === undefined) return;
  const amount = Math.floor((task.price * share) / 4);
  const endings: Record<Ending['status'], Ending> = {
    succeeded: { status: 'succeeded', outputs: [], keep: null, charge: { amount, lines: [] } },
    failed: { status: 'failed', failure: { code: 'timeout', message: 'late' } },
    canceled: { status: 'canceled' },
  };
  await commitEnding({ database, ...others }, 'test_settle', task, endings[status]);
}

/** Carries a batch to its end, as a feeder and an engine would. */
async function finish(services: TaskServices, key: OrderingKey, batchId: string): Promise<void> {
  for (let round = 0; ; round++) {
    const batch = await rowOf(services, batchId);
    if (batch.status !== 'processing') return;
    await placePortion(kernelOf(services), batchId);
    if (batch.cancel_requested_at !== null) await cancelPortion(kernelOf(services), batchId);
    for (const status of ['succeeded', 'failed'] as const)
      await takeStep(services, key, batchId, { kind: 'settle', pick: round, status, share: round % 5 });
    await takeStep(services, key, batchId, { kind: 'end' });
  }
}

async function assertEnd(services: TaskServices, key: OrderingKey, batchId: string): Promise<void> {
  await assertBooks(services, key, batchId);
  const { read } = services.database;
  const batch = await findBatch(kernelOf(services), key, batchId);
  assert.equal(batch.cost.held, '0.00');
  const { succeeded, canceled } = batch.counts;
  const expected =
    succeeded === batch.orders
      ? 'succeeded'
      : canceled > 0 && (batch.cancel_requested_at !== null || canceled === batch.orders)
        ? 'canceled'
        : succeeded === 0
          ? 'failed'
          : 'partial';
  assert.equal(batch.status, expected);
  const deliveries = await read.all(
    read.builder.selectFrom('webhook_deliveries').select('type').where('task_id', '=', batchId),
  );
  assert.deepEqual(
    deliveries.map(({ type }) => type),
    [`batch.${expected}`],
    'exactly one webhook',
  );
  const left = await read.all(read.builder.selectFrom('batch_portions').select('first'));
  assert.deepEqual(left, []);
}

forEachDatabase((kind) => {
  test('whatever becomes of the tasks of a batch and in whatever order, its money adds up at every commit', async (t) => {
    const { services } = await openTestServices(t, kind);
    const numRuns = rounds(kind === 'sqlite' ? 25 : 6);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 3, 130),
        fc.array(step, { maxLength: 12 }),
        fc.option(fc.nat(12), { nil: null }),
        async (count, steps, cancelAt) => {
          const key = await insertKey(services, { spendLimits: { day: 1e12, month: null, total: null } });
          const batchId = await placeOne(services, key, count);
          await assertBooks(services, key, batchId);
          for (const [index, next] of steps.entries()) {
            if (index === cancelAt) await takeStep(services, key, batchId, { kind: 'cancel' });
            await takeStep(services, key, batchId, next);
            await assertBooks(services, key, batchId);
          }
          await finish(services, key, batchId);
          await assertEnd(services, key, batchId);
        },
      ),
      { numRuns },
    );
  });

  test('two processes that carry on the same batch insert and let in every task once, and end it once', async (t) => {
    const { services, openAnother } = await openTestServices(t, kind);
    const another = await openAnother();
    const key = await insertKey(services, { spendLimits: { day: 1e12, month: null, total: null } });
    const batchId = await placeOne(services, key, 250);
    const both = [services, another];
    for (let round = 0; round < 4; round++) {
      await Promise.all(both.map((each) => placePortion(kernelOf(each), batchId)));
      const batch = await rowOf(services, batchId);
      await Promise.all(both.map((each) => enqueueNext(kernelOf(each), batch)));
      await assertBooks(services, key, batchId);
    }
    const { read } = services.database;
    const inQueue = await read.all(
      read.builder
        .selectFrom('batch_orders')
        .innerJoin('tasks', 'tasks.id', 'task_id')
        .select('rank')
        .where('batch_id', '=', batchId)
        .where('rank', '>=', 0),
    );
    assert.equal(inQueue.length, 32);
    assert.equal(new Set(inQueue.map(({ rank }) => rank)).size, 32, 'each has a place of its own');
    await finish(services, key, batchId);
    await Promise.all(both.map((each) => endBatch(kernelOf(each), { id: batchId })));
    await assertEnd(services, key, batchId);
  });
});

test('a batch that ends while one of its orders is refunded was not charged for it', async (t) => {
  const { services, clock, openAnother } = await openTestServices(t, 'postgres');
  const other = await openAnother();
  const key = await insertKey(services);
  const batchId = await placeOne(services, key, 1);
  await placePortion(kernelOf(services), batchId);
  await takeStep(services, key, batchId, { kind: 'settle', pick: 0, status: 'succeeded', share: 4 });
  const { read } = services.database;
  const task = await read.first(read.builder.selectFrom('tasks').select(['id', 'charged']));
  assert.ok(task !== undefined && Number(task.charged) > 0);
  const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
  using held = holdWrites(other.database);
  const refunded = refundTask({ ...other, database: held.database }, by, task.id);
  await held.entered;
  const ended = endBatch(kernelOf(services), await rowOf(services, batchId));
  await Promise.race([ended, held.untilAwaited()]);
  held.commit();
  await Promise.all([refunded, ended]);
  assert.equal((await rowOf(services, batchId)).charged, 0);
  await assertBooks(services, key, batchId);
});

test('a batch whose day is over when it is placed counts in the new one, with all of its orders', async (t) => {
  const { services, clock } = await openTestServices(t);
  const key = await insertKey(services, { spendLimits: { day: 1e12, month: null, total: null } });
  clock.advance(windowStart('day', clock.now() + 86_400_000) - clock.now() - 1000);
  const drafted = await draftOf(services, key, 2);
  clock.advance(2000);
  await placeOne(services, key, 1);
  const { batch } = await placeBatch(kernelOf(services), key, { draft: drafted, fields: FIELDS, claim: null });
  const placed = await rowOf(services, batch.batch_id);
  assert.equal(placed.created_at, clock.now());
  await placePortion(kernelOf(services), batch.batch_id);
  const { read } = services.database;
  const tasks = await read.all(read.builder.selectFrom('tasks').select('created_at'));
  assert.deepEqual(
    tasks.map(({ created_at: at }) => at),
    [clock.now(), clock.now()],
  );
  assert.deepEqual((await auditSpending(read, services.hooks, clock.now())).faults, []);
});

test('of a batch that was canceled since its row was read, no order is let in', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const batchId = await placeOne(services, key, 40);
  await placePortion(kernelOf(services), batchId);
  for (let ended = 0; ended < 8; ended++)
    await takeStep(services, key, batchId, { kind: 'settle', pick: 0, status: 'failed', share: 0 });
  const before = await rowOf(services, batchId);
  await cancelBatch(kernelOf(services), key, batchId);
  assert.equal(await enqueueNext(kernelOf(services), before), 0);
});

test('a key has its single orders and its batches in two lines, and its batches take turns', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const [first, second] = [await placeOne(services, key, 100), await placeOne(services, key, 100)];
  await placePortion(kernelOf(services), first);
  await placePortion(kernelOf(services), second);
  const { read } = services.database;
  const ranksOf = async (batchId: string) => {
    const rows = await read.all(
      read.builder
        .selectFrom('batch_orders')
        .innerJoin('tasks', 'tasks.id', 'task_id')
        .select('rank')
        .where('batch_id', '=', batchId)
        .where('rank', '>=', 0)
        .orderBy('rank'),
    );
    return rows.map(({ rank }) => rank);
  };
  const [ofFirst, ofSecond] = [await ranksOf(first), await ranksOf(second)];
  assert.equal(ofFirst.length, 32);
  assert.ok(ofSecond[0]! > ofFirst.at(-1)!, 'the second batch follows the few of the first that are in line');
  assert.equal(ofSecond.length, 32);
});
