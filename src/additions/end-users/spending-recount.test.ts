import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { createIdFactory, parseMicros, SPEND_WINDOWS, windowStart } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeOrder } from '../../../test/helpers/ended-order.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import { scopeDigest } from '../../accounts/scope.ts';
import { spentIn } from '../../accounts/spend-limits.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { OrderingKey } from '../../kernel.ts';
import type { TaskRow } from '../../record/task.ts';
import { auditEndUsers } from '../../service/doctor/audit-end-users.ts';
import { auditSpending } from '../../service/doctor/audit-spending.ts';
import { changeLimitsOfKey } from '../../tasks/change-limits-of-key.ts';
import { refundTask } from '../../tasks/refund-task.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { cancelBatch } from '../batches/cancel-batch.ts';
import { cancelPortion } from '../batches/cancel-portion.ts';
import { BatchDraft } from '../batches/draft-batch.ts';
import { placePortion } from '../batches/feed-batch.ts';
import { placeBatch } from '../batches/place-batch.ts';
import { readPortion } from '../batches/portions.ts';
import { viewEndUser } from './list-end-users.ts';

const BY = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
const USERS = ['ada', 'bob'] as const;
const MUCH = 100_000_000;

const some = fc.constantFrom(...USERS, null);
const user = fc.constantFrom(...USERS);
const nth = fc.nat({ max: 30 });
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('order' as const, 'late order'), user: some }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      users: fc.array(some, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('feed' as const, 'cancel'), nth }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle' as const), nth, share: fc.constantFrom(0, 0.4, 1) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('refund' as const, 'erase'), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('limit' as const), user }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('limit key' as const), window: fc.constantFrom(...SPEND_WINDOWS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(60_000, 13 * 3_600_000, 20 * 86_400_000),
    }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** @param late places orders too, and knows the key as it was first */
async function makeMove(
  services: TaskServices,
  key: OrderingKey,
  step: Exclude<Move, { kind: 'wait' }>,
  late: { readonly services: TaskServices; readonly key: OrderingKey },
) {
  const { database, clock } = services;
  const { read } = database;
  const order = (endUser: string | null) => ({ model_id: 'sketch', prompt: 'a fox', end_user: endUser });
  switch (step.kind) {
    case 'order':
      return await placeOrder(services, key, 'image', order(step.user));
    case 'late order':
      return await placeOrder(late.services, late.key, 'image', order(step.user));
    case 'batch': {
      const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
      for (const [index, name] of step.users.entries())
        await drafting.add(`orders[${index}]`, { operation: 'images', body: order(name) });
      const fields = { maxPrice: null, maxParallel: null, deliverTo: null, webhookUrl: null, metadata: {} };
      return await placeBatch(kernelOf(services), key, { draft: await drafting.finish(), fields, claim: null });
    }
    case 'limit':
      return await setScopeLimits(database, BY, key, step.user, { day: MUCH });
    case 'limit key':
      return await changeLimitsOfKey(services, { ...BY, now: clock.now() }, key.id, {
        spendLimits: { [step.window]: MUCH },
      });
    case 'feed':
    case 'cancel': {
      const batches = await read.all(
        read.builder.selectFrom('batches').select('id').where('api_key_id', '=', key.id).orderBy('id'),
      );
      const batch = batches[step.nth % Math.max(1, batches.length)];
      if (batch === undefined) return;
      if (step.kind === 'feed') return await placePortion(kernelOf(services), batch.id);
      await cancelBatch(kernelOf(services), key, batch.id);
      return await cancelPortion(kernelOf(services), batch.id);
    }
    default: {
      const tasks = (await tasksOf(services, key)).filter(({ step: at, charged, erased_at: erasedAt }) =>
        step.kind === 'settle'
          ? at !== 'final'
          : step.kind === 'refund'
            ? (charged ?? 0) > 0
            : at === 'final' && erasedAt === null,
      );
      const task = tasks[step.nth % Math.max(1, tasks.length)];
      if (task === undefined) return;
      if (step.kind === 'refund') return await refundTask(services, BY, task.id);
      if (step.kind === 'erase') return await deleteTask(services, key, 'image', task.id);
      const amount = step.kind === 'settle' ? Math.floor(task.price * step.share) : 0;
      const ending: Ending = { status: 'succeeded', outputs: [], keep: null, charge: { amount, lines: [] } };
      return assert.ok(await commitEnding(services, 'test_settle', task, ending));
    }
  }
}

