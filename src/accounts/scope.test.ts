import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwn, scopeDigest } from './scope.ts';

test('an end user owns its orders, erased ones too, and its files, and none of others of the same key or of none', () => {
  const rowsOf = (keyId: string, endUser: string) => [
    { end_user: endUser },
    { end_user: null, scope: scopeDigest(keyId, endUser) },
  ];
  const client = { endUser: 'anna' };
  for (const row of rowsOf('key_1', 'anna')) assert.ok(isOwn({ id: 'key_1', client }, row), JSON.stringify(row));
  const others = [...rowsOf('key_1', 'bert'), { end_user: null }, { scope: null }, rowsOf('key_2', 'anna')[1]!];
  for (const row of others) assert.ok(!isOwn({ id: 'key_1', client }, row), JSON.stringify(row));
  for (const row of others)
    assert.ok(isOwn({ id: 'key_1' }, row), 'the key itself has the orders of all its end users');
});
