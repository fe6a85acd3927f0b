import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewSpending } from '@darkroom-service/addition-common/limits/scope-spending';
import { reportCosts } from '@darkroom-service/addition-common/operators/cost-report';
import { lookUpTask } from '@darkroom-service/addition-common/operators/look-up-task';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { type Compilable, sql } from 'kysely';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { kernelOf } from '../../test/helpers/kernel.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { closeDays, DAY_MS, dayOf, readClosedDays } from '../accounts/closed-days.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { spentBeforeLimits } from '../accounts/start-counting.ts';
import { taskDays } from '../accounts/task-days.ts';
import { usageQuarters } from '../accounts/usage-quarters.ts';
import { readUsage } from '../additions/usage/read-usage.ts';
import type { Transaction } from '../database/database.ts';
import { eraseTask } from '../erasure/erase-task.ts';
import { createTask } from '../orders/create-task.ts';
import { costDays } from '../record/cost-days.ts';
import { auditDaySums } from '../service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../service/doctor/audit-end-users.ts';
import { auditBalances, auditSettlements } from '../service/doctor/audit-ledger.ts';
import { auditSpending } from '../service/doctor/audit-spending.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTask } from '../views/find-tasks.ts';
import { removeOldTasks } from './remove-tasks.ts';

const HOUR_MS = 3_600_000;
const TASK_MS = 120 * DAY_MS;

/** What still needs a task's row; each is written as its own part of the service leaves it. */
const NEEDS: Readonly<Record<string, (id: string) => readonly string[]>> = {
  reconciliation: (id) => [
    `insert into reconciliation (id, task_id, kind, detail_json, created_at) values ('rec_${id}', '${id}', 'late_result', '{}', 0)`,
  ],
  webhook: (id) => [
    `insert into webhook_deliveries (id, account_id, api_key_id, task_id, type, url, status, created_at)
      values ('whd_${id}', 'acc', 'key', '${id}', 'task.succeeded', 'https://example.com', 'pending', 0)`,
  ],
  waiting: (id) => [`insert into task_waits (parent_id, child_id, met) values ('${id}', 'img_child', 1)`],
  release: (id) => [`insert into work values ('children', '${id}', '', 0, 0, 0, 0)`],
  lateResult: (id) => [`update tasks set next_at = 0 where id = '${id}'`],
  // The order that is still open, if there is one, was made from the last such task.
  child: (id) => [`update tasks set parent_task_id = '${id}' where step <> 'final'`],
  batch: (id) => [
    `insert into batches (id, api_key_id, account_id, mode, status, orders, quoted, metadata_json, placed, placed_amount, created_at)
      values ('bat_${id}', 'key', 'acc', 'live', 'processing', 1, 0, '{}', 1, 0, 0)`,
    `insert into batch_orders (task_id, batch_id, position, state, price) values ('${id}', 'bat_${id}', 0, 'open', 0)`,
  ],
};

const order = fc.record({
  key: fc.nat({ max: 1 }),
  user: fc.constantFrom(null, 'ann', 'bob'),
  model: fc.constantFrom('sketch', 'sketch-motion'),
  waitHours: fc.nat({ max: 30 }),
  end: fc.constantFrom('succeeded', 'succeeded', 'succeeded', 'failed', 'canceled'),
  told: fc.option(fc.nat({ max: 90_000 }), { nil: null }),
  need: fc.option(fc.constantFrom('files', 'child', ...Object.keys(NEEDS)), { freq: 3, nil: null }),
});
type Order = typeof order extends fc.Arbitrary<infer One> ? One : never;

