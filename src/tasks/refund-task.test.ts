import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewSpending } from '@darkroom-service/addition-common/limits/scope-spending';
import { reportCosts } from '@darkroom-service/addition-common/operators/cost-report';
import { SPEND_WINDOWS, type SpendWindow, windowStart } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { kernelOf } from '../../test/helpers/kernel.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { advanceCheckpoint } from '../accounts/balance-checkpoints.ts';
import { closeDays, DAY_MS } from '../accounts/closed-days.ts';
import { addCredit, balanceOf } from '../accounts/ledger.ts';
import { lockBalance } from '../accounts/recent-balances.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { taskDays } from '../accounts/task-days.ts';
import { usageQuarters } from '../accounts/usage-quarters.ts';
import { readUsage } from '../additions/usage/read-usage.ts';
import { type Binding, doOnce } from '../database/deeds.ts';
import { eraseTask } from '../erasure/erase-task.ts';
import { createTask } from '../orders/create-task.ts';
import { costDays } from '../record/cost-days.ts';
import { auditDaySums } from '../service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../service/doctor/audit-end-users.ts';
import { auditBalances, auditSettlements } from '../service/doctor/audit-ledger.ts';
import { auditSpending } from '../service/doctor/audit-spending.ts';
import { removeOldTasks } from '../worker/remove-tasks.ts';
import { changeLimitsOfKey } from './change-limits-of-key.ts';
import { refundTask } from './refund-task.ts';
import type { TaskServices } from './task-services.ts';

const HOUR_MS = 3_600_000;
const USERS = ['ann', 'bob'];

