import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startTestService } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** The operator credits accounts, and takes wrong credits back. */

const { call, keys, issueKey, createAccount, database } = await startTestService(wholeFile);
const credit = (account: string, amount: string) =>
  call(keys.admin, 'POST', `/admin/v1/accounts/${account}/credit`, { amount });
const takeBack = (id: string, name: string | null = null) =>
  call(
    keys.admin,
    'POST',
    `/admin/v1/credits/${id}/take_back`,
    undefined,
    name === null ? {} : { 'idempotency-key': name },
  );
const credits = async (after?: string) =>
  (await call(keys.admin, 'GET', `/admin/v1/credits?limit=100${after === undefined ? '' : `&after=${after}`}`)).data;
const balanceOf = async (account: string) =>
  Number((await call(keys.admin, 'GET', `/admin/v1/accounts/${account}`)).data.balance);

test('a credit that is taken back counts no more, and the ledger of the account names it', async () => {
  const account = await createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId: account, accountView: true });
  await credit(account, '25.00');
  const [entry] = (await credits()).items;
  assert.deepEqual([entry?.account_id, entry?.amount, entry?.taken_back_at], [account, '25.00', null]);
  const { status, data } = await takeBack(entry?.credit_id ?? '');
  assert.deepEqual([status, data.credit_id, data.taken_back_at !== null], [200, entry?.credit_id, true]);
  assert.equal(await balanceOf(account), 0);
  const { items } = (await call(key, 'GET', '/v1/account/ledger?scope=account')).data;
  assert.deepEqual(
    items.map(({ kind, amount, task_id: task, corrects }) => [kind, amount, task, corrects]),
    [
      ['correction', '-25.00', null, items[1]?.entry_id],
      ['credit', '25.00', null, null],
    ],
  );
  const next = (await call(key, 'GET', `/v1/account/ledger?scope=account&limit=1&after=${items[0]?.entry_id}`)).data;
  assert.deepEqual([next.items.map(({ kind }) => kind), next.has_more], [['credit'], false]);
  const again = await takeBack(entry?.credit_id ?? '');
  assert.deepEqual([again.status, again.error.code], [409, 'not_refundable']);
  const missing = await takeBack('crd_missing');
  assert.deepEqual([missing.status, missing.error.code, missing.error.param], [404, 'not_found', 'credit_id']);
});

test('whatever is credited and taken back, each credit counts once or not at all', async () => {
  const step = fc.oneof(
    fc.record({
      does: fc.constant('credit' as const),
      account: fc.nat(1),
      cents: fc.integer({ min: -500, max: 500 }).filter((cents) => cents !== 0),
    }),
    fc.record({
      does: fc.constant('take back' as const),
      which: fc.nat(9),
      times: fc.integer({ min: 1, max: 3 }),
      withKey: fc.boolean(),
    }),
  );
  let takenBack = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const accounts = [await createAccount(null), await createAccount(null)];
      const known: { id: string; account: string; cents: number; counts: boolean }[] = [];
      for (const one of steps) {
        if (one.does === 'credit') {
          const account = accounts[one.account] ?? '';
          assert.equal((await credit(account, (one.cents / 100).toFixed(2))).status, 201);
          const id = (await credits()).items.find(({ account_id }) => account_id === account)?.credit_id ?? '';
          known.push({ id, account, cents: one.cents, counts: true });
        } else {
          const entry = known[one.which % Math.max(1, known.length)];
          if (entry === undefined) continue;
          const name = one.withKey ? `take back ${++takenBack} ${entry.id}` : null;
          const answers = await Promise.all(Array.from({ length: one.times }, () => takeBack(entry.id, name)));
          const done = answers.filter(({ status }) => status === 200).length;
          assert.equal(done, entry.counts ? (one.withKey ? one.times : 1) : 0, `${one.times} at once`);
          entry.counts = false;
        }
      }
      for (const account of accounts) {
        const counted = known.filter((entry) => entry.account === account && entry.counts);
        const sum = counted.reduce((total, { cents }) => total + cents, 0);
        assert.equal(Math.round((await balanceOf(account)) * 100), sum);
      }
      const listed = new Map((await credits()).items.map((entry) => [entry.credit_id, entry.taken_back_at === null]));
      for (const { id, counts } of known) assert.equal(listed.get(id), counts);
    }),
    { numRuns: database.kind === 'sqlite' ? 25 : 12 },
  );
});

test('credits are listed page by page, newest first', async () => {
  const account = await createAccount(null);
  for (const amount of ['1.00', '2.00', '3.00']) await credit(account, amount);
  const first = (await call(keys.admin, 'GET', '/admin/v1/credits?limit=2')).data;
  assert.deepEqual([first.items.map(({ amount }) => amount), first.has_more], [['3.00', '2.00'], true]);
  const [next] = (await credits(first.items[1]?.credit_id)).items;
  assert.equal(next?.amount, '1.00');
});
