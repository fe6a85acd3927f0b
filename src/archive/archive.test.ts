import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/databases.ts';
import { placeOrder } from '../../test/ended-order.ts';
import { commitEnding } from '../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { closeDays, DAY_MS } from '../accounts/closed-days.ts';
import { checkpointAt, readSpending } from '../accounts/end-user-spending.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { spentBeforeLimits } from '../accounts/start-counting.ts';
import { readUsage } from '../accounts/usage.ts';
import { usageDays } from '../accounts/usage-days.ts';
import { auditArchives } from '../operations/audit-archives.ts';
import { auditDaySums } from '../operations/audit-day-sums.ts';
import { auditEndUsers } from '../operations/audit-end-users.ts';
import { auditBalances, auditSettlements } from '../operations/audit-ledger.ts';
import { reportCosts } from '../operations/cost-report.ts';
import { openFileStorage } from '../storage/file-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { costDays } from '../tasks/cost-days.ts';
import { eraseTask } from '../tasks/erase-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTask } from '../views/find-tasks.ts';
import { readArchive } from './archive-file.ts';
import { archiveTasks } from './archive-tasks.ts';

const HOUR_MS = 3_600_000;

const order = fc.record({
  key: fc.nat({ max: 1 }),
  user: fc.constantFrom(null, 'ann', 'bob'),
  model: fc.constantFrom('sketch', 'sketch-motion'),
  waitHours: fc.nat({ max: 30 }),
  end: fc.constantFrom('succeeded', 'succeeded', 'failed', 'canceled'),
  told: fc.option(fc.nat({ max: 90_000 }), { nil: null }),
  isKept: fc.boolean(),
});
const orders = fc.array(order, { minLength: 3, maxLength: 25 });
type Order = typeof order extends fc.Arbitrary<infer One> ? One : never;

forEachDatabase((kind) => {
  test('archiving leaves balances, spending and reports as they are, and each task in its rows or in one file', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const storage = await openArchives(t);
    await fc.assert(
      fc.asyncProperty(orders, fc.nat({ max: 24 * 20 }), async (placed, closedHours) => {
        await forget(services);
        const began = clock.now();
        const keys = [await insertKey(services), await insertKey(services)];
        const ids: string[] = [];
        for (const one of placed) ids.push(await placeAndEndAs(services, clock, keys[one.key]!, one));
        await storeCheckpoint(services, keys[0]!, began + closedHours * HOUR_MS);
        const ended = new Date(clock.now());
        const before = Date.UTC(ended.getUTCFullYear(), ended.getUTCMonth() + 1);
        clock.advance(before + 9 * DAY_MS - clock.now());
        for (const [place, id] of ids.entries())
          if (!placed[place]!.isKept) await eraseTask(services, id, { deletedAt: null });
        await closeDays(database, usageDays, clock.now());
        await closeDays(database, costDays, clock.now());
        const found = await everything(services, storage, keys);
        const options = { database, storage, before, readersMs: 0, now: clock.now(), createId: services.createId };
        await archiveTasks({ ...options, tasksPerFile: 7, tasksPerCommit: 3 });
        assert.deepEqual(await everything(services, storage, keys), found);
        const archived = await archivedIds(services, storage);
        const left = (await database.read.all(database.read.builder.selectFrom('tasks').select('id'))).map(
          ({ id }) => id,
        );
        assert.deepEqual([...archived, ...left].sort(), [...ids].sort());
        assert.equal(archived.length, placed.filter(({ isKept }) => !isKept).length);
        assert.deepEqual(await archiveTasks(options), []);
        const [one] = archived;
        if (one === undefined) return;
        const asked = findTask(services, keys[0]!, 'image', one);
        await assert.rejects(asked, { code: 'task_archived', status: 410 });
      }),
      { numRuns: kind === 'sqlite' ? 25 : 6 },
    );
  });
});

async function openArchives(t: TestContext): Promise<Storage> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-archive-'));
  const storage = await openFileStorage(directory);
  t.after(async () => {
    await storage.close();
    await rm(directory, { recursive: true });
  });
  return storage;
}

