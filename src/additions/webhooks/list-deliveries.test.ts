import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import type { Compilable } from 'kysely';
import { openTestDatabase } from '../../../test/helpers/databases.ts';
import type { Session } from '../../database/database.ts';
import { type DeliveryFilter, listDeliveries } from './list-deliveries.ts';

test('every query of a page of deliveries uses an index', async (t) => {
  const { database, address } = await openTestDatabase(t, 'sqlite');
  const file = new DatabaseSync(address.path, { readOnly: true });
  t.after(() => file.close());
  const planOf = async (filter: Partial<DeliveryFilter>): Promise<string> => {
    let plan = '';
    const session = {
      builder: database.read.builder,
      async all(query: Compilable<unknown>) {
        const { sql, parameters } = query.compile();
        const steps = file.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
        plan = steps.map((step) => String(step.detail)).join('; ');
        return [];
      },
    };
    const none = { keyId: null, accountId: null, mode: null, status: null, taskId: null, after: null };
    await listDeliveries(session as unknown as Session, { ...none, limit: 20, ...filter });
    return plan;
  };
  assert.match(await planOf({ keyId: 'key_1', accountId: 'acme' }), /USING INDEX webhook_deliveries_by_key/);
  assert.match(await planOf({ accountId: 'acme' }), /USING INDEX webhook_deliveries_by_account/);
  assert.match(await planOf({ accountId: 'acme', mode: 'test' }), /USING INDEX webhook_deliveries_by_account/);
  assert.match(await planOf({ taskId: 'img_1' }), /USING INDEX webhook_deliveries_by_task/);
  assert.match(await planOf({ taskId: 'img_1', keyId: 'key_1' }), /USING INDEX webhook_deliveries_by_task/);
  assert.match(
    await planOf({ taskId: 'img_1', accountId: 'acme', mode: 'test' }),
    /USING INDEX webhook_deliveries_by_task/,
  );
  assert.match(await planOf({ status: 'failed' }), /USING INDEX webhook_deliveries_failed/);
  for (const owner of [{ keyId: 'key_1' }, {}, { mode: 'live' as const }]) {
    const plan = await planOf({ status: 'failed', accountId: 'acme', ...owner });
    assert.match(
      plan,
      /SEARCH webhook_deliveries USING INDEX webhook_deliveries_failed_of \(status=\? AND account_id=\?/,
    );
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
  for (const owner of [{}, { keyId: 'key_1' }, { accountId: 'acme' }, { accountId: 'acme', mode: 'live' as const }])
    for (const after of [null, 'whd_1']) {
      const plan = await planOf({ status: 'pending', after, ...owner });
      assert.match(plan, /SEARCH work USING .*sqlite_autoindex_work_1 \(kind=\?/);
      assert.match(plan, /SEARCH webhook_deliveries USING INDEX sqlite_autoindex_webhook_deliveries_1 \(id=\?\)/);
      assert.doesNotMatch(plan, /TEMP B-TREE/);
    }
});
