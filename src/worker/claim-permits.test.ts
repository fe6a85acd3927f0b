import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { holdWrites } from '../../test/hold-writes.ts';
import { commitEnding } from '../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import type { Database } from '../database/database.ts';
import { createTask } from '../orders/create-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import { createPermits } from './claim-permits.ts';
import { type Claimer, createClaimer } from './claim-tasks.ts';

const PROCESSES = 3;
/** As a runner does while others claim. */
const MOST_LOOKS = 5;
const QUEUE = 'sketch:live';

type Step =
  | { readonly kind: 'order'; readonly count: number }
  /** All processes claim at the same moment. */
  | { readonly kind: 'claim'; readonly limits: readonly number[] }
  | { readonly kind: 'end'; readonly count: number }
  /** A process gets a permit and is killed. */
  | { readonly kind: 'die'; readonly limit: number }
  | { readonly kind: 'capacity'; readonly capacity: number }
  | { readonly kind: 'wait' };

const count = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('order' as const), count }),
  fc.record({
    kind: fc.constant('claim' as const),
    limits: fc.array(count, { minLength: PROCESSES, maxLength: PROCESSES }),
  }),
  fc.record({ kind: fc.constant('end' as const), count }),
  fc.record({ kind: fc.constant('die' as const), limit: count }),
  fc.record({ kind: fc.constant('capacity' as const), capacity: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);

test('processes that claim at once and die never exceed the capacity, claim nothing twice, and leave no order waiting', async (t) => {
  const { services, database, clock, openAnother } = await openTestServices(t, 'postgres');
  const handles: Database[] = [];
  while (handles.length < PROCESSES) handles.push((await openAnother()).database);
  const key = await insertKey(services);
  const { read } = database;
  const rows = () => read.all(read.builder.selectFrom('tasks').selectAll().where('step', '!=', 'final'));
  const inFlight = async () => (await rows()).filter(({ step: at }) => at !== 'waiting');
  const end = (tasks: readonly TaskRow[]) =>
    Promise.all(tasks.map((task) => commitEnding(services, 'end', task, { status: 'canceled' })));

  const live = async (capacityAtFirst: number, steps: readonly Step[]) => {
    let capacity = capacityAtFirst;
    /** The orders that were in flight when the capacity was lowered. */
    let most = capacity;
    const claimers: Claimer[] = handles.map((handle, place) => createClaimer(handle, `w${place}`));
    const seen = new Set<string>();
    const claimAll = async (limits: readonly number[]) => {
      const queues = [{ name: QUEUE, capacity }];
      const all = await Promise.all(
        claimers.map(async (one, place) => {
          for (let attempt = 1; ; attempt++) {
            const claimed = await one.claim({ queues, limit: limits[place] ?? 1 });
            if (claimed.tasks.length > 0 || !claimed.isBusy || attempt === MOST_LOOKS) return claimed;
            await delay(1);
          }
        }),
      );
      for (const { id, fence } of all.flatMap(({ tasks }) => tasks)) {
        assert.ok(!seen.has(`${id} ${fence}`), 'claimed twice');
        seen.add(`${id} ${fence}`);
      }
      assert.ok((await inFlight()).length <= Math.max(capacity, most), 'more orders in flight than slots');
      return all;
    };
    for (const act of steps) {
      if (act.kind === 'claim') await claimAll(act.limits);
      else if (act.kind === 'end') await end((await inFlight()).slice(0, act.count));
      else if (act.kind === 'die') await createPermits(database).ask([{ name: QUEUE, capacity }], act.limit);
      else if (act.kind === 'wait') clock.advance(6_000);
      else if (act.kind === 'capacity') {
        capacity = act.capacity;
        most = (await inFlight()).length;
      } else {
        const body = { model_id: 'sketch', prompt: 'a fox' };
        const order = { type: 'image', path: '/', body, idempotencyKey: null, simulate: null } as const;
        await Promise.all(Array.from({ length: act.count }, () => createTask(services, key, order)));
      }
      most = Math.min(most, Math.max(capacity, (await inFlight()).length));
    }
    // The permits of the dead end by themselves.
    clock.advance(6_000);
    for (let left = await rows(), round = 0; left.length > 0; left = await rows(), round++) {
      assert.ok(round < 200, 'orders are left waiting');
      const [claimed, busy] = [await claimAll([1, 2, 3]), await inFlight()];
      const isFull = busy.length >= capacity || busy.length === left.length;
      assert.ok(isFull || claimed.some(({ tasks, isBusy }) => tasks.length > 0 || isBusy), 'an order is left waiting');
      await end(busy);
    }
    const permits = await read.all(read.builder.selectFrom('claim_permits').select('orders'));
    assert.ok(permits.length <= PROCESSES);
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.array(step, { minLength: 3, maxLength: 12 }), live),
    { numRuns: 25 },
  );
});

test('a transaction that stands still on one order keeps no other process from claiming the others', async (t) => {
  const { services, database, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  const order = { type: 'image', path: '/', body, idempotencyKey: null, simulate: null } as const;
  const ids: string[] = [];
  for (let orders = 0; orders < 3; orders++) ids.push((await createTask(services, key, order)).task.task_id);
  using held = holdWrites((await openAnother()).database);
  const stalled = held.database.write('stall', (trx) =>
    trx.all(trx.builder.selectFrom('tasks').select('id').where('id', '=', ids[0]!).forUpdate()),
  );
  await held.entered;
  const claimed = await Promise.race([
    createClaimer(database, 'one').claim({ queues: [{ name: QUEUE, capacity: 10 }], limit: 10 }),
    held.untilAwaited().then(() => null),
  ]);
  assert.deepEqual(claimed?.tasks.map(({ id }) => id).sort(), ids.slice(1).toSorted());
  held.commit();
  await stalled;
});
