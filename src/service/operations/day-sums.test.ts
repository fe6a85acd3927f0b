import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportCosts } from '@darkroom-service/addition-common/operators/cost-report';
import { COST_GROUPS, USAGE_GROUPS } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { costsFromRows, usageFromRows } from '../../../test/helpers/reports-from-rows.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { closeDays, DAY_MS } from '../../accounts/closed-days.ts';
import { taskDays } from '../../accounts/task-days.ts';
import { usageQuarters } from '../../accounts/usage-quarters.ts';
import { readUsage } from '../../additions/usage/read-usage.ts';
import { compilable } from '../../database/compilable.ts';
import { eraseTask } from '../../erasure/erase-task.ts';
import { createTask } from '../../orders/create-task.ts';
import { costDays, storeLateCost } from '../../record/cost-days.ts';
import type { OrderCost } from '../../record/task-costs.ts';
import { auditDaySums } from '../doctor/audit-day-sums.ts';

const MODELS = ['sketch', 'sketch-motion'] as const;
const HOUR_MS = 3_600_000;

type Step =
  | { readonly type: 'wait'; readonly hours: number }
  | { readonly type: 'order'; readonly key: number; readonly model: number; readonly user: string | null }
  | {
      readonly type: 'settle';
      readonly task: number;
      readonly end: 'succeeded' | 'failed' | 'canceled';
      readonly told: number | null;
      readonly isStated: boolean;
    }
  | { readonly type: 'erase' | 'late cost'; readonly task: number }
  | { readonly type: 'close' };

const which = fc.nat({ max: 1_000 });
const order: fc.Arbitrary<Step> = fc.record({
  type: fc.constant('order'),
  key: fc.nat({ max: 2 }),
  model: fc.nat({ max: 1 }),
  user: fc.constantFrom(null, 'ann', 'bob'),
});
const settle: fc.Arbitrary<Step> = fc.record({
  type: fc.constant('settle'),
  task: which,
  end: fc.constantFrom('succeeded', 'failed', 'canceled'),
  told: fc.option(fc.nat({ max: 90_000 }), { nil: null }),
  isStated: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: order },
  { weight: 6, arbitrary: settle },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('wait'), hours: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('erase', 'late cost'), task: which }) },
  { weight: 2, arbitrary: fc.constant<Step>({ type: 'close' }) },
);
const span = fc.record({
  /** Hours before and after the history. */
  from: fc.nat({ max: 24 * 8 }),
  hours: fc.integer({ min: 1, max: 24 * 12 }),
  wholeDays: fc.boolean(),
  usageGroups: fc.subarray([...USAGE_GROUPS]),
  costGroups: fc.subarray([...COST_GROUPS]),
  scope: fc.constantFrom('key', 'account'),
  endUser: fc.option(fc.constantFrom('ann', 'bob'), { freq: 4 }),
  timing: fc.boolean(),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
});

