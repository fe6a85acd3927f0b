import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { insertTask } from '../orders/draft-task.ts';
import { countOrdersIn, freeSlots, hasRoomFor, takenSlots } from './queue-capacity.ts';
import { readQueueState, takeFreeSlot } from './queue-state.ts';

const STEPS = ['waiting', 'preparing', 'submitting', 'deferred', 'running', 'final'] as const;
/** Before, at and after the time from which on a deferred order needs no slot. */
const DUE = 1_000;

const order = fc.record({
  step: fc.constantFrom(...STEPS, 'deferred', 'running'),
  claimable: fc.constantFrom(0, 1),
  worker: fc.constantFrom(null, 'one'),
  next_at: fc.constantFrom(null, DUE - 1, DUE, DUE + 1),
  isElsewhere: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

forEachDatabase((kind) => {
  test('deferred orders that are not due and delivered ones that gave theirs up hold no slot, and a slot is free only while no order waits for it', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const { read } = database;
    const key = await insertKey(services);
    const body = { model_id: 'sketch', prompt: 'a fox' };
    await createTask(services, key, { type: 'image', path: '/', body, idempotencyKey: null, simulate: null });
    const [pattern] = await read.all(read.builder.selectFrom('tasks').selectAll());
    assert.ok(pattern !== undefined);
    let round = 0;
    const property = fc.asyncProperty(
      fc.array(order, { maxLength: 8, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      async (orders, capacity) => {
        const queue = `queue ${round++}`;
        await database.write('orders', async (trx) => {
          for (const { isElsewhere, ...state } of orders) {
            const id = services.createId('img');
            insertTask(trx, { ...pattern, id, queue: isElsewhere ? `not ${queue}` : queue });
            await trx.run(trx.builder.updateTable('tasks').set(state).where('id', '=', id));
          }
        });
        const own = orders.filter(({ isElsewhere }) => !isElsewhere);
        const waiting = own.filter(({ step, claimable }) => step === 'waiting' && claimable === 1).length;
        const taken = (due: number) => {
          const inFlight = own.filter(({ step }) => step !== 'waiting' && step !== 'final');
          const without = inFlight.filter(
            ({ step, claimable, worker, next_at: at }) =>
              (step === 'running' && claimable === 0) ||
              (step === 'deferred' && (claimable === 0 || (worker === null && at !== null && at > due))),
          );
          return Math.min(inFlight.length - without.length, capacity);
        };
        assert.equal(await takenSlots(read, { queue, capacity, due: DUE }), taken(DUE));
        const whole = { taken: taken(0), waiting: Math.min(waiting, capacity) };
        assert.deepEqual(await countOrdersIn(read, queue, capacity), whole);
        assert.equal(await hasRoomFor(read, queue, capacity), waiting === 0 || taken(0) < capacity);
        const free = waiting === 0 ? capacity - taken(Number.MAX_SAFE_INTEGER) : 0;
        assert.equal(await freeSlots(read, queue, capacity), free);
        const slots = { capacity, permit: null };
        const begun = await database.write('begin', async (trx) => {
          await readQueueState(trx, { queue, keyId: key.id, line: 0, slotsNow: () => slots, alone: true });
          return await takeFreeSlot(trx, queue, slots);
        });
        assert.equal(begun, free > 0 ? null : false);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
});
