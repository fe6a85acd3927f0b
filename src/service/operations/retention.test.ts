import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createTask } from '../../orders/create-task.ts';
import { Housekeeping } from '../../worker/housekeeping.ts';
import { applyRetention, DAY_MS, previewRetention } from './retention.ts';

forEachDatabase((kind) => {
  test(`a shorter retention is applied as it was shown, and what a delivery, a webhook, another order or an open order needs stays (${kind})`, async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const start = clock.now();
    const order = async (endedDaysAgo: number | null) => {
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const request = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      const { task_id: id } = (await createTask(services, key, request)).task;
      if (endedDaysAgo === null) return id;
      const endedAt = start - endedDaysAgo * DAY_MS;
      const output = { key: `${id}/0.png`, bytes: 1_000 };
      const ended = { step: 'final', next_at: null, created_at: endedAt - 60_000, completed_at: endedAt };
      const kept = { input_bytes: 24, outputs_json: JSON.stringify([output]) };
      await database.write('test', (trx) =>
        trx.run(
          trx.builder
            .updateTable('tasks')
            .set({ ...ended, ...kept } as object)
            .where('id', '=', id),
        ),
      );
      return id;
    };
    const [young, old, delivered, told, parent] = [
      await order(3),
      await order(8),
      await order(9),
      await order(9),
      await order(9),
    ];
    const open = await order(null);
    await database.write('test', async (trx) => {
      const work = { owner: '', due_at: 0, entered_at: 0, fence: 0, attempts: 0 };
      await trx.run(trx.builder.insertInto('work').values({ kind: 'delivery', subject: delivered, ...work }));
      const row = {
        id: 'whd_1',
        account_id: key.account.id,
        api_key_id: key.id,
        type: 'task.succeeded',
        url: 'https://x',
      };
      const pending = { ...row, task_id: told, status: 'pending', created_at: start, delivered_at: null } as const;
      await trx.run(trx.builder.insertInto('webhook_deliveries').values(pending as never));
      await trx.run(trx.builder.insertInto('task_waits').values({ parent_id: parent, child_id: open, met: 0 }));
    });
    const rows = async () => {
      const found = await database.read.all(
        database.read.builder.selectFrom('tasks').select(['id', 'expires_at', 'erased_at', 'deadline_at']),
      );
      return new Map(found.map((row) => [row.id, row]));
    };
    const before = await rows();
    const request = { now: start, ms: 7 * DAY_MS, hooks: services.hooks };
    const change = await previewRetention(database.read, request);
    assert.deepEqual(change, { orders: 1, accounts: 1, bytes: 1_024, uploads: 0, shortened: 2, kept: 3 });
    assert.deepEqual(await rows(), before, 'a preview changes nothing');

    const by = { actor: 'command line', now: start, createId: services.createId };
    await applyRetention(database, by, request, change);
    const after = await rows();
    const daysOf = (id: string) => (Number(after.get(id)?.expires_at) - start) / DAY_MS;
    assert.deepEqual([daysOf(young), daysOf(old)], [4, -1]);
    assert.equal(Number(after.get(open)?.expires_at), Number(after.get(open)?.deadline_at) + 7 * DAY_MS);
    for (const id of [delivered, told, parent]) assert.equal(after.get(id)?.expires_at, before.get(id)?.expires_at);

    const housekeeping = new Housekeeping(services);
    await housekeeping.runOnce();
    await housekeeping.stop();
    const erased = [...(await rows()).values()].filter(({ erased_at }) => erased_at !== null).map(({ id }) => id);
    assert.deepEqual(erased, [old]);
    assert.deepEqual(
      await previewRetention(database.read, { ...request, ms: 40 * DAY_MS }),
      {
        orders: 0,
        accounts: 0,
        bytes: 0,
        uploads: 0,
        shortened: 0,
        kept: 0,
      },
      'nothing is prolonged',
    );
    const acts = await database.read.all(database.read.builder.selectFrom('audit_log').select(['act', 'detail_json']));
    const told7 = acts.find(({ act }) => act === 'retention.apply');
    assert.deepEqual(JSON.parse(told7?.detail_json ?? ''), { days: 7, ...change });
  });
});
