import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { openTestDatabase } from '../../test/helpers/databases.ts';
import { holdWrites } from '../../test/helpers/hold-writes.ts';
import { changeAccount, createAccount, getAccount, setWebhookUrl } from './accounts.ts';

test('concurrent changes of different fields of an account do not overwrite each other', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const by = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
  await createAccount(database, by, { id: 'acme', creditLimit: null });
  using held = holdWrites(await openAnother());
  const credited = changeAccount(held.database, by, 'acme', { creditLimit: 5_000_000 });
  await held.entered;
  const changed = setWebhookUrl(database, by, { accountId: 'acme', mode: 'live' }, 'https://example.com/ends');
  await held.untilAwaited();
  held.commit();
  await credited;
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

test('a default webhook URL and what goes with it are set together or not at all', async (t) => {
  const { database } = await openTestDatabase(t, 'sqlite');
  const by = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
  await createAccount(database, by, { id: 'acme' });
  const owner = { accountId: 'acme', mode: 'live' } as const;
  const stopped = async () => {
    throw new Error('stopped');
  };
  await assert.rejects(setWebhookUrl(database, by, owner, 'https://example.com/ends', stopped), /stopped/);
  assert.equal((await getAccount(database.read, 'acme')).webhook_url, null);
});