forEachDatabase((kind) => {
  test('reports from sums by day equal those from rows, for every history and every span', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    let summed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 60 }),
        fc.array(span, { minLength: 4, maxLength: 4 }),
        async (steps, spans) => {
          await forget();
          const began = clock.now();
          const first = await insertKey(services);
          const second = await insertKey(services);
          await joinAccount(second, first);
          const keys = [first, { ...second, account: first.account }, await insertKey(services)];
          const tasks: string[] = [];
          for (const each of steps) await follow(each, keys, tasks);
          await closeAll();
          const closed = await database.read.all(database.read.builder.selectFrom('usage_days').selectAll());
          summed += closed.length;
          assert.deepEqual((await auditDaySums(database.read)).faults, []);
          await assertLostSumsAreTold();
          for (const { from: offset, hours, wholeDays, usageGroups, costGroups, ...options } of spans) {
            const start = began - 24 * HOUR_MS + offset * HOUR_MS;
            const from = wholeDays ? Math.floor(start / DAY_MS) * DAY_MS : start;
            const to = wholeDays ? from + Math.ceil(hours / 24) * DAY_MS : from + hours * HOUR_MS + 1;
            const usage = { from, to, groupBy: usageGroups, limit: 1_000, after: null, ...options };
            const { items } = await readUsage(kernelOf(services), first, usage);
            assert.deepEqual(
              items,
              await usageFromRows(database.read, keys.slice(0, options.scope === 'key' ? 1 : 2), usage),
            );
            const costs = await reportCosts(database.reports, {
              from,
              to,
              groupBy: costGroups,
              limit: 1_000,
              after: null,
            });
            assert.deepEqual(costs.items, await costsFromRows(database.read, { from, to, groupBy: costGroups }));
          }
        },
      ),
      { numRuns: rounds(kind === 'sqlite' ? 60 : 20) },
    );
    assert.ok(summed > 10, `only ${summed} sums were used`);

    async function follow(each: Step, keys: readonly OrderingKey[], tasks: string[]): Promise<void> {
      if (each.type === 'wait') clock.advance(each.hours * HOUR_MS);
      if (each.type === 'close') await closeAll();
      if (each.type === 'order') {
        const body = {
          model_id: MODELS[each.model]!,
          prompt: 'a fox',
          ...(each.user === null ? {} : { end_user: each.user }),
        };
        const type = each.model === 0 ? 'image' : 'video';
        const made = await createTask(services, keys[each.key]!, {
          type,
          path: `/v1/${type}s`,
          body,
          idempotencyKey: null,
          simulate: null,
        });
        if ('task' in made) tasks.push(made.task.task_id);
      }
      if (!('task' in each) || tasks.length === 0) return;
      const row = await database.read.first(
        database.read.builder
          .selectFrom('tasks')
          .selectAll()
          .where('id', '=', tasks[each.task % tasks.length]!),
      );
      assert.ok(row !== undefined);
      if (each.type === 'settle' && row.step !== 'final') {
        const { end, told, isStated } = each;
        const ending =
          end === 'succeeded'
            ? { status: end, outputs: [], keep: null, charge: { amount: row.price, lines: [] } }
            : end === 'failed'
              ? { status: end, failure: { code: 'upstream_error' as const, message: 'test' } }
              : { status: end };
        await commitEnding(services, 'settle', row, ending, costOf(end === 'failed' ? 'unknown' : end, told, isStated));
      }
      if (each.type === 'erase' && row.step === 'final') await eraseTask(services, row.id, { deletedAt: null });
      if (each.type === 'late cost' && row.step === 'final')
        await database.write('late', (trx) =>
          storeLateCost(trx, row, costOf('succeeded', 77, false), { charged: row.charged ?? 0, now: clock.now() }),
        );
    }

    async function joinAccount(key: OrderingKey, other: OrderingKey): Promise<void> {
      const joined = sql`update api_keys set account_id = ${other.account.id} where id = ${key.id}`;
      await database.write('join', (trx) => trx.run(compilable(trx, joined)));
    }

    async function closeAll(): Promise<void> {
      await closeDays(database, taskDays, clock.now());
      await closeDays(database, costDays, clock.now());
      await closeDays(database, usageQuarters, clock.now());
    }

    /** Days that were closed without any sum. */
    async function assertLostSumsAreTold(): Promise<void> {
      for (const table of ['usage_days', 'cost_days', 'usage_quarters'] as const) {
        const rows = await database.read.all(database.read.builder.selectFrom(table).selectAll());
        if (rows.length === 0) continue;
        await database.write('lose', (trx) => trx.run(trx.builder.deleteFrom(table)));
        assert.notDeepEqual((await auditDaySums(database.read)).faults, [], table);
        await database.write('find', (trx) => trx.run(trx.builder.insertInto(table).values(rows as never[])));
      }
    }

    async function forget(): Promise<void> {
      await database.write('forget', async (trx) => {
        for (const table of [
          'tasks',
          'task_costs',
          'usage_days',
          'usage_quarters',
          'cost_days',
          'closed_days',
        ] as const)
          await trx.run(trx.builder.deleteFrom(table));
      });
    }
  });
});

function costOf(outcome: OrderCost['outcome'], told: number | null, isStated: boolean): OrderCost {
  return {
    engine: 'paid',
    upstreamModel: null,
    outcome,
    expected: isStated ? 40_000 : null,
    told,
    reportedUnits: null,
  };
}
