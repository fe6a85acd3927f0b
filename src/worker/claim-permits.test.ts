import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { holdWrites } from '../../test/helpers/hold-writes.ts';
import { createPlacingProcess, PLACED } from '../../test/helpers/placing-process.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { Database } from '../database/database.ts';
import { createTask } from '../orders/create-task.ts';
import type { TaskRow } from '../record/task.ts';
import { Permits } from './claim-permits.ts';
import { type Claimer, createClaimer } from './claim-tasks.ts';

const PROCESSES = 3;
/** As a runner does while others claim. */
const MOST_LOOKS = 5;
const QUEUE = 'sketch:live';
const CAPACITY = 30;

type Step =
  | { readonly kind: 'order'; readonly count: number }
  /** All processes claim at the same moment. */
  | { readonly kind: 'claim'; readonly limits: readonly number[] }
  /** All processes place orders that may begin at once, and one of them claims meanwhile. */
  | { readonly kind: 'begin'; readonly counts: readonly number[]; readonly claims: number }
  | { readonly kind: 'end'; readonly count: number }
  /** A process gets a permit and is killed. */
  | { readonly kind: 'die'; readonly limit: number }
  | { readonly kind: 'capacity'; readonly capacity: number }
  | { readonly kind: 'wait' };

const MOST_ORDERS = 6;
const count = fc.integer({ min: 1, max: MOST_ORDERS });
const counts = fc.array(count, { minLength: PROCESSES, maxLength: PROCESSES });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('order' as const), count }),
  fc.record({ kind: fc.constant('claim' as const), limits: counts }),
  fc.record({ kind: fc.constant('begin' as const), counts, claims: fc.nat(PROCESSES - 1) }),
  fc.record({ kind: fc.constant('end' as const), count }),
  fc.record({ kind: fc.constant('die' as const), limit: count }),
  fc.record({ kind: fc.constant('capacity' as const), capacity: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);

test('processes that claim, begin orders as they are placed, and die never exceed the capacity, claim nothing twice, and leave no order waiting', async (t) => {
  const { services, database, clock, openAnother } = await openTestServices(t, 'postgres');
  const handles: Database[] = [];
  while (handles.length < PROCESSES) handles.push((await openAnother()).database);
  const key = await insertKey(services);
  const { read } = database;
  const rows = () => read.all(read.builder.selectFrom('tasks').selectAll().where('step', '!=', 'final'));
  const inFlight = async () => (await rows()).filter(({ step: at }) => at !== 'waiting');
  const end = (tasks: readonly TaskRow[]) =>
    Promise.all(tasks.map((task) => commitEnding(services, 'end', task, { status: 'canceled' })));

  let begun = 0;
  const live = async (capacityAtFirst: number, steps: readonly Step[]) => {
    let capacity = capacityAtFirst;
    /** The orders that were in flight when the capacity was lowered. */
    let most = capacity;
    const permits = handles.map((handle) => new Permits(handle));
    const claimers: Claimer[] = handles.map((handle, place) => createClaimer(handle, `w${place}`, permits[place]));
    const placing = handles.map((handle, place) =>
      createPlacingProcess(
        { ...services, database: handle },
        { worker: `w${place}`, capacity: () => capacity, permits: permits[place]! },
      ),
    );
    const placeAll = (counts: readonly number[]) =>
      Promise.all(placing.flatMap((by, at) => Array.from({ length: counts[at] ?? 0 }, () => by.place(key))));
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
      else if (act.kind === 'begin') {
        // Processes that expect such orders get permits for more than wait.
        await placeAll(act.counts.map(() => 1));
        await claimAll(act.counts.map(() => MOST_ORDERS));
        const limits = act.counts.map((each, index) => (index === act.claims ? each : 0));
        await Promise.all([claimAll(limits), placeAll(act.counts)]);
      } else if (act.kind === 'die') await new Permits(database).ask([{ name: QUEUE, capacity }], act.limit);
      else if (act.kind === 'wait') clock.advance(6_000);
      else if (act.kind === 'capacity') {
        capacity = act.capacity;
        most = (await inFlight()).length;
      } else {
        await Promise.all(Array.from({ length: act.count }, () => createTask(services, key, PLACED)));
      }
      const busy = (await inFlight()).length;
      assert.ok(busy <= Math.max(capacity, most), 'more orders in flight than slots');
      most = Math.min(most, Math.max(capacity, busy));
    }
    begun += placing.reduce((sum, by) => sum + by.begun.length, 0);
    // The permits of the dead end by themselves.
    clock.advance(6_000);
    for (let left = await rows(), round = 0; left.length > 0; left = await rows(), round++) {
      assert.ok(round < 200, 'orders are left waiting');
      const [claimed, busy] = [await claimAll([1, 2, 3]), await inFlight()];
      const isFull = busy.length >= capacity || busy.length === left.length;
      assert.ok(isFull || claimed.some(({ tasks, isBusy }) => tasks.length > 0 || isBusy), 'an order is left waiting');
      await end(busy);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.array(step, { minLength: 3, maxLength: 12 }), live),
    { numRuns: 25 },
  );
  assert.ok(begun > 0, 'no order began as it was placed');
});

