import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestHttp } from '../../test/helpers/http.ts';

test('balance, usage and ledger of a key add up, and only keys with account view see the whole account', async (t) => {
  const http = await openTestHttp(t);
  const [plain, viewer] = [await http.issue({ mode: 'live' }), await http.issue({ mode: 'live', accountView: true })];
  const create = (key: string, endUser: string) =>
    http.as(key, {
      method: 'POST',
      url: '/v1/images',
      payload: { model_id: 'sketch', prompt: 'fox', end_user: endUser },
    });
  await create(plain.key, 'ann');
  const { task_id: taskId } = (await create(plain.key, 'bob')).json().data;
  await create(viewer.key, 'ann');
  await http.as(plain.key, { method: 'POST', url: `/v1/images/${taskId}/cancel` });
  const get = async (key: string, url: string) => (await http.as(key, { url: `/v1/account${url}` })).json().data;

  const account = await get(plain.key, '');
  assert.deepEqual(
    [account.balance, account.held, account.credit_limit, account.key.key_id],
    ['-0.02', '0.02', null, plain.key_id],
  );
  const usage = await get(plain.key, '/usage?group_by=end_user,status');
  assert.deepEqual(
    usage.items.map((row: Record<string, unknown>) => [row.end_user, row.status, row.tasks, row.charged, row.held]),
    [
      ['ann', 'queued', 1, '0.00', '0.01'],
      ['bob', 'canceled', 1, '0.00', '0.00'],
    ],
  );
  assert.equal((await get(viewer.key, '/usage')).items[0].tasks, 1);
  const all = await get(viewer.key, '/usage?scope=account&group_by=day');
  assert.deepEqual([all.items[0].day, all.items[0].tasks], ['2026-11-20', 3]);
  assert.equal((await get(plain.key, '/usage?from=2026-11-21&to=2026-11-22')).items[0].tasks, 0);

  const ledger = await get(plain.key, '/ledger?limit=2');
  assert.deepEqual(
    [ledger.items.map((entry: { kind: string; amount: string }) => [entry.kind, entry.amount]), ledger.has_more],
    [
      [
        ['release', '0.01'],
        ['hold', '-0.01'],
      ],
      true,
    ],
  );
  const rest = await get(plain.key, `/ledger?limit=2&after=${ledger.items[1].entry_id}`);
  assert.deepEqual([rest.items.length, rest.has_more], [1, false]);
  assert.equal((await get(viewer.key, '/ledger?scope=account')).items.length, 4);
  const refusal = async (url: string) => {
    const refused = await http.as(plain.key, { url: `/v1/account${url}` });
    return [refused.statusCode, refused.json().error.code];
  };
  for (const url of ['/usage?scope=account', '/ledger?scope=account'])
    assert.deepEqual(await refusal(url), [403, 'forbidden']);
  for (const url of [
    '/usage?group_by=hour',
    '/usage?from=2026-11-22&to=2026-11-21',
    '/usage?from=2020-01-01',
    '/ledger?after=x',
  ])
    assert.deepEqual(await refusal(url), [400, 'invalid_request'], url);
});
