import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDED } from '../../test/additions.ts';
import { forEachDatabase } from '../../test/databases.ts';
import { placeAndEnd } from '../../test/ended-order.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';
import { beforeJoins } from '../../test/upgrade/before-joins.ts';
import { execute, placeOldSchema, readOldInstallation } from '../../test/upgrade/version-52.ts';
import { listErasures } from '../additions/privacy/data-requests.ts';
import { readLinks } from '../additions/shares/shared-tasks.ts';
import { readDelivery } from '../additions/webhooks/webhook-deliveries.ts';
import { ensureSecret } from '../additions/webhooks/webhook-secrets.ts';
import { openDatabase } from './open-database.ts';

forEachDatabase((kind, openTestDatabase) => {
  test('the webhook secrets of older schemas sign the events of the same modes as before', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    for (const [table, secret] of [
      ['webhook_secrets', 'whsec_live'],
      ['webhook_test_secrets', 'whsec_test'],
    ])
      await execute(database, `insert into ${table} values ('acc_old', '${secret}', 5, null)`);
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    for (const mode of ['live', 'test'] as const)
      assert.deepEqual(await ensureSecret(upgraded, { accountId: 'acc_old', mode }, 6), [
        { secret: `whsec_${mode}`, createdAt: 5, validUntil: null },
      ]);
  });

  test('deliveries of older schemas keep what their events say', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await beforeJoins(database);
    for (const [id, type] of [
      ['whd_1', 'budget.reached'],
      ['whd_2', 'task.failed'],
    ])
      await execute(
        database,
        `insert into webhook_deliveries (id, account_id, api_key_id, task_id, type, url, status, created_at)
          values ('${id}', 'acc_old', 'key_old', 'img_old', '${type}', 'https://example.com/', 'pending', 5)`,
      );
    await execute(database, `insert into webhook_data values ('whd_1', '{"share":80}')`);
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    const told = async (id: string) => (await readDelivery(upgraded.read, id))?.data_json;
    assert.deepEqual([await told('whd_1'), await told('whd_2')], ['{"share":80}', null]);
  });

  test('erasures of older schemas take uploads along if they were asked to', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await beforeJoins(database);
    for (const id of ['era_1', 'era_2'])
      await execute(
        database,
        `insert into data_requests (id, kind, account_id, requested_at, cleaned_to, orders, files, waiting)
          values ('${id}', 'erasure', 'acc_old', 5, '', 0, 0, 0)`,
      );
    await execute(database, "insert into erasure_choices values ('era_2', 'acc_old', 1)");
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    const { items } = await listErasures(upgraded.read, { limit: 2, after: null });
    assert.deepEqual(
      items.map(({ erasure_id, uploads }) => [erasure_id, uploads]),
      [
        ['era_2', true],
        ['era_1', false],
      ],
    );
  });

  test('links of older schemas show the tasks that they showed, in their order, one or a list', async (t) => {
    const { services, clock, database, address } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const tasks = [await placeAndEnd(services, key), await placeAndEnd(services, key)];
    await beforeJoins(database);
    const rest = `'${key.id}', '${tasks[0]}', 1, 5, ${clock.now() + 60_000}`;
    await execute(database, `insert into shares values ('shr_one', ${rest}), ('shr_two', ${rest})`);
    for (const [position, id] of tasks.entries())
      await execute(database, `insert into share_tasks values ('shr_two', ${position}, '${id}')`);
    const upgraded = await openDatabase({ ...address, added: ADDED });
    t.after(() => upgraded.close());
    const linked = await readLinks({ database: upgraded, clock }, key.id, ['shr_one', 'shr_two']);
    assert.deepEqual(
      linked.map((link) => [link.id, link.tasks, link.shows_prompt, link.created_at]),
      [
        ['shr_two', tasks, 1, 5],
        ['shr_one', [tasks[0]], 1, 5],
      ],
    );
    const rows = await upgraded.read.all(upgraded.read.builder.selectFrom('shares').select(['id', 'is_list']));
    assert.deepEqual(new Set(rows.map(({ id, is_list }) => `${id} ${is_list}`)), new Set(['shr_one 0', 'shr_two 1']));
  });
});
