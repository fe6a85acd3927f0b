import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listActs } from '@darkroom-service/addition-common/operators/search-acts';
import { createIdFactory } from '@darkroom-service/contract';
import { ADMIN_SCOPE, doOnce } from '../database/deeds.ts';
import { openDatabase } from '../database/open-database.ts';
import { createAccount, getAccount } from './accounts.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from './api-keys.ts';
import type { Act } from './audit.ts';
import { creditAccount, creditFingerprint } from './credits.ts';
import { createSecret, parseKey } from './key-secret.ts';
import { createKeyring } from './keyring.ts';

async function open(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  const clock = {
    time: Date.UTC(2026, 10, 20),
    now() {
      return this.time;
    },
  };
  const database = await openDatabase({ url: null, path: join(directory, 'darkroom.db'), clock });
  t.after(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });
  const createId = createIdFactory(() => clock.now());
  const by = (): Act => ({ actor: 'test', now: clock.now(), createId });
  await createAccount(database, by(), { id: 'default', creditLimit: null });
  return {
    database,
    clock,
    by,
    keyring: createKeyring({
      database,
      clock,
      cell: null,
      clientSecrets: () => ({ signing: 'test', accepted: ['test'] }),
    }),
  };
}

test('a secret has the documented format, and its checksum detects any changed character', () => {
  const secret = createSecret('live', null);
  assert.match(secret, /^dk_live_[0-9A-Za-z]{36}$/);
  assert.deepEqual(parseKey(secret), { mode: 'live' });
  for (let place = 0; place < secret.length; place++) {
    const changed = `${secret.slice(0, place)}${secret[place] === 'x' ? 'y' : 'x'}${secret.slice(place + 1)}`;
    assert.equal(parseKey(changed), null, changed);
  }
});

test('a key authenticates with its secret and is stored without it', async (t) => {
  const { database, by, keyring } = await open(t);
  const issued = await issueKey(database, by(), { accountId: 'default', mode: 'test', models: ['flux-*'] });
  const key = await keyring.authenticate(`Bearer ${issued.key}`);
  assert.equal(key.id, issued.key_id);
  assert.deepEqual([key.mode, key.models, key.account.id, key.readsPerMinute], ['test', ['flux-*'], 'default', 3000]);
  assert.equal(await keyring.authenticate(`bearer  ${issued.key}`), key);
  const stored = await database.read.all(database.read.builder.selectFrom('api_keys').selectAll());
  assert.ok(!JSON.stringify(stored).includes(issued.key));
  assert.ok(!JSON.stringify(await listKeys(database.read)).includes('hash'));
});

test('an invalid key is refused with the code for its reason', async (t) => {
  const { keyring } = await open(t);
  const headers = { 'www-authenticate': 'Bearer' };
  for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b'])
    await assert.rejects(keyring.authenticate(authorization), { code: 'missing_api_key', status: 401, headers });
  for (const secret of ['dk_live_abc', 'nonsense', createSecret('live', null)])
    await assert.rejects(keyring.authenticate(`Bearer ${secret}`), { code: 'invalid_api_key', status: 401, headers });
});

test('a revoked key stops at once in this process and within two seconds in others', async (t) => {
  const { database, by, keyring, clock } = await open(t);
  const elsewhere = createKeyring({
    database,
    clock,
    cell: null,
    clientSecrets: () => ({ signing: 'test', accepted: ['test'] }),
  });
  const issued = await issueKey(database, by(), { accountId: 'default', mode: 'live' });
  const authorization = `Bearer ${issued.key}`;
  await keyring.authenticate(authorization);
  await elsewhere.authenticate(authorization);
  const revoked = await revokeKey(database, by(), issued.key_id);
  assert.equal(revoked.unreachable_tasks, 0);
  keyring.forget();
  await assert.rejects(keyring.authenticate(authorization), { code: 'revoked_api_key' });
  await elsewhere.authenticate(authorization);
  clock.time += 2_000;
  await assert.rejects(elsewhere.authenticate(authorization), { code: 'revoked_api_key' });
  await assert.rejects(rotateKey(database, by(), issued.key_id, { graceMs: 0 }), { code: 'invalid_request' });
});

