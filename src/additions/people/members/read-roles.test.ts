import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peopleOf } from '../../../service/config/people-variables.ts';
import { rolesBy } from './read-roles.ts';

const claims = { email: 'ada@example.com', emailVerified: true, name: 'Ada', groups: ['designers', 'a=b'] };

test('groups give the roles of their rules, also those with the separator in their name', () => {
  const { people } = peopleOf({
    DARKROOM_OIDC_ROLES: ['designers=creator@studio', 'a=b=operator', 'others=owner', 'designers=viewer@lab'],
  });
  assert.deepEqual(rolesBy(people)(claims), [
    { accountId: 'studio', role: 'creator' },
    { accountId: '', role: 'operator' },
    { accountId: 'lab', role: 'viewer' },
  ]);
});

test('with domains, only verified addresses of exactly those come in', () => {
  const { people } = peopleOf({ DARKROOM_OIDC_DOMAINS: ['example.com'], DARKROOM_OIDC_ROLES: [] });
  const read = rolesBy(people);
  assert.deepEqual(read(claims), []);
  const others = [
    'ada@evil.example',
    'ada@notexample.com',
    'ada@example.com.evil.example',
    'ada@example.com@evil',
    null,
  ];
  for (const email of others) assert.equal(read({ ...claims, email }), null, String(email));
  assert.equal(read({ ...claims, emailVerified: false }), null);
});
