import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';

test('operators read accounts and keys a page at a time, each once and in their order', async (t) => {
  const { call, keys } = await startTestService(t);
  for (const account_id of ['acme', 'beta', 'corp', 'delta'])
    assert.equal((await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id })).status, 201);
  for (let count = 0; count < 4; count++)
    await call(keys.admin, 'POST', '/admin/v1/keys', { mode: 'test', account_id: 'acme' });

  const lists = [
    { path: '/admin/v1/accounts', query: '', idOf: ({ account_id: id }: Item) => id },
    { path: '/admin/v1/keys', query: '', idOf: ({ key_id: id }: Item) => id },
    { path: '/admin/v1/keys', query: 'account_id=acme&', idOf: ({ key_id: id }: Item) => id },
  ] as const;
  for (const { path, query, idOf } of lists) {
    const ask = async (rest: string) => {
      const { status, data } = await call(keys.admin, 'GET', `${path}?${query}${rest}` as typeof path);
      assert.equal(status, 200, `${path}?${query}${rest}`);
      return { ...data, ids: (data.items as readonly Item[]).map(idOf) };
    };
    const whole = await ask('limit=100');
    assert.equal(whole.has_more, false);
    assert.equal(whole.limit, 100);
    assert.deepEqual(whole.ids, whole.ids.toSorted());
    const seen: (string | undefined)[] = [];
    for (let after = ''; ; ) {
      const page = await ask(`limit=2${after === '' ? '' : `&after=${after}`}`);
      assert.ok(page.ids.length <= 2);
      seen.push(...page.ids);
      if (!page.has_more) break;
      after = page.ids.at(-1) ?? '';
    }
    assert.ok(seen.length >= 4);
    assert.deepEqual(seen, whole.ids);
    assert.deepEqual((await ask('')).ids, whole.ids);
    for (const limit of ['0', '101', 'x'])
      assert.equal((await call(keys.admin, 'GET', `${path}?limit=${limit}` as typeof path)).status, 400);
  }
});

interface Item {
  readonly account_id?: string;
  readonly key_id?: string;
}
