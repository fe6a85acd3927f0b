import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowStart } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createTask } from '../../orders/create-task.ts';
import { InstanceSpends } from './instance-spend.ts';

const MINUTE = 60_000;
const ENGINES = ['fal', 'fal-eu', 'other'];
const LIMITED = ['fal', 'fal-eu'];

const anyOrders = fc.array(
  fc.record({
    engine: fc.constantFrom(...ENGINES),
    afterMs: fc.constantFrom(1, MINUTE, 90 * MINUTE, 26 * 60 * MINUTE, 200 * 60 * MINUTE),
    /** What is known when it ends; `open` = it is submitted and has not ended. */
    end: fc.constantFrom('told', 'expected', 'assumed', 'price', 'unknown outcome', 'refused', 'open'),
    looks: fc.boolean(),
  }),
  { maxLength: 12 },
);

forEachDatabase((kind) => {
  test('what an instance has spent is the sum of its orders of the day and of the month, whenever it is asked', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const known: { engine: string; at: number | null; amount: number }[] = [];
    await fc.assert(
      fc.asyncProperty(anyOrders, async (orders) => {
        const spend = new InstanceSpends(LIMITED);
        const before = await spend.read(database.read, clock.now());
        assert.deepEqual(before, await new InstanceSpends(LIMITED).read(database.read, clock.now()));
        for (const { engine, afterMs, end, looks } of orders) {
          clock.advance(afterMs);
          await placeOrder(engine, end);
          if (looks) await assertSpent(spend);
        }
        await assertSpent(spend);
      }),
      { numRuns: rounds(kind === 'sqlite' ? 25 : 8) },
    );

    async function placeOrder(engine: string, end: string): Promise<void> {
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      const { task_id: id } = (await createTask(services, key, order)).task;
      const [price, told, expected, assumed] = [40_000, 31_000, 29_000, 27_000];
      const now = clock.now();
      const amounts: Record<string, number> = {
        told,
        expected,
        assumed,
        price,
        open: price,
        'unknown outcome': expected,
      };
      known.push({ engine, at: end === 'open' ? null : now, amount: amounts[end] ?? 0 });
      const isCharged = ['told', 'expected', 'assumed', 'price'].includes(end);
      await database.write('test', async (trx) => {
        const { builder } = trx;
        const step = end === 'open' ? 'running' : 'final';
        await trx.run(
          builder
            .updateTable('tasks')
            .set({ queue: `${engine}:live`, step, worker: 'test', next_at: null, price } as never)
            .where('id', '=', id),
        );
        if (isCharged)
          await trx.run(
            builder.insertInto('ledger').values({
              account_id: key.account.id,
              api_key_id: key.id,
              mode: 'live',
              task_id: id,
              kind: 'charge',
              amount: -price,
              created_at: now,
              note: null,
            }),
          );
        if (['told', 'expected', 'assumed', 'unknown outcome'].includes(end))
          await trx.run(
            builder.insertInto('task_costs').values({
              task_id: id,
              account_id: key.account.id,
              model_id: 'sketch',
              engine,
              upstream_model: '',
              outcome: isCharged ? 'succeeded' : 'unknown',
              charged: isCharged ? price : 0,
              expected: end === 'assumed' ? null : expected,
              assumed: end === 'assumed' ? assumed : null,
              told: end === 'told' ? told : null,
              told_units: null,
              settled_at: now,
            }),
          );
      });
    }

    async function assertSpent(spend: InstanceSpends): Promise<void> {
      const now = clock.now();
      const found = await spend.read(database.read, now);
      for (const engine of LIMITED) {
        const since = (start: number) =>
          known
            .filter((order) => order.engine === engine && (order.at === null || order.at >= start))
            .reduce((sum, { amount }) => sum + amount, 0);
        assert.deepEqual(
          found.get(engine) ?? { day: 0, month: 0 },
          { day: since(windowStart('day', now)), month: since(windowStart('month', now)) },
          `${engine} at ${new Date(now).toISOString()}`,
        );
      }
      assert.equal(found.has('other'), false);
    }
  });
});
