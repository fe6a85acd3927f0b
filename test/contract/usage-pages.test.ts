import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DataOf, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const { call, keys, make, url } = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const USERS = [null, 'ann', 'Bob', 'ému', 'zoe', '9', 'ann b'];
for (const end_user of USERS)
  for (const model_id of ['sketch', 'flux-2-pro']) {
    const body = { model_id, prompt: 'a fox', ...(end_user === null ? {} : { end_user }) };
    assert.equal((await make(keys.test, '/v1/images', body)).status, 'succeeded');
  }

const usage = <Query extends string>(query: Query) => call(keys.test, 'GET', `/v1/account/usage?${query}`);

test('usage comes in pages, which hold together every row once, whatever the groups', async () => {
  for (const groups of ['end_user', 'model_id,end_user', 'end_user,day,model_id,status', 'day']) {
    const whole = (await usage(`group_by=${groups}`)).data;
    assert.deepEqual([whole.limit, whole.has_more, whole.next_after], [1_000, false, null]);
    const rows: DataOf<'GET', '/v1/account/usage'>['items'][0][] = [];
    let after = '';
    do {
      const { status, data } = await usage(`group_by=${groups}&limit=3${after}`);
      assert.equal(status, 200);
      assert.ok(data.items.length <= 3);
      assert.equal(data.has_more, data.next_after !== null);
      rows.push(...data.items);
      after = data.next_after === null ? '' : `&after=${data.next_after}`;
    } while (after !== '');
    assert.deepEqual(rows, whole.items, groups);
    assert.equal(
      rows.reduce((sum, row) => sum + row.tasks, 0),
      2 * USERS.length,
    );
  }
});

test('a page keeps the time span of the first one, and a foreign or invalid cursor is refused', async () => {
  const first = (await usage('group_by=end_user&limit=1')).data;
  const second = (await usage(`group_by=end_user&limit=1&after=${first.next_after}`)).data;
  assert.deepEqual([second.from, second.to], [first.from, first.to]);
  const odd = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors = ['x', '%00', odd({}), odd([0, 1, 5]), odd([0, 1, 'a\0']), odd([0, 9e15, 'a']), odd([1, 0, 'a'])];
  for (const after of [...cursors, odd([0, 86_400_000 * 400, 'a'])]) {
    const { status, error } = await usage(`group_by=end_user&after=${after}`);
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], after);
  }
  assert.equal((await usage(`group_by=model_id,status&after=${first.next_after}`)).error.param, 'after');
  for (const limit of ['0', '1001', 'x']) assert.equal((await usage(`limit=${limit}`)).status, 400);
});

test('many simultaneous reports all succeed, in turn, and show their use of the budget', async () => {
  const ask = () =>
    fetch(`${url}/v1/account/usage?group_by=end_user,model_id&timing=true`, {
      headers: { authorization: `Bearer ${keys.test}` },
    });
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers.get('ratelimit-policy')), /"reports";q=2;qu="concurrent-requests"/);
    assert.equal(
      ((await answer.json()) as { readonly data: DataOf<'GET', '/v1/account/usage'> }).data.items.length,
      2 * USERS.length,
    );
  }
});

test('a day that is its own end is refused with the remedy, and dates and zones are checked', async () => {
  const same = await usage('from=2026-11-25&to=2026-11-25');
  assert.deepEqual([same.status, same.error.param], [400, 'from']);
  assert.match(same.error.message, /For the day 2026-11-25, send to=2026-11-26\.$/);
  assert.equal(
    (await usage('from=2026-11-25&to=2026-11-26&timezone=Europe/Berlin')).data.from,
    '2026-11-24T23:00:00.000Z',
  );
  assert.equal((await usage('from=2026-11-25t00:00:00z&to=2026-11-26')).status, 200);
  const blank = await usage('from=2026-11-25T00:00:00+01:00');
  assert.match(blank.error.message, /write \+ as %2B/);
  assert.equal((await usage('timezone=Europe/Atlantis')).error.param, 'timezone');
});