const which = fc.nat({ max: 1_000 });
/** Rows outlive the month whose spending they are counted in. */
const REMOVED_AFTER_DAYS = 32;
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('order' as const),
      key: fc.nat({ max: 1 }),
      user: fc.constantFrom(null, ...USERS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      task: which,
      succeeds: fc.constantFrom(true, true, true, false),
      off: fc.nat({ max: 2_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      task: which,
      times: fc.integer({ min: 1, max: 3 }),
      withKey: fc.boolean(),
      beside: fc.constantFrom('nothing', 'limit', 'checkpoint', 'close', 'erase', 'remove'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      hours: fc.oneof(fc.nat({ max: 40 }), fc.constant(REMOVED_AFTER_DAYS * 24)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('erase' as const), task: which }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('credit' as const), amount: fc.integer({ min: 1, max: 9_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom('limit' as const, 'checkpoint' as const, 'close' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const) }) },
);

/** What the test knows of an order. */
interface Known {
  readonly id: string;
  readonly key: number;
  readonly user: string | null;
  readonly at: number;
  readonly price: number;
  charged: number | null;
  refunded: number;
}

forEachDatabase((kind) => {
  test('whatever is charged, credited and refunded, in any order and at the same time, a task is refunded once, and balance, limits and reports are those of the orders', async (t) => {
    const opened = await openTestServices(t, kind);
    const { clock } = opened;
    const withDays = (services: TaskServices) => ({
      ...services,
      settings: { ...services.settings, taskMs: REMOVED_AFTER_DAYS * DAY_MS },
    });
    const services = withDays(opened.services);
    const other = withDays(await opened.openAnother());
    const { database } = services;
    let refunds = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        await forget(services);
        const limits = { day: 1e9, month: 1e9, total: 1e9 };
        const keys = [await insertKey(services, { spendLimits: limits }), await insertKey(services)];
        const known: Known[] = [];
        const credited = [0, 0];
        const by = () => ({ actor: 'test', now: clock.now(), createId: services.createId });

        const chores = {
          nothing: async () => {},
          /** Counts the spending of the second key from now on. */
          limit: async () => {
            const id = keys[1]!.id;
            const set = (spendLimits: Record<SpendWindow, number | null>) =>
              changeLimitsOfKey(other, by(), id, { spendLimits });
            await set({ day: null, month: null, total: null });
            await set(limits);
          },
          checkpoint: async () => {
            for (const key of keys)
              await other.database.write('test', (trx) => advanceCheckpoint(trx, key.account.id, 'live', { least: 1 }));
          },
          close: async () => {
            await closeDays(other.database, taskDays, clock.now());
            await closeDays(other.database, costDays, clock.now());
            await closeDays(other.database, usageQuarters, clock.now());
          },
          erase: async (task?: Known) => {
            if (task?.charged != null) await eraseTask(other, task.id, { deletedAt: null });
          },
          remove: () => removeOldTasks(other, new AbortController().signal),
        };

        for (const one of steps) {
          if (one.does === 'wait') clock.advance(one.hours * HOUR_MS);
          else if (one.does === 'order') {
            const body = { model_id: 'sketch', prompt: 'a fox', ...(one.user === null ? {} : { end_user: one.user }) };
            const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
            const { task } = await createTask(services, keys[one.key]!, order);
            const { id, created_at: at, price } = (await rowOf(services, task.task_id))!;
            known.push({ id, at, price, key: one.key, user: one.user, charged: null, refunded: 0 });
          } else if (one.does === 'credit') {
            credited[0]! += one.amount;
            await database.write('credit', async (trx) => {
              await lockBalance(trx, keys[0]!.account.id);
              const credit = { id: services.createId('crd'), accountId: keys[0]!.account.id, amount: one.amount };
              await addCredit(trx, { ...credit, note: null });
            });
          } else if (!('task' in one)) await chores[one.does]();
          else {
            const task = known[one.task % Math.max(1, known.length)];
            if (task === undefined) continue;
            if (one.does === 'erase') await chores.erase(task);
            if (one.does === 'settle' && task.charged === null) {
              task.charged = one.succeeds ? Math.max(0, task.price - one.off) : 0;
              await settle(services, task, one.succeeds);
            }
            if (one.does === 'refund') {
              const hasRow = (await rowOf(services, task.id)) !== undefined;
              const name = one.withKey ? `refund ${task.id} ${refunds}` : null;
              const make = (at: TaskServices) => (binding?: Binding) =>
                refundTask(at, { ...by(), ...(binding && { binding }) }, task.id);
              const asked = Array.from({ length: one.times }, (_, at) =>
                refundOnce(at % 2 === 0 ? services : other, name, make(at % 2 === 0 ? services : other)),
              );
              const beside = chores[one.beside as keyof typeof chores];
              const [answers] = await Promise.all([Promise.allSettled(asked), beside(task)]);
              const done = answers.filter(({ status }) => status === 'fulfilled').length;
              const mayBe = (task.charged ?? 0) > 0;
              if (mayBe && done > 0) {
                [task.refunded, task.charged] = [task.charged!, 0];
                refunds++;
                const most = one.withKey ? one.times : 1;
                // A repetition that comes after the removal of the task is told that the task has expired.
                assert.ok(one.beside === 'remove' ? done <= most : done === most, `${done} of ${most}`);
              } else assert.equal(done, 0, 'nothing was charged, or it was refunded before');
              if (mayBe && hasRow && one.beside !== 'remove') assert.ok(done > 0, 'a charge can be given back');
              for (const answer of answers)
                if (answer.status === 'rejected')
                  assert.match(`${answer.reason.code}`, /^(not_refundable|task_not_found|task_expired)$/);
            }
          }
          await compare(services, keys, known, credited);
        }
        await chores.close();
        await compare(services, keys, known, credited);
        assert.deepEqual(await faultsOf(services), []);
      }),
      { numRuns: rounds(kind === 'sqlite' ? 60 : 30) },
    );
    assert.ok(refunds > 10, `only ${refunds} refunds`);
  });
});

/** With a key, a repetition answers without a second refund. */
async function refundOnce(
  { database, clock }: TaskServices,
  name: string | null,
  make: (binding?: Binding) => Promise<void>,
): Promise<void> {
  const deed = name === null ? null : { scope: 'admin', key: name, fingerprint: name };
  await doOnce({ database, now: clock.now() }, deed, { make, again: async () => {} });
}