forEachDatabase((kind) => {
  test('removal changes no sum, spares what is needed, and lets no Idempotency-Key order again', async (t) => {
    const opened = await openTestServices(t, kind);
    const { database, clock } = opened;
    const services = { ...opened.services, settings: { ...opened.services.settings, taskMs: TASK_MS } };
    const remove = () => removeOldTasks(services, new AbortController().signal);
    let removed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 6, maxLength: 25 }),
        fc.record({
          openFrom: fc.nat({ max: 30 }),
          endHours: fc.nat({ max: 24 * 40 }),
        }),
        async (history, { openFrom, endHours }) => {
          await forget(services);
          const began = clock.now();
          const keys = [await insertKey(services), await insertKey(services)];
          const ids: string[] = [];
          for (const [at, one] of history.entries()) {
            clock.advance(one.waitHours * HOUR_MS);
            ids.push(await place(services, keys[one.key]!, at, one));
            if (at !== openFrom) await end(services, ids[at]!, one);
          }
          clock.advance(Math.max(31 * DAY_MS, began + endHours * HOUR_MS + TASK_MS - clock.now()));
          for (const [at, id] of ids.entries()) {
            const { need } = history[at]!;
            if (at !== openFrom && need !== 'files') await eraseTask(services, id, { deletedAt: null });
            for (const statement of NEEDS[need ?? '']?.(id) ?? []) await execute(services, statement);
          }
          await closeDays(database, taskDays, clock.now());
          await closeDays(database, costDays, clock.now());
          await closeDays(database, usageQuarters, clock.now());
          const rows = await allTasks(services);
          const cut = Math.min(
            clock.now() - TASK_MS,
            (await readClosedDays(database.read, 'usage')).beforeDay * DAY_MS,
          );
          const parent = openFrom < ids.length ? history.findLastIndex((one) => one.need === 'child') : -1;
          const isFree = (at: number) =>
            history[at]?.need === null || (history[at]?.need === 'child' && (at !== parent || parent === openFrom));
          const expected = rows.filter(
            ({ id, completed_at: at }) => at !== null && at < cut && isFree(ids.indexOf(id)),
          );
          const sums = await everything(services, keys, Math.min(...expected.map((row) => row.created_at)));
          await remove();
          const gone = new Set(expected.map(({ id }) => id));
          assert.deepEqual(
            (await allTasks(services)).map(({ id }) => id),
            rows.map(({ id }) => id).filter((id) => !gone.has(id)),
          );
          assert.deepEqual(await everything(services, keys, Math.min(...expected.map((row) => row.created_at))), sums);
          for (const [at, one] of history.entries()) {
            const [key, other] = [keys[one.key]!, keys[1 - one.key]!];
            const id = ids[at]!;
            const type = typeOf(one);
            await assert.rejects(findTask(services, other, type, id), { code: 'task_not_found' });
            if (gone.has(id)) {
              await assert.rejects(place(services, key, at, one), { code: 'task_expired', status: 410 });
              await assert.rejects(place(services, key, at, { ...one, model: 'none' }), { code: 'task_expired' });
              await assert.rejects(findTask(services, key, type, id), { code: 'task_expired', status: 410 });
              await assert.rejects(lookUpTask(database.read, id), { code: 'task_expired' });
            } else assert.equal(await place(services, key, at, one), id);
          }
          assert.equal((await allTasks(services)).length, rows.length - gone.size);
          assert.deepEqual(await everything(services, keys, Math.min(...expected.map((row) => row.created_at))), sums);
          removed += gone.size;
        },
      ),
      { numRuns: rounds(kind === 'sqlite' ? 40 : 8) },
    );
    assert.ok(removed > 0, 'no task was removed');
  });
});

function typeOf({ model }: Pick<Order, 'model'>): 'image' | 'video' {
  return model === 'sketch-motion' ? 'video' : 'image';
}

/** Places an order with its own Idempotency-Key, or repeats it. */
async function place(
  services: TaskServices,
  key: OrderingKey,
  at: number,
  { user, model }: Pick<Order, 'user'> & { readonly model: string },
): Promise<string> {
  const type = model === 'sketch-motion' ? 'video' : 'image';
  const body = { model_id: model, prompt: 'a fox', ...(user === null ? {} : { end_user: user }) };
  const idempotencyKey = `order ${at}`;
  const made = await createTask(services, key, { type, path: `/v1/${type}s`, body, idempotencyKey, simulate: null });
  return made.task.task_id;
}

