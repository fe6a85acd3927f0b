import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { parseKey } from '../accounts/key-secret.ts';

test('a key is made with every option, listed without its secret, rotated and revoked', async (t) => {
  const { run, json } = await installation(t);
  const made = await json(
    'keys',
    'create',
    '--mode',
    'live',
    '--name',
    'shop',
    '--expires',
    '90d',
    '--rpm',
    '120',
    '--read-rpm',
    '0',
    '--concurrency',
    '10',
    '--queue',
    '1000',
    '--spend-limit',
    '50/month',
    '--spend-limit',
    '2.5/day',
    '--models',
    'flux-*, sketch',
    '--models',
    'veo-3.1',
    '--account-view',
    '--approve-over',
    '0.5',
    '--end-user-limit',
    '1/day',
    '--timezone',
    'Europe/Berlin',
  );
  const { key, key_id, created_at, expires_at, message, ...rest } = made;
  assert.equal(message, null);
  assert.deepEqual(parseKey(String(key)), { mode: 'live' });
  assert.equal(Date.parse(String(expires_at)) - Date.parse(String(created_at)), 90 * 86_400_000);
  assert.deepEqual(rest, {
    account_id: 'default',
    mode: 'live',
    name: 'shop',
    revoked_at: null,
    previous_until: null,
    models: ['flux-*', 'sketch', 'veo-3.1'],
    rpm: 120,
    read_rpm: 0,
    concurrency: 10,
    queue: 1000,
    spend_limits: { day: '2.50', month: '50.00', total: null },
    end_user_limits: { day: '1.00', month: null, total: null },
    timezone: 'Europe/Berlin',
    account_view: true,
    approve_over: '0.50',
  });

  const listed = await run('keys', 'list', '--json');
  assert.doesNotMatch(listed.stdout, /dk_live_/);
  assert.equal(JSON.parse(listed.stdout).items[0].key_id, key_id);

  const limits = ['--end-user-limit', '20/month', '--end-user-limit', '0/day'];
  const changed = await json('keys', 'change', String(key_id), ...limits);
  assert.deepEqual(changed.end_user_limits, { day: null, month: '20.00', total: null });
  const settings = [
    '--name',
    'shop 2',
    '--expires',
    'never',
    '--rpm',
    '0',
    '--spend-limit',
    '9/total',
    '--models',
    '*',
  ];
  const again = await json(
    'keys',
    'change',
    String(key_id),
    ...settings,
    '--approve-over',
    'none',
    '--no-account-view',
  );
  assert.deepEqual(again, {
    ...rest,
    key_id,
    created_at,
    expires_at: null,
    name: 'shop 2',
    models: [],
    rpm: 0,
    spend_limits: { day: '2.50', month: '50.00', total: '9.00' },
    end_user_limits: changed.end_user_limits,
    account_view: false,
    approve_over: null,
  });

  const rotated = await json('keys', 'rotate', String(key_id), '--grace', '0');
  assert.equal(rotated.key_id, key_id);
  assert.notEqual(rotated.key, key);
  assert.equal((await json('keys', 'revoke', String(key_id))).unreachable_tasks, 0);
  assert.match((await run('keys', 'list')).stdout, /shop 2 +default +\S+ +revoked/);
});

test('--plain prints the key and nothing else', async (t) => {
  const { run } = await installation(t);
  const { code, stdout } = await run('keys', 'create', '--mode', 'test', '--plain');
  assert.equal(code, 0);
  assert.deepEqual(parseKey(stdout.trimEnd()), { mode: 'test' });
  assert.equal(stdout, `${stdout.trim()}\n`);
});

test('wrong arguments exit with 2, and commands that fail with 1', async (t) => {
  const { run } = await installation(t);
  const missing = await run('keys', 'list');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /There is no database at .*Start the service once/);
  const wrong = [
    ['keys', 'create'],
    ['keys', 'create', '--mode', 'root'],
    ['keys', 'create', '--mode', 'test', '--rpm', 'many'],
    ['keys', 'create', '--mode', 'test', '--spend-limit', '50/year'],
    ['keys', 'create', '--mode', 'test', '--expires', 'soon'],
    ['keys', 'change', 'key_1'],
    ['keys', 'change', 'key_1', '--approve-over', 'much'],
    ['accounts', 'credit', 'default', '25,00'],
    ['polish'],
  ];
  await Promise.all(
    wrong.map(async (words) => {
      const { code, stdout, stderr } = await run(...words);
      assert.deepEqual([words, code, stdout], [words, 2, '']);
      assert.notEqual(stderr, '');
    }),
  );
  const nobody = await run('keys', 'create', '--mode', 'test', '--account', 'nobody', '--json');
  assert.deepEqual([nobody.code, nobody.stderr], [1, '']);
  assert.equal(JSON.parse(nobody.stdout).error.code, 'not_found');
  const usage = await run('keys', 'create', '--mode', 'root', '--json');
  assert.deepEqual([usage.code, usage.stderr], [2, '']);
  assert.equal(JSON.parse(usage.stdout).error.code, 'usage');
});

