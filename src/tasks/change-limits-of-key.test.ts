import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createIdFactory,
  ServiceError,
  SPEND_WINDOWS,
  type SpendLimits,
  windowStart,
} from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { ApiKey, OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import { auditSpending } from '../service/doctor/audit-spending.ts';
import { changeLimitsOfKey } from './change-limits-of-key.ts';
import type { Ending } from './settle-task.ts';
import type { TaskServices } from './task-services.ts';

const PRICE = 5_000;

type Move =
  | { readonly kind: 'orders'; readonly orders: readonly { readonly process: number; readonly stale: boolean }[] }
  | { readonly kind: 'limit'; readonly limits: Partial<SpendLimits>; readonly orders: number }
  | { readonly kind: 'settle'; readonly task: number; readonly charge: number }
  | { readonly kind: 'fail' | 'cancel'; readonly task: number }
  | { readonly kind: 'wait'; readonly ms: number };

const nth = fc.nat({ max: 30 });
const limit = fc.option(fc.constantFrom(0, PRICE, 3 * PRICE, 6 * PRICE));
const NO_LIMITS = { day: null, month: null, total: null };
const limits = fc.record({ day: limit, month: limit, total: limit }, { requiredKeys: [] });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('orders' as const),
      orders: fc.array(fc.record({ process: fc.nat({ max: 1 }), stale: fc.boolean() }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      limits,
      orders: fc.nat({ max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), task: nth, charge: fc.constantFrom(0, 2_000, PRICE) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'cancel'), task: nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 13 * 3_600_000, 20 * 86_400_000),
    }),
  },
);

async function order(services: TaskServices, key: OrderingKey): Promise<string> {
  const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  return (await createTask(services, key, { ...call, body })).task.task_id;
}

async function end(services: TaskServices, taskId: string, ending: Ending): Promise<void> {
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  assert.ok(row !== undefined);
  assert.equal(await commitEnding(services, 'test_end', row, ending), true);
}

async function keyAsStored(services: TaskServices, id: string): Promise<OrderingKey> {
  const key: ApiKey | null = await findKeyById(services.database.read, id);
  assert.ok(key !== null && key.mode !== 'admin');
  return key as OrderingKey;
}

forEachDatabase((kind) => {
  test('however limits change among orders of processes that remember the old ones, each window counts its orders, and no order exceeds a known limit', async (t) => {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    const fleet = [services, await openAnother()] as const;
    const { database } = services;
    const createId = createIdFactory(() => clock.now());
    await fc.assert(
      fc.asyncProperty(limits, fc.array(move, { maxLength: 25 }), async (spendLimits, moves) => {
        const { id } = await insertKey(services, { mode: 'test', spendLimits: { ...NO_LIMITS, ...spendLimits } });
        let stale = await keyAsStored(services, id);
        const open = new Map<string, number>();
        const placed: { readonly at: number; readonly id: string }[] = [];
        const costs = new Map<string, number>();
        const place = async (process: number, key: OrderingKey) => {
          const at = clock.now();
          try {
            const task = await order(fleet[process % 2]!, key);
            open.set(task, PRICE);
            placed.push({ at, id: task });
            costs.set(task, PRICE);
            return 1;
          } catch (error) {
            assert.ok(error instanceof ServiceError && error.code === 'spend_limit_reached', String(error));
            return 0;
          }
        };
        const spent = (window: (typeof SPEND_WINDOWS)[number]) =>
          placed
            .filter(({ at }) => at >= windowStart(window, clock.now()))
            .reduce((sum, { id: task }) => sum + (costs.get(task) ?? 0), 0);
        for (const step of moves) {
          if (step.kind === 'wait') {
            clock.advance(step.ms);
            // A process remembers a key for two seconds.
            if (step.ms > 2_000) stale = await keyAsStored(services, id);
          } else if (step.kind === 'orders') {
            const fresh = await keyAsStored(services, id);
            const before = SPEND_WINDOWS.map(spent);
            const known = step.orders.filter(({ stale: isStale }) => !isStale).length;
            const taken = await Promise.all(step.orders.map((one) => place(one.process, one.stale ? stale : fresh)));
            for (const [index, window] of SPEND_WINDOWS.entries()) {
              const most = fresh.spendLimits[window];
              if (most === null || known < step.orders.length) continue;
              const sum = (before[index] ?? 0) + PRICE * taken.reduce<number>((a, b) => a + b, 0);
              assert.ok(sum <= Math.max(most, before[index] ?? 0), `${window}: ${sum} of ${most}`);
            }
          } else if (step.kind === 'limit') {
            stale = await keyAsStored(services, id);
            const old = stale;
            const by = { actor: 'test', now: clock.now(), createId };
            await Promise.all([
              ...Array.from({ length: step.orders }, (_, index) => place(index, old)),
              changeLimitsOfKey(services, by, id, { spendLimits: step.limits }),
            ]);
          } else {
            const task = [...open.keys()][step.task % Math.max(1, open.size)];
            if (task === undefined) continue;
            open.delete(task);
            const failure = { code: 'upstream_error', message: 'no', retry: 'new_order' } as const;
            const charge = { amount: step.kind === 'settle' ? step.charge : 0, lines: [] };
            if (step.kind === 'cancel') await cancelTask(services, stale, 'image', task);
            else if (step.kind === 'fail') await end(services, task, { status: 'failed', failure });
            else await end(services, task, { status: 'succeeded', outputs: [], keep: null, charge });
            costs.set(task, charge.amount);
          }
          const { spendLimits } = await keyAsStored(services, id);
          for (const window of SPEND_WINDOWS)
            if (spendLimits[window] !== null)
              assert.equal(await spentIn(database.read, id, window, clock.now()), spent(window), window);
        }
        for (const task of open.keys()) await cancelTask(services, stale, 'image', task);
        const { faults } = await auditSpending(database.read, services.hooks, clock.now());
        assert.deepEqual(
          faults.filter((fault) => fault.includes(id)),
          [],
        );
      }),
      { numRuns: kind === 'sqlite' ? 60 : 25 },
    );
  });

  test('what a key spends after its limits are taken away counts from its first order, also where a process still knows them', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { id } = await insertKey(services, { mode: 'test', spendLimits: { ...NO_LIMITS, total: 2 * PRICE } });
    const stale = await keyAsStored(services, id);
    const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
    await changeLimitsOfKey(services, by, id, { spendLimits: { total: null } });
    for (const key of [await keyAsStored(services, id), stale]) await order(services, key);
    assert.equal(await spentIn(services.database.read, id, 'total', clock.now()), 2 * PRICE);
  });

  test('an order that ends in the transaction in which its key gets fewer slots lets no other order in', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const { database } = services;
    const key = await insertKey(services, { concurrency: 2 });
    for (let count = 0; count < 6; count++) await order(services, key);
    const claimable = () =>
      database.read.all(
        database.read.builder
          .selectFrom('tasks')
          .selectAll()
          .where('api_key_id', '=', key.id)
          .where('claimable', '=', 1)
          .orderBy('id'),
      );
    const [first, second] = await claimable();
    assert.ok(first !== undefined && second !== undefined);
    const failure = { code: 'upstream_error', message: 'no', retry: 'new_order' } as const;
    const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
    await Promise.all([
      commitEnding(services, 'first_end', first, { status: 'failed', failure }),
      changeLimitsOfKey(services, by, key.id, { concurrency: 1 }),
      commitEnding(services, 'second_end', second, { status: 'failed', failure }),
    ]);
    assert.equal((await claimable()).length, 1);
  });
});
