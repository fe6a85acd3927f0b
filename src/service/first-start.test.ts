import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { ensureDefaultAccount, listAccounts } from '../accounts/accounts.ts';
import { issueKey, listKeys } from '../accounts/api-keys.ts';
import { createKeyring } from '../accounts/keyring.ts';
import { openDatabase } from '../database/open-database.ts';
import { FIRST_KEYS_FILE, firstStart } from './first-start.ts';

const SECRET = /dk_(?:test|live|admin)_[0-9A-Za-z]+/g;

async function start(t: TestContext) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  const database = await openDatabase({ url: null, path: join(dataDirectory, 'darkroom.db') });
  t.after(async () => {
    await database.close();
    await rm(dataDirectory, { recursive: true });
  });
  const by = { actor: 'first start', now: systemClock.now(), createId: createIdFactory(() => systemClock.now()) };
  const offered: object[] = [];
  const welcome = (keys: object) => {
    offered.push(keys);
    return ['Welcome'];
  };
  const run = async (terminal: boolean) => {
    const printed: string[] = [];
    const print = (text: string) => printed.push(text);
    const shown = await firstStart({ database, dataDirectory, cell: null, terminal, print, welcome });
    return { shown, printed: printed.join('\n') };
  };
  const authenticate = (secret: string) =>
    createKeyring({
      database,
      clock: systemClock,
      cell: null,
      clientSecrets: () => ({ signing: 'test', accepted: ['test'] }),
    }).authenticate(`Bearer ${secret}`);
  return { database, dataDirectory, by, run, offered, authenticate };
}

test('on a terminal the first start prints one key of each kind, which work, and the next start prints nothing', async (t) => {
  const { database, run, authenticate } = await start(t);
  const { shown, printed } = await run(true);
  assert.equal(shown, true);
  const secrets = printed.match(SECRET) ?? [];
  const keys = await Promise.all(secrets.map(authenticate));
  assert.deepEqual(keys.map((key) => key.mode).sort(), ['admin', 'live', 'test']);
  assert.equal(keys.find((key) => key.mode === 'live')?.spendLimits.day, 20_000_000);
  assert.match(printed, /20 dollars a day/);
  const [account] = await listAccounts(database.read);
  assert.deepEqual([account?.account_id, account?.credit_limit], ['default', null]);
  assert.deepEqual(await run(true), { shown: false, printed: '' });
});

test('on a terminal the first start prints what additions say about the very keys it prints', async (t) => {
  const { run, offered } = await start(t);
  const { printed } = await run(true);
  assert.match(printed, /^Welcome$/m);
  assert.deepEqual(Object.values(offered[0] ?? {}).sort(), [...(printed.match(SECRET) ?? [])].sort());
});

test('without a terminal no secret is printed: they go to a file for its owner alone', async (t) => {
  const { dataDirectory, run, offered, authenticate } = await start(t);
  const { printed } = await run(false);
  assert.deepEqual(offered, [], 'what additions say may be a secret too');
  assert.doesNotMatch(printed, SECRET);
  const path = join(dataDirectory, FIRST_KEYS_FILE);
  assert.ok(printed.includes(path));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const secrets = (await readFile(path, 'utf8')).match(SECRET) ?? [];
  assert.equal(new Set(secrets).size, 3);
  await Promise.all(secrets.map(authenticate));
});

test('a first start that was interrupted before the keys were shown is repeated with new secrets', async (t) => {
  const { database, dataDirectory, run, authenticate } = await start(t);
  const cut = firstStart({
    database,
    dataDirectory,
    cell: null,
    terminal: true,
    print: () => {
      throw new Error('power cut');
    },
  });
  await assert.rejects(cut, /power cut/);
  const { shown, printed } = await run(true);
  assert.equal(shown, true);
  assert.equal((await listKeys(database.read)).length, 3);
  const keys = await Promise.all((printed.match(SECRET) ?? []).map(authenticate));
  assert.equal(keys.length, 3);
  assert.equal((await run(true)).shown, false);
});

test('of two processes that start on a new data directory at once, one creates the keys, and they stay valid', async (t) => {
  const { database, run, authenticate } = await start(t);
  const both = await Promise.all([run(true), run(true)]);
  assert.deepEqual(both.map(({ shown }) => shown).sort(), [false, true]);
  const secrets = both.flatMap(({ printed }) => printed.match(SECRET) ?? []);
  assert.equal((await Promise.all(secrets.map(authenticate))).length, 3);
  assert.equal((await listKeys(database.read)).length, 3);
});

test('if a key already exists, no first keys are created', async (t) => {
  const { database, by, run } = await start(t);
  await ensureDefaultAccount(database, by);
  await issueKey(database, by, { accountId: 'default', mode: 'test' });
  assert.equal((await run(true)).shown, false);
  assert.equal((await listKeys(database.read)).length, 1);
});
