import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Micros } from '@darkroom-service/contract';
import fc from 'fast-check';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import type { Ending } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TaskRow } from './task.ts';
import { addToStoredCost, type OrderCost } from './task-costs.ts';

const QUEUES = [{ name: 'sketch:live', capacity: 100_000 }];
const amount = fc.option(fc.nat({ max: 2_000_000_000 }), { freq: 3 });

interface Step {
  /** Which of the orders. */
  readonly order: number;
  /** A worker ends it with this cost, with its claim or with that of a worker before it; or a late result is told. */
  readonly by: 'worker' | 'stale worker' | 'late result';
  readonly ending: Ending['status'];
  readonly told: Micros | null;
  readonly expected: Micros | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  order: fc.nat({ max: 5 }),
  by: fc.constantFrom('worker', 'worker', 'stale worker', 'late result'),
  ending: fc.constantFrom('succeeded', 'failed', 'canceled'),
  told: amount,
  expected: amount,
});

forEachDatabase((kind) => {
  test('the stored costs are those first told of each settled order, whoever settles and whatever is told again', async (t) => {
    const { services } = await openTestServices(t, kind);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const tasks = await claimedTasks(services, 6);
        const known = new Map<string, { told: Micros | null; expected: Micros | null }>();
        const ended = new Set<string>();
        for (const each of steps) {
          const task = tasks[each.order] as TaskRow;
          const { told, expected } = each;
          const cost = told === null && expected === null ? null : costOf(told, expected);
          if (each.by === 'late result') {
            if (!ended.has(task.id) || cost === null) continue;
            await services.database.write('late', async (trx) =>
              addToStoredCost(trx, task, cost, { charged: 0, now: 2 }),
            );
            const before = known.get(task.id);
            known.set(task.id, { told: before?.told ?? told, expected: before?.expected ?? expected });
            continue;
          }
          const row = each.by === 'stale worker' ? { ...task, fence: task.fence - 1 } : task;
          const isFirst = each.by === 'worker' && !ended.has(task.id);
          assert.equal(await commitEnding(services, 'settle', row, endingOf(each.ending), cost), isFirst);
          if (!isFirst) continue;
          ended.add(task.id);
          if (cost !== null) known.set(task.id, { told, expected });
        }
        await assertStored(services, tasks, known);
      }),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );
  });
});

async function assertStored(
  { database: { read } }: TaskServices,
  tasks: readonly TaskRow[],
  known: ReadonlyMap<string, { readonly told: Micros | null; readonly expected: Micros | null }>,
): Promise<void> {
  const ids = tasks.map(({ id }) => id);
  const rows = await read.all(read.builder.selectFrom('task_costs').selectAll().where('task_id', 'in', ids));
  assert.deepEqual(
    new Map(rows.map(({ task_id, told, expected }) => [task_id, { told, expected }])),
    new Map([...known].sort(([a], [b]) => ids.indexOf(a) - ids.indexOf(b))),
  );
  const sum = (values: readonly (Micros | null)[]) => values.reduce<number>((total, one) => total + (one ?? 0), 0);
  assert.equal(sum(rows.map(({ told }) => told)), sum([...known.values()].map(({ told }) => told)));
}

async function claimedTasks(services: TaskServices, count: number): Promise<TaskRow[]> {
  const key = await insertKey(services);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  for (let placed = 0; placed < count; placed++)
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  const claimed = await claimTasks(services.database, { worker: 'test', queues: QUEUES, limit: 100 });
  return claimed.filter((task) => task.api_key_id === key.id);
}

function costOf(told: Micros | null, expected: Micros | null): OrderCost {
  return { engine: 'paid', upstreamModel: null, outcome: 'failed', expected, told, reportedUnits: null };
}

function endingOf(status: Ending['status']): Ending {
  if (status === 'succeeded') return { status, outputs: [], keep: null, charge: { amount: 0, lines: [] } };
  return status === 'failed' ? { status, failure: { code: 'upstream_error', message: 'test' } } : { status };
}
