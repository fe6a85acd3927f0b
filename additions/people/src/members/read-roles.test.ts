import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../../../test/helpers/load-config.ts';
import { PEOPLE_SETTINGS } from '../people-settings.ts';
import { rolesBy } from './read-roles.ts';

const claims = { email: 'ada@example.com', emailVerified: true, name: 'Ada', groups: ['designers', 'a=b'] };

test('groups give the roles of their rules, also those with the separator in their name', () => {
  const people = loadConfig({
    DARKROOM_OIDC_ROLES: 'designers=creator@studio, a=b=operator, others=owner, designers=viewer@lab',
  }).of(PEOPLE_SETTINGS);
  assert.deepEqual(rolesBy(people)(claims), [
    { accountId: 'studio', role: 'creator' },
    { accountId: '', role: 'operator' },
    { accountId: 'lab', role: 'viewer' },
  ]);
});

test('with domains, only verified addresses of exactly those come in', () => {
  const people = loadConfig({ DARKROOM_OIDC_DOMAINS: 'example.com' }).of(PEOPLE_SETTINGS);
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
