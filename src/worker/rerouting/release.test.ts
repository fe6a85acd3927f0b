import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { commitMove } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { Database } from '../../database/database.ts';
import { createTask } from '../../orders/create-task.ts';
import { GATES } from '../../queue/gates.ts';
import type { TaskRow } from '../../record/task.ts';
import { readTask } from '../../record/task-record.ts';
import { PARKED_AT_MOST_MS, wakeOrders } from '../../routing/wake-orders.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import { release } from './release.ts';

/** Orders of one key that may have one task at work, and a worker that claims them. */
async function openQueue(t: TestContext, kind: Database['kind'], prompts: readonly string[], concurrency: number) {
  const { services, clock, database } = await openTestServices(t, kind);
  const key = await insertKey(services, { concurrency });
  for (const prompt of prompts) {
    const body = { model_id: 'sketch', prompt };
    await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  }
  const asked = { worker: 'one', queues: [{ name: 'sketch:live', capacity: 10 }], limit: 1 };
  return {
    services,
    clock,
    claim: async () => (await claimTasks(database, asked)).map(readTask)[0],
    read: async ({ id }: Pick<TaskRow, 'id'>) =>
      (await database.read.first(
        database.read.builder.selectFrom('tasks').selectAll().where('id', '=', id),
      )) as unknown as TaskRow,
    wake: (engine: string) => database.write('wake', (trx) => wakeOrders(trx, engine)),
  };
}

forEachDatabase((kind) => {
  test('a parked order makes room for the next one of its key, and keeps its rank', async (t) => {
    const { services, clock, claim, read, wake } = await openQueue(t, kind, ['a fox', 'a cat'], 1);
    const first = await claim();
    assert.ok(first !== undefined);
    assert.equal(await claim(), undefined, 'the key may have one task at work');
    await release(services, first, { step: 'waiting', afterMs: 60_000 });
    const parked = await read(first);
    assert.deepEqual(
      [parked.worker, parked.claimable, parked.gates, parked.step, parked.rank, (parked.next_at ?? 0) - clock.now()],
      [null, 0, GATES.route, 'waiting', first.rank, 60_000],
    );
    const second = await claim();
    assert.ok(second !== undefined && second.id !== first.id);
    await wake('sketch');
    assert.equal((await claim())?.id, first.id, 'it is looked at again when its engine is back');
    await assert.rejects(
      release(services, first, { step: 'waiting', afterMs: 60_000 }),
      LostClaim,
      'a stale worker puts nothing aside',
    );
  });

  test('an order is parked for at most five minutes, and woken when its engine works again', async (t) => {
    const { services, clock, claim, read, wake } = await openQueue(t, kind, ['a fox', 'a cat', 'an owl', 'a bear'], 3);
    const [parked, refused, held] = [await claim(), await claim(), await claim()];
    assert.ok(parked !== undefined && refused !== undefined && held !== undefined);
    await release(services, parked, { step: 'waiting', afterMs: 3_600_000 });
    const submitting = await commitMove(services, refused, 'submitting');
    await commitMove(services, submitting, 'deferred', { worker: null, next_at: clock.now() + 3_600_000 });
    const waits = async () =>
      await Promise.all([parked, refused].map(async (task) => ((await read(task)).next_at ?? 0) - clock.now()));
    const before = await read(held);
    assert.deepEqual(await waits(), [PARKED_AT_MOST_MS, 3_600_000]);
    await wake('flux');
    assert.deepEqual(await waits(), [PARKED_AT_MOST_MS, 3_600_000], 'another engine has come back');
    await wake('sketch');
    assert.deepEqual(await waits(), [0, 0]);
    assert.deepEqual(await read(held), before, 'what a worker holds is its own');
  });

  test('a parked order that a process claimed before it ended is claimed again after a minute', async (t) => {
    const { services, clock, claim } = await openQueue(t, kind, ['a fox'], 1);
    const first = await claim();
    assert.ok(first !== undefined);
    await release(services, first, { step: 'waiting', afterMs: 60_000 });
    clock.advance(60_000);
    assert.equal((await claim())?.id, first.id);
    assert.equal(await claim(), undefined, 'its process may be alive');
    clock.advance(60_000);
    const again = await claim();
    assert.ok(again?.id === first.id);
    await release(services, again, { step: 'waiting', afterMs: 0 });
    const claimed = await claim();
    assert.deepEqual([claimed?.step, claimed?.gates], ['preparing', 0]);
  });

  test('an order that waits for a slot of its key is not woken by its engine', async (t) => {
    const { claim, read, wake, services } = await openQueue(t, kind, ['a fox', 'a cat'], 1);
    const first = await claim();
    assert.ok(first !== undefined);
    const { read: reader } = services.database;
    const waiting = (await reader.all(
      reader.builder.selectFrom('tasks').selectAll().where('id', '!=', first.id),
    )) as unknown as TaskRow[];
    assert.equal(waiting.length, 1);
    await wake('sketch');
    assert.deepEqual(await read(waiting[0] as TaskRow), waiting[0]);
  });
});