async function settle(services: TaskServices, { id, charged }: Known, succeeds: boolean): Promise<void> {
  const row = (await rowOf(services, id))!;
  const ending = succeeds
    ? ({ status: 'succeeded', outputs: [], keep: null, charge: { amount: charged ?? 0, lines: [] } } as const)
    : ({ status: 'failed', failure: { code: 'upstream_error', message: 'test' } } as const);
  const cost = {
    engine: 'paid',
    upstreamModel: null,
    outcome: ending.status,
    expected: 400,
    told: 1,
    reportedUnits: null,
  };
  assert.ok(await commitEnding(services, 'settle', row, ending, cost));
}

/** Compares everything that sums money with what the test knows of the orders. */
async function compare(
  services: TaskServices,
  keys: readonly OrderingKey[],
  known: readonly Known[],
  credited: readonly number[],
): Promise<void> {
  const { database, clock, hooks } = services;
  const { read, reports } = database;
  const now = clock.now();
  const sum = (tasks: readonly Known[], of: (task: Known) => number) => tasks.reduce((all, task) => all + of(task), 0);
  const spentSince = (tasks: readonly Known[], window: SpendWindow) =>
    sum(tasks, ({ at, charged, price }) => (at >= windowStart(window, now) ? (charged ?? price) : 0));
  const entries = await read.all(
    read.builder.selectFrom('ledger').select(['task_id', 'amount']).where('kind', '=', 'refund').orderBy('task_id'),
  );
  assert.deepEqual((await auditSpending(read, hooks, now)).faults, []);
  assert.deepEqual(
    entries.map(({ task_id, amount }) => [task_id, amount]),
    known.filter(({ refunded }) => refunded > 0).map(({ id, refunded }) => [id, refunded]),
  );
  for (const [at, key] of keys.entries()) {
    const own = known.filter((task) => task.key === at);
    const expected = Object.fromEntries(SPEND_WINDOWS.map((window) => [window, spentSince(own, window)]));
    assert.equal(await balanceOf(read, key.account.id, 'live'), credited[at]! - expected.total!);
    if (at === 0)
      for (const window of SPEND_WINDOWS)
        assert.equal(await spentIn(read, key.id, window, now), expected[window], window);
    for (const endUser of USERS) {
      const spending = await viewSpending(read, { keyId: key.id, endUser, zone: 'UTC' }, { now, hooks });
      for (const window of SPEND_WINDOWS) {
        const { charged, held } = spending[window];
        const ofUser = own.filter(({ user }) => user === endUser);
        assert.equal(charged + held, spentSince(ofUser, window), `${endUser} ${window}`);
      }
    }
    const span = { from: 0, to: now + DAY_MS, limit: 9, after: null };
    const query = { ...span, groupBy: [], scope: 'key', timezone: 'UTC', endUser: null, timing: false } as const;
    const dollars = (micros: number) => (micros / 1e6).toFixed(6);
    const charged = dollars(sum(own, (task) => task.charged ?? 0));
    assert.equal(Number((await readUsage(kernelOf(services), key, query)).items[0]?.charged ?? 0).toFixed(6), charged);
    const { items } = await reportCosts(reports, { ...span, groupBy: ['account_id'] });
    const row = items.find(({ account_id }) => account_id === key.account.id);
    assert.equal(Number(row?.revenue ?? 0).toFixed(6), charged);
  }
}

async function faultsOf({ clock, database: { read } }: TaskServices): Promise<readonly string[]> {
  const reports = [auditBalances(read), auditSettlements(read), auditEndUsers(read, clock.now()), auditDaySums(read)];
  return (await Promise.all(reports)).flatMap(({ faults }) => faults);
}

async function rowOf({ database: { read } }: TaskServices, id: string) {
  return await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
}

async function forget({ database }: TaskServices): Promise<void> {
  const tables = ['tasks', 'ledger', 'ledger_checkpoints', 'task_costs', 'idempotency', 'end_users'] as const;
  const sums = ['usage_days', 'usage_quarters', 'cost_days', 'closed_days', 'spending'] as const;
  await database.write('forget', async (trx) => {
    for (const table of [...tables, ...sums]) await trx.run(trx.builder.deleteFrom(table));
  });
}
