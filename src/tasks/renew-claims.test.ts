import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../test/databases.ts';
import { insertKey, openTestDesk } from '../../test/desk.ts';
import { claimTasks, renewClaims } from './claim-tasks.ts';
import { createTask } from './create-task.ts';
import { letGo, moveTask } from './move-task.ts';

const order = { type: 'image', path: '/v1/images', body: { model_id: 'sketch', prompt: 'a fox' } } as const;

forEachDatabase((kind) => {
  test('a task that was just let go is not put off by the renewal of the claim that it had', async (t) => {
    const { desk } = await openTestDesk(t, kind);
    const { database } = desk;
    await createTask(desk, await insertKey(desk), { ...order, idempotencyKey: null, simulate: null });
    const queues = [{ name: 'sketch:live', capacity: 10 }];
    const claim = () => database.write('claim', (trx) => claimTasks(trx, { worker: 'w', queues, limit: 10 }));
    const [claimed] = await claim();
    assert.ok(claimed !== undefined);
    const renew = () => database.write('renew', (trx) => renewClaims(trx, [claimed]));
    assert.deepEqual(await renew(), ['kept']);
    await letGo(desk, await moveTask(desk, 'submitting', claimed, 'submitting'), { afterMs: 0, attempts: 0 });
    assert.deepEqual(await renew(), ['lost']);
    assert.deepEqual(
      (await claim()).map(({ id }) => id),
      [claimed.id],
    );
  });
});
