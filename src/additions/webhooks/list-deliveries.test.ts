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
  for (const [filter, index] of [
    [{ mode: 'live' as const }, 'by_mode (mode=?'],
    [{ status: 'failed' as const }, 'failed (status=? AND mode=?'],
    [{ status: 'failed' as const, mode: 'live' as const }, 'failed (status=? AND mode=?'],
    [{ status: 'failed' as const, keyId: 'key_1', accountId: 'acme' }, 'failed_by_key (status=? AND api_key_id=?'],
    [{ status: 'failed' as const, accountId: 'acme' }, 'failed_of (status=? AND account_id=? AND mode=?'],
  ] as const)
    for (const after of [null, 'whd_1']) {
      const plan = await planOf({ ...filter, after });
      assert.ok(plan.includes(`webhook_deliveries_${index}`), plan);
      // A page of each mode is sorted, not all rows of it.
      assert.doesNotMatch(plan.replaceAll('SCAN part; USE TEMP B-TREE', ''), /TEMP B-TREE/);
    }
  for (const owner of [{}, { keyId: 'key_1' }, { accountId: 'acme' }, { accountId: 'acme', mode: 'live' as const }])
    for (const after of [null, 'whd_1']) {
      const plan = await planOf({ status: 'pending', after, ...owner });
      assert.match(plan, /SEARCH work USING .*sqlite_autoindex_work_1 \(kind=\?/);
      assert.match(plan, /SEARCH webhook_deliveries USING INDEX \w+ \((.* AND )?id=\?\)/);
      assert.doesNotMatch(plan, /TEMP B-TREE/);
    }
});