async function tasksOf({ database: { read } }: TaskServices, key: OrderingKey): Promise<TaskRow[]> {
  return await read.all(read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id).orderBy('id'));
}

/** Every order of the key, read one by one: those that have a row, and those that a batch still keeps. */
async function allOrders(services: TaskServices, key: OrderingKey): Promise<TaskRow[]> {
  const { read } = services.database;
  const portions = await read.all(
    read.builder
      .selectFrom('batch_portions')
      .innerJoin('batches', 'batches.id', 'batch_id')
      .select('rows_deflated')
      .where('api_key_id', '=', key.id),
  );
  const kept = await Promise.all(portions.map(({ rows_deflated: rows }) => readPortion(rows)));
  return [...(await tasksOf(services, key)), ...kept.flat().map(({ row }) => row)];
}

/** @param owners the end users of orders by their ids, which it keeps for those that are erased later */
async function assertRecounted(services: TaskServices, key: OrderingKey, owners: Map<string, string>): Promise<void> {
  const { database, clock, hooks } = services;
  const now = clock.now();
  const orders = await allOrders(services, key);
  const placed = new Set((await tasksOf(services, key)).map(({ id }) => id));
  for (const { id, end_user: name } of orders) if (name !== null) owners.set(id, name);
  const sum = (list: readonly TaskRow[], amount: (order: TaskRow) => number) =>
    list.reduce((total, one) => total + amount(one), 0);
  const heldOf = ({ charged, price }: TaskRow) => (charged === null ? price : 0);
  const { spendLimits } = (await findKeyById(database.read, key.id))!;
  for (const window of SPEND_WINDOWS) {
    const within = orders.filter(({ created_at: at }) => at >= windowStart(window, now));
    if (spendLimits[window] !== null)
      assert.equal(
        await spentIn(database.read, key.id, window, now),
        sum(within, (one) => (one.charged ?? 0) + heldOf(one)),
        `key, ${window}`,
      );
    for (const name of USERS) {
      const mine = within.filter(({ id }) => owners.get(id) === name);
      const { charged, held } = (await viewEndUser(database.read, key, name, { now, hooks })).windows[window];
      const told = [parseMicros(charged), parseMicros(held)];
      assert.deepEqual(told, [sum(mine, (one) => one.charged ?? 0), sum(mine, heldOf)], `${name}, ${window}`);
      assert.equal(
        await spentIn(database.read, scopeDigest(key.id, name), window, now),
        sum(mine, (one) => (placed.has(one.id) ? (one.charged ?? one.price) : 0)),
        `meter of ${name}, ${window}`,
      );
    }
  }
  assert.deepEqual((await auditSpending(database.read, hooks, now)).faults, []);
  assert.deepEqual((await auditEndUsers(database.read, now)).faults, []);
}

forEachDatabase((kind) => {
  test('after any history of orders, batches, cancels, refunds, erasures and limits set late or known late, what keys and end users spend is what a count of all their orders gives', async (t) => {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    const other = await openAnother();
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 8, maxLength: 30 }), async (moves) => {
        const key = await insertKey(services, { mode: 'test', limitsEndUsers: true });
        const { id } = key;
        const late = { services: other, key: { ...key, limitsEndUsers: false } };
        const owners = new Map<string, string>();
        for (const step of moves) {
          if (step.kind === 'wait') clock.advance(step.ms);
          else await makeMove(services, (await findKeyById(services.database.read, id)) as OrderingKey, step, late);
          await assertRecounted(services, (await findKeyById(services.database.read, id)) as OrderingKey, owners);
        }
      }),
      { numRuns: rounds(kind === 'sqlite' ? 60 : 15) },
    );
  });
});