test('after a rotation both secrets are the same key until the grace time is over', async (t) => {
  const { database, by, keyring, clock } = await open(t);
  const first = await issueKey(database, by(), { accountId: 'default', mode: 'live' });
  const second = await rotateKey(database, by(), first.key_id, { graceMs: 10_000 });
  assert.equal((await keyring.authenticate(`Bearer ${first.key}`)).id, first.key_id);
  assert.equal((await keyring.authenticate(`Bearer ${second.key}`)).id, first.key_id);
  clock.time += 9_999;
  await keyring.authenticate(`Bearer ${first.key}`);
  clock.time += 1;
  await assert.rejects(keyring.authenticate(`Bearer ${first.key}`), { code: 'revoked_api_key' });
  await keyring.authenticate(`Bearer ${second.key}`);
});

test('a key ends at its expiry to the millisecond', async (t) => {
  const { database, by, keyring, clock } = await open(t);
  const expiresAt = clock.now() + 1_000;
  const { key } = await issueKey(database, by(), { accountId: 'default', mode: 'live', expiresAt });
  await keyring.authenticate(`Bearer ${key}`);
  clock.time += 999;
  await keyring.authenticate(`Bearer ${key}`);
  clock.time += 1;
  await assert.rejects(keyring.authenticate(`Bearer ${key}`), { code: 'expired_api_key' });
});

test('all faults of a new key are reported together, and an unknown account gets no key', async (t) => {
  const { database, by } = await open(t);
  await assert.rejects(
    issueKey(database, by(), { accountId: 'default', mode: 'live', name: ' ', createsPerMinute: -1, models: ['A b'] }),
    (error: { details: { param: string }[] }) => {
      assert.deepEqual(
        error.details.map((fault) => fault.param),
        ['name', 'models[0]', 'rpm'],
      );
      return true;
    },
  );
  await assert.rejects(issueKey(database, by(), { accountId: 'nobody', mode: 'live' }), { code: 'not_found' });
  assert.equal((await listKeys(database.read)).length, 0);
});

test('a credit with an idempotency key is entered once, and every act is on record', async (t) => {
  const { database, by } = await open(t);
  const credit = (amount: number) =>
    doOnce(
      { database, now: by().now },
      { scope: ADMIN_SCOPE, key: 'c-1', fingerprint: creditFingerprint('default', amount, null) },
      {
        make: (binding) => creditAccount(database, { ...by(), binding }, 'default', { amount }),
        again: (id) => getAccount(database.read, id),
      },
    );
  assert.equal((await credit(25_000_000)).replayed, false);
  const again = await credit(25_000_000);
  assert.deepEqual([again.replayed, again.answer.balance], [true, '25.00']);
  await assert.rejects(credit(1), { code: 'idempotency_key_reused' });
  await creditAccount(database, by(), 'default', { amount: -5_000_000 });
  assert.equal((await getAccount(database.read, 'default')).balance, '20.00');
  const acts = await listActs(database.read, { limit: 2, after: null });
  assert.deepEqual([acts.items.map((entry) => entry.act), acts.hasMore], [['account.credit', 'account.credit'], true]);
  const rest = await listActs(database.read, { limit: 2, after: acts.items[1]!.audit_id });
  assert.deepEqual([rest.items.map((entry) => entry.act), rest.hasMore], [['account.create'], false]);
});

test('a key that was revoked elsewhere stops working in time, also where the clock is set back meanwhile', async (t) => {
  const { database, clock, by, keyring } = await open(t);
  const issued = await issueKey(database, by(), { accountId: 'default', mode: 'test' });
  await keyring.authenticate(`Bearer ${issued.key}`);
  clock.time -= 3_600_000;
  await revokeKey(database, by(), issued.key_id);
  clock.time += 3_000;
  await assert.rejects(keyring.authenticate(`Bearer ${issued.key}`), { code: 'revoked_api_key' });
});
