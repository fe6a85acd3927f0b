import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { claimWork } from '../../database/work.ts';
import { removeDeliveriesOfTask } from './remove-deliveries.ts';
import { enterDelivery, finishAttempt } from './webhook-deliveries.ts';
import { WEBHOOKS } from './webhooks.ts';

forEachDatabase((kind) => {
  test('deliveries go with their deleted order, and others by their age, but for what is still to be sent', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const now = clock.now();
    const enter = async (number: number, subject: string, isPending: boolean, data: string | null = null) => {
      const id = services.createId('whd');
      const type = data === null ? 'task.succeeded' : 'budget.reached';
      const row = { id, account: 'acme', key: 'key', subject, type, url: `http://x/${number}`, now, data } as const;
      await database.write('test', async (trx) => {
        enterDelivery(trx, row);
        if (isPending) return;
        const [claim] = await claimWork(trx, { kind: 'webhook', limit: 1, leaseMs: 1_000, except: [] });
        const outcome = { attemptId: services.createId('wha'), startedAt: now, durationMs: 1, responseStatus: 200 };
        await finishAttempt(trx, claim!, { ...outcome, error: null, nextInMs: null });
      });
    };
    const left = async () => {
      const rows = await database.read.all(
        database.read.builder.selectFrom('webhook_deliveries').select('url').orderBy('id'),
      );
      return rows.map(({ url }) => url.slice(-1)).join('');
    };
    await enter(1, 'img_1', false);
    await enter(2, 'img_1', false, '{}');
    await enter(3, 'img_2', false);
    await enter(4, 'img_1', true);
    await enter(5, 'img_1', true, '{}');
    await enter(6, 'bat_1', true);
    await database.write('test', (trx) => removeDeliveriesOfTask(trx, 'img_1'));
    assert.equal(await left(), '356', 'a notice about the key is still told');
    clock.advance(services.settings.retentionMs + 8 * 86_400_000);
    const [chore] = WEBHOOKS.chores!(kernelOf(services), new AbortController().signal);
    await chore!.run();
    assert.equal(await left(), '56');
    assert.deepEqual(await database.read.all(database.read.builder.selectFrom('webhook_attempts').selectAll()), []);
  });
});
