import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { cancelTask } from './cancel-task.ts';
import { createTask } from './create-task.ts';

test('a full queue accepts orders again once there is room, also after the clock was set back', async (t) => {
  const { services, clock } = await openTestServices(t);
  const key = await insertKey(services, { queueLimit: 1 });
  const order = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  const create = async () => {
    const { task } = await createTask(services, key, { ...order, body: { model_id: 'sketch', prompt: 'a fox' } });
    return task.task_id;
  };
  const first = await create();
  await assert.rejects(create(), { code: 'queue_full' });
  await cancelTask(services, key, 'image', first);
  clock.advance(-3_600_000);
  await create();
});