test('an account is made, credited once per idempotency key, and limited', async (t) => {
  const { run, json } = await installation(t);
  const made = await json('accounts', 'create', 'acme', '--name', 'Acme');
  assert.deepEqual([made.account_id, made.balance, made.credit_limit], ['acme', '0.00', '0.00']);
  await json('accounts', 'credit', 'acme', '25.00', '--idempotency-key', 'invoice-7');
  const again = await json('accounts', 'credit', 'acme', '25.00', '--idempotency-key', 'invoice-7');
  assert.deepEqual([again.balance, again.replayed], ['25.00', true]);
  assert.equal((await json('accounts', 'limit', 'acme', 'none')).credit_limit, null);
  assert.equal((await json('accounts', 'limit', 'acme', '12.5')).credit_limit, '12.50');
  const listed = await json('accounts', 'list');
  assert.deepEqual(
    listed.items.map((account) => account.account_id),
    ['acme', 'default'],
  );
  assert.equal((await run('accounts', 'create', 'acme')).code, 1);
});

test('each command that writes is carried out once per idempotency key, and its repetition shows the current state', async (t) => {
  const { run, json } = await installation(t);
  const once = (name: string, ...words: string[]) => json(...words, '--idempotency-key', name);
  const twice = async (name: string, ...words: string[]) =>
    [await once(name, ...words), await once(name, ...words)] as const;
  const [account, sameAccount] = await twice('a', 'accounts', 'create', '--name', 'Acme');
  assert.deepEqual(sameAccount, account);
  const [made, known] = await twice('b', 'keys', 'create', '--mode', 'test', '--expires', '30d');
  assert.deepEqual({ ...known, message: null }, { ...made, key: null });
  assert.match(String(known.message), /rotate the key 'key_\w+' with a new Idempotency-Key/);
  const keyId = String(made.key_id);
  const [rotated, again] = await twice('c', 'keys', 'rotate', keyId);
  assert.deepEqual([typeof rotated.key, again.key], ['string', null]);
  await once('d', 'keys', 'change', keyId, '--rpm', '5');
  await json('keys', 'change', keyId, '--rpm', '7');
  assert.equal((await once('d', 'keys', 'change', keyId, '--rpm', '5')).rpm, 7, 'the later change stands');
  await once('e', 'accounts', 'limit', 'default', '5');
  await json('accounts', 'limit', 'default', '7');
  assert.equal((await once('e', 'accounts', 'limit', 'default', '5')).credit_limit, '7.00', 'the later limit stands');
  const [revoked, stillRevoked] = await twice('f', 'keys', 'revoke', keyId);
  assert.deepEqual(stillRevoked, revoked);
  const reused = await run('keys', 'revoke', keyId, '--idempotency-key', 'e', '--json');
  assert.equal(JSON.parse(reused.stdout).error.code, 'idempotency_key_reused');
  assert.equal((await json('keys', 'list')).items.length, 1);
});

test('wrong settings are told all at once, also as JSON', async (t) => {
  const { directory } = await installation(t);
  const variables = { DARKROOM_PORT: 'x', DARKROOM_COLOUR: 'red' };
  const said = await runDarkroom(['keys', 'list'], variables, directory);
  assert.equal(said.code, 1);
  assert.match(said.stderr, /DARKROOM_COLOUR: .*\n.*DARKROOM_PORT: /);
  const { stdout } = await runDarkroom(['keys', 'list', '--json'], variables, directory);
  assert.equal(JSON.parse(stdout).error.details.length, 2);
});

test('commands that ask the tables of additions find them on an installation that no service has opened', async (t) => {
  const { run } = await installation(t);
  await run('keys', 'create', '--mode', 'live');
  for (const words of [['alerts'], ['retention', 'apply', '--days', '5']])
    assert.deepEqual(((said) => [said.code, said.stderr])(await run(...words)), [0, '']);
});
