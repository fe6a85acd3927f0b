import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { peopleOf } from '../../../service/config/people-variables.ts';
import { vaultOf } from '../session/check-access.ts';
import { rolesBy } from './read-roles.ts';
import { openState, readPage, sealState } from './sign-in-state.ts';

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

test('no text leads to a page outside of the console', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (text) => {
      const url = new URL(`https://darkroom.example/#${readPage(text)}`);
      assert.equal(url.origin + url.pathname, 'https://darkroom.example/');
      assert.match(readPage(text), /^\/(?!\/)/);
    }),
  );
});

test('the state of a sign-in opens with the secret that sealed it, until it is too old', () => {
  const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
  const state = {
    ...{ state: 's', nonce: 'n', verifier: 'v', page: '/', invitation: null, commandLine: null, expiresAt: 1000 },
  };
  const sealed = sealState(vaultOf(secret(1)), state);
  assert.deepEqual(openState(vaultOf(secret(1)), sealed, 999), state);
  assert.equal(openState(vaultOf(secret(1)), sealed, 1000), null);
  assert.equal(openState(vaultOf(secret(2)), sealed, 999), null);
  assert.equal(openState(vaultOf(secret(1)), `${sealed}x`.replace('1.', '2.'), 999), null);
  assert.equal(openState(vaultOf(secret(1)), null, 999), null);
});
