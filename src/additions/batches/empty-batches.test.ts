import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { BATCHES } from './batches.ts';
import { emptyOldBatches } from './empty-batches.ts';

const DAY_MS = 86_400_000;

forEachDatabase((kind) => {
  test('a batch that is over keeps nothing of its customer beyond the time of its orders, and goes with the last row of them', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const { read, write } = database;
    const enter = async (status: 'processing' | 'succeeded', orders: readonly string[]) => {
      const id = services.createId('bat');
      const of = { api_key_id: 'key', account_id: 'acme', mode: 'live', orders: orders.length, quoted: 0 } as const;
      const wrote = { metadata_json: '{"note":"x"}', webhook_url: 'https://x', deliver_json: null };
      const sums = { max_parallel: null, placed: orders.length, placed_amount: 0, counts_json: null, charged: 0 };
      const times = { created_at: clock.now(), cancel_requested_at: null, completed_at: null };
      const part = { batch_id: id, position: 0, name: 'one', state: 'succeeded', price: 0, charged: 0 } as const;
      await write('test', async (trx) => {
        const { builder } = trx;
        await trx.run(builder.insertInto('batches').values({ id, status, ...of, ...wrote, ...sums, ...times }));
        for (const task_id of orders) await trx.run(builder.insertInto('batch_orders').values({ task_id, ...part }));
      });
      return id;
    };
    const urls = async () => {
      const rows = await read.all(read.builder.selectFrom('batches').select('webhook_url').orderBy('id'));
      return rows.map(({ webhook_url: url }) => url);
    };
    const over = await enter('succeeded', ['img_1', 'img_2']);
    await enter('processing', ['img_3']);
    clock.advance(2 * DAY_MS);
    await enter('succeeded', ['img_4']);
    clock.advance(services.settings.retentionMs + 6 * DAY_MS);
    const { signal } = new AbortController();
    assert.equal(
      await emptyOldBatches(kernelOf(services), '', signal),
      over,
      'one that has not ended is looked at again',
    );
    assert.deepEqual(await urls(), [null, 'https://x', 'https://x']);

    const claim = { scope: 'key', key: 'k', fingerprint: 'f' };
    await write('test', async (trx) => kernelOf(services).idempotency.bind(trx, claim, over));
    for (const id of ['img_1', 'img_3']) await write('test', (trx) => BATCHES.hooks!.forgotten!(trx, [id]));
    assert.equal((await urls()).length, 3);
    await write('test', (trx) => BATCHES.hooks!.forgotten!(trx, ['img_2']));
    assert.equal((await urls()).length, 2);
    await assert.rejects(kernelOf(services).idempotency.find(read, claim), { code: 'task_expired' });
  });
});
