import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '@darkroom-service/engines';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createTask } from '../orders/create-task.ts';
import { findTask } from '../views/find-tasks.ts';
import { reconcileOpenOrders } from './reconcile-open-orders.ts';

forEachDatabase((kind) => {
  for (const [other, status] of [
    ['paid', 'failed'],
    ['free', 'queued'],
    ['not configured', 'queued'],
  ] as const)
    test(`after a restore an order of a free engine whose next route is ${other} is ${status}`, async (t) => {
      const { services, clock } = await openTestServices(t, kind);
      const key = await insertKey(services);
      const body = { model_id: 'flux-2-pro', prompt: 'a fox' };
      const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      const { taskId } = await createTask(services, key, order);
      const engines = new Map([['sketch', { isFree: true } as Engine]]);
      if (other !== 'not configured') engines.set('fal', { isFree: other === 'free' } as Engine);
      await reconcileOpenOrders(services, engines, { cause: 'copied', message: null, since: clock.now() });
      const task = await findTask(services, key, 'image', taskId);
      assert.equal(task.status, status);
      if (status === 'failed') assert.equal(task.error?.code, 'outcome_unknown');
    });
});
