import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { vaultWith } from '../../../../src/base/vault.ts';
import { openState, readPage, sealState } from './sign-in-state.ts';

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
    state: 's',
    nonce: 'n',
    verifier: 'v',
    page: '/',
    invitation: null,
    commandLine: null,
    expiresAt: 1000,
  };
  const sealed = sealState(vaultWith(secret(1)), state);
  assert.deepEqual(openState(vaultWith(secret(1)), sealed, 999), state);
  assert.equal(openState(vaultWith(secret(1)), sealed, 1000), null);
  assert.equal(openState(vaultWith(secret(2)), sealed, 999), null);
  assert.equal(openState(vaultWith(secret(1)), `${sealed}x`.replace('1.', '2.'), 999), null);
  assert.equal(openState(vaultWith(secret(1)), null, 999), null);
});