async function placeAndEndAs(
  services: TaskServices,
  clock: { advance(ms: number): void },
  key: OrderingKey,
  { user, model, waitHours, end, told }: Order,
): Promise<string> {
  clock.advance(waitHours * HOUR_MS);
  const type = model === 'sketch' ? 'image' : 'video';
  const body = { model_id: model, prompt: 'a fox', ...(user === null ? {} : { end_user: user }) };
  const row = await placeOrder(services, key, type, body);
  const ending =
    end === 'succeeded'
      ? { status: end, outputs: [], keep: null, charge: { amount: row.price, lines: [] } }
      : end === 'failed'
        ? { status: end, failure: { code: 'upstream_error' as const, message: 'test' } }
        : { status: end };
  const cost = { engine: 'paid', upstreamModel: null, outcome: end, expected: 4_000, told, toldUnits: null };
  assert.ok(await commitEnding(services, 'settle', row, ending, told === 0 ? null : cost));
  return row.id;
}

/** The sum of an end user's older orders, as a busy end user has it. */
async function storeCheckpoint({ database }: TaskServices, key: OrderingKey, at: number): Promise<void> {
  const { total, month, day } = await checkpointAt(database.read, { keyId: key.id, endUser: 'ann' }, null, at);
  const closed = { closed_at: at, closed_day: day, closed_month: month, closed_total: total };
  await database.write('test', (trx) =>
    trx.run(
      trx.builder.insertInto('end_users').values({ api_key_id: key.id, end_user: 'ann', limits_json: '{}', ...closed }),
    ),
  );
}

/** Everything that is summed from tasks and ledger entries. */
async function everything({ database, clock }: TaskServices, storage: Storage, keys: readonly OrderingKey[]) {
  const { read, reports } = database;
  const now = clock.now();
  const span = { from: Date.UTC(2026, 10), to: now, limit: 1_000, after: null };
  const ofKeys = keys.map(async (key) => {
    const owners = ['ann', 'bob'].map((endUser) => readSpending(read, { keyId: key.id, endUser }, null, now));
    const query = { ...span, scope: 'key' as const, endUser: null, timing: false };
    return {
      balance: await balanceOf(read, key.account.id, key.mode),
      spent: (await spentBeforeLimits(read, key.id, now)).amounts,
      users: (await Promise.all(owners)).map(({ spending }) => spending),
      usage: (await readUsage(reports, key, { ...query, groupBy: ['day', 'model_id', 'status'] })).items,
      // Erased tasks have no end user, whether they are archived or not.
      byUser: (await readUsage(reports, key, { ...query, groupBy: ['end_user', 'day'] })).items,
    };
  });
  return {
    keys: await Promise.all(ofKeys),
    costs: (await reportCosts(reports, { ...span, groupBy: ['account_id', 'model_id', 'engine'] })).items,
    faults: [
      ...(await auditBalances(read)).faults,
      ...(await auditSettlements(read)).faults,
      ...(await auditEndUsers(read)).faults,
      ...(await auditDaySums(read)).faults,
      ...(await auditArchives(read, storage)).faults,
    ],
  };
}

async function archivedIds({ database: { read } }: TaskServices, storage: Storage): Promise<string[]> {
  const ids: string[] = [];
  for (const archive of await read.all(read.builder.selectFrom('archives').selectAll())) {
    const records = await readArchive(storage, archive.storage_key, archive);
    for (const { task, ledger, idempotency } of records) {
      const movements = ledger.map(({ amount }) => amount);
      assert.equal(
        movements.reduce((sum, amount) => sum + amount, task.charged ?? 0),
        0,
      );
      assert.equal(idempotency.length, 1);
      ids.push(task.id);
    }
  }
  return ids;
}

async function forget({ database }: TaskServices): Promise<void> {
  const tables = ['tasks', 'ledger', 'ledger_checkpoints', 'task_costs', 'idempotency', 'end_users'] as const;
  const sums = ['usage_days', 'cost_days', 'closed_days', 'archives', 'archived_sums'] as const;
  await database.write('forget', async (trx) => {
    for (const table of [...tables, ...sums]) await trx.run(trx.builder.deleteFrom(table));
  });
}
