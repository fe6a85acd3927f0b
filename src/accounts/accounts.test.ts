import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract/ids';
import { until } from '@darkroom-service/testing/until';
import { Client } from 'pg';
import { openTestDatabase } from '../../test/databases.ts';
import { changeAccount, createAccount, getAccount, setWebhookUrl } from './accounts.ts';

test('concurrent changes of different fields of an account do not overwrite each other', async (t) => {
  const { database, address } = await openTestDatabase(t, 'postgres');
  const by = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
  await createAccount(database, by, { id: 'acme', creditLimit: null });
  const other = new Client(address.url ?? '');
  await other.connect();
  t.after(() => other.end());
  await other.query('begin');
  await other.query(`update accounts set credit_limit = 5000000 where id = 'acme'`);
  const changed = setWebhookUrl(database, by, { accountId: 'acme', mode: 'live' }, 'https://example.com/ends');
  await until(
    async () => (await other.query('select 1 from pg_locks where not granted')).rows.length,
    (waiting) => waiting > 0,
  );
  await other.query('commit');
  const expected = ['5.00', 'https://example.com/ends'];
  const { credit_limit: limit, webhook_url: url } = await changed;
  assert.deepEqual([limit, url], expected);
  const { credit_limit: kept, webhook_url: set } = await getAccount(database.read, 'acme');
  assert.deepEqual([kept, set], expected);
});

test('changing an unknown account fails, and an empty change does nothing', async (t) => {
  const { database } = await openTestDatabase(t, 'sqlite');
  const by = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
  await assert.rejects(changeAccount(database, by, 'nobody', { name: 'x' }), { code: 'not_found' });
  const made = await createAccount(database, by, { id: 'acme' });
  assert.deepEqual(await changeAccount(database, by, 'acme', {}), made);
});
