import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IDToken, UserInfoResponse } from 'openid-client';
import { loadConfig } from '../../../../test/helpers/load-config.ts';
import { rolesBy } from '../members/read-roles.ts';
import { PEOPLE_SETTINGS } from '../people-settings.ts';
import { claimsOf, findClaim, whyUnverified } from './claims.ts';

const read = (userInfo: object, idToken: object | null = null, claim = 'groups') =>
  claimsOf(idToken as IDToken | null, { sub: 'ada', ...userInfo } as UserInfoResponse, claim);

test('groups are found under the name of their claim, or else under the names that lead to it', () => {
  const roles = ['a', 'b'];
  for (const [claim, claims] of [
    ['groups', { groups: roles }],
    ['cognito:groups', { 'cognito:groups': roles }],
    ['https://acme.example/roles', { 'https://acme.example/roles': roles, https: 1 }],
    ['realm_access.roles', { realm_access: { roles } }],
    ['realm_access.roles', { 'realm_access.roles': roles, realm_access: { roles: ['c'] } }],
    ['resource_access.my.client.roles', { resource_access: { 'my.client': { roles } } }],
    ['https://acme.example/app.roles', { 'https://acme.example/app': { roles } }],
    ['urn:zitadel:iam:org:project:roles', { 'urn:zitadel:iam:org:project:roles': { a: { 1: 'x' }, b: {}, c: false } }],
  ] as const) {
    assert.deepEqual(read(claims, null, claim).groups, roles, claim);
    assert.deepEqual(read({}, claims, claim).groups, roles, `${claim} in the ID token`);
  }
  assert.deepEqual(read({ groups: 'a' }).groups, ['a']);
  for (const groups of [undefined, null, '', 7, true, [7, {}, null, '']]) assert.deepEqual(read({ groups }).groups, []);
  for (const path of ['constructor', '__proto__.x', 'a.', '.a', '...', 'toString.name'])
    assert.equal(findClaim({ a: 'text' }, path), undefined, path);
});

test('a group has its role however the provider and the rule spell its name', () => {
  const [composed, decomposed] = ['Gestaltung K\u00f6ln', 'Gestaltung Ko\u0308ln'];
  const spellings = [composed, decomposed];
  for (const ruled of spellings) {
    const { rules } = loadConfig({ DARKROOM_OIDC_ROLES: `${ruled}=creator@acme` }).of(PEOPLE_SETTINGS);
    for (const sent of spellings)
      assert.deepEqual(rolesBy({ domains: [], rules })(read({ groups: [sent] })), [
        { accountId: 'acme', role: 'creator' },
      ]);
  }
});

test('an address is verified only where the provider says so of this address, and else it is said what is missing', () => {
  const email = 'Ada@Example.com';
  const why = (userInfo: object, idToken: object | null = null) => whyUnverified(read(userInfo, idToken));
  for (const email_verified of [true, 'true', 'True']) assert.equal(why({ email, email_verified }), null);
  assert.equal(why({}, { email, email_verified: 'true' }), null);
  assert.equal(why({ email }, { email: 'ada@example.COM', email_verified: true }), null);
  for (const email_verified of [false, 'false'])
    assert.match(String(why({ email, email_verified }, { email, email_verified: true })), /says that .* not verified/);
  for (const email_verified of [undefined, null, '', 1, '1', 'yes', [true], {}])
    assert.match(String(why({ email, email_verified })), /does not say that the address is verified/);
  assert.match(String(why({ email }, { email: 'b@example.com', email_verified: true })), /does not say/);
  assert.match(String(why({ email }, { email_verified: true })), /does not say/);
  assert.match(String(why({ email_verified: true })), /names no address/);
});