async function end(services: TaskServices, id: string, { end: status, told }: Order): Promise<void> {
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
  assert.ok(row !== undefined);
  const ending =
    status === 'succeeded'
      ? { status, outputs: [], keep: null, charge: { amount: row.price, lines: [] } }
      : status === 'failed'
        ? { status, failure: { code: 'upstream_error' as const, message: 'test' } }
        : { status };
  const cost = { engine: 'paid', upstreamModel: null, outcome: status, expected: 4_000, told, reportedUnits: null };
  assert.ok(await commitEnding(services, 'settle', row, ending, told === 0 ? null : cost));
}

/** Everything that is summed from tasks and ledger entries. @param first when the first removed task was created */
async function everything(services: TaskServices, keys: readonly OrderingKey[], first: number) {
  const { database, clock, hooks } = services;
  const { read, reports } = database;
  const now = clock.now();
  const from = dayOf(Number.isFinite(first) ? first : now) * DAY_MS;
  const span = { from, to: now + 2, limit: 1_000, after: null };
  const { removedDay } = await readClosedDays(read, 'usage');
  // Once rows are removed, a span that begins within a day covers the whole day.
  const within = dayOf(from) < removedDay ? { ...span, from: from + 1 } : span;
  const ofKeys = keys.map(async (key) => {
    const owners = ['ann', 'bob'].map((endUser) =>
      viewSpending(read, { keyId: key.id, endUser, zone: 'UTC' }, { now, hooks }),
    );
    const query = { ...within, timezone: 'UTC', scope: 'key' as const, endUser: null, timing: false };
    return {
      balance: await balanceOf(read, key.account.id, key.mode),
      spent: (await spentBeforeLimits(read, key.id, now)).amounts,
      users: await Promise.all(owners),
      usage: await readUsage(kernelOf(services), key, { ...query, groupBy: ['day', 'model_id', 'status'] }),
      byUser: await readUsage(kernelOf(services), key, { ...query, groupBy: ['end_user', 'day'] }),
      ofUser: await readUsage(kernelOf(services), key, { ...query, endUser: 'ann', groupBy: ['status'] }),
      timed: (await readUsage(kernelOf(services), key, { ...query, timing: true, groupBy: [] })).items.map(
        (row) => row.charged,
      ),
    };
  });
  return {
    keys: await Promise.all(ofKeys),
    costs: await reportCosts(reports, { ...span, from: from + 1, groupBy: ['account_id', 'model_id', 'engine'] }),
    ledger: await read.all(read.builder.selectFrom('ledger').selectAll().orderBy('task_id').orderBy('kind')),
    faults: [
      ...(await auditBalances(read)).faults,
      ...(await auditSettlements(read)).faults,
      ...(await auditSpending(read, hooks, now)).faults,
      ...(await auditEndUsers(read, now)).faults,
      ...(await auditDaySums(read)).faults,
    ],
  };
}

async function allTasks({ database: { read } }: TaskServices) {
  return await read.all(
    read.builder.selectFrom('tasks').select(['id', 'created_at', 'completed_at']).orderBy('created_at').orderBy('id'),
  );
}

async function execute({ database }: TaskServices, text: string): Promise<void> {
  const compile = (trx: Transaction) => ({ compile: () => sql.raw(text).compile(trx.builder) }) as Compilable<unknown>;
  await database.write('test', (trx) => trx.run(compile(trx)));
}

async function forget({ database }: TaskServices): Promise<void> {
  const tables = ['tasks', 'ledger', 'ledger_checkpoints', 'task_costs', 'idempotency', 'end_users'] as const;
  const sums = ['usage_days', 'usage_quarters', 'cost_days', 'closed_days', 'spending'] as const;
  const needs = ['reconciliation', 'webhook_deliveries', 'task_waits', 'batches', 'batch_orders'] as const;
  await database.write('forget', async (trx) => {
    for (const table of [...tables, ...sums, ...needs]) await trx.run(trx.builder.deleteFrom(table));
  });
}