test('a transaction that stands still on one order keeps no other process from claiming the others', async (t) => {
  const { services, database, openAnother } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const ids: string[] = [];
  for (let orders = 0; orders < 3; orders++) ids.push((await createTask(services, key, PLACED)).task.task_id);
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

/** One process, with a permit for orders that it has not placed yet, and the orders that fill slots. */
async function openWithPermit(t: TestContext) {
  const { services, database } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const permits = new Permits(database);
  const claimer = createClaimer(database, 'one', permits);
  const process = createPlacingProcess(services, { worker: 'one', capacity: () => CAPACITY, permits });
  const claim = (limit: number) => claimer.claim({ queues: [{ name: QUEUE, capacity: CAPACITY }], limit });
  const { read } = database;
  const countTaken = async () => {
    const rows = await read.all(read.builder.selectFrom('tasks').select('step').where('step', '!=', 'waiting'));
    return rows.length;
  };
  const countPermitted = async () => {
    const rows = await read.all(read.builder.selectFrom('claim_permits').select('orders'));
    return rows.reduce((sum, { orders }) => sum + orders, 0);
  };
  /** Enters units one after the other, which are committed as one group. */
  const together = async (units: readonly (() => Promise<{ readonly placed: Promise<unknown> }>)[]) => {
    const gate = Promise.withResolvers<void>();
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const before = database.write('before', () => {
      begin();
      return gate.promise;
    });
    await began;
    const entered: Promise<unknown>[] = [before];
    for (const unit of units) entered.push((await unit()).placed);
    gate.resolve();
    await Promise.all(entered);
  };
  await process.place(key);
  await claim(1);
  const orders = await countPermitted();
  assert.ok(orders > 1);
  const place = () => process.enter(key);
  return { services, key, claim, countTaken, countPermitted, together, place, process, orders };
}

test('orders that begin and orders that are claimed in one commit use a permit once', async (t) => {
  const { claim, countTaken, together, place, process, orders } = await openWithPermit(t);
  const more = Array.from({ length: orders + 1 }, () => place);
  // Those that begin leave the claim nothing, and it leaves nothing to those after it.
  await together([...more, async () => ({ placed: claim(orders) }), ...more]);
  assert.deepEqual([process.begun.length, await countTaken()], [orders, 1 + orders]);
});

test('orders that are placed after a claim in one commit do not use what it has used of a permit', async (t) => {
  const { key, services, claim, countTaken, together, place, orders } = await openWithPermit(t);
  await createTask(services, key, PLACED);
  const more = Array.from({ length: orders }, () => place);
  await together([async () => ({ placed: claim(1) }), ...more]);
  assert.ok((await countTaken()) <= 1 + orders);
});

test('an order that begins as it is placed leaves one slot less of its permit', async (t) => {
  const { key, process, orders, countPermitted } = await openWithPermit(t);
  await process.place(key);
  assert.deepEqual([process.begun.length, await countPermitted()], [1, orders - 1]);
});
