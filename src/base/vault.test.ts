import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createVault, readVaultKey, SealFault } from './vault.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];

test('a secret opens with the key that sealed it and for its own record only, however it is changed', () => {
  const vault = createVault(first, null);
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.nat(),
      fc.integer({ min: 1, max: 127 }),
      (secret, subject, place, flip) => {
        const sealed = vault.seal(secret, subject);
        assert.equal(vault.open(sealed, subject), secret);
        assert.notEqual(sealed, vault.seal(secret, subject), 'each sealing has its own nonce');
        assert.throws(() => vault.open(sealed, `${subject}.`), SealFault);
        assert.throws(() => createVault(second, null).open(sealed, subject), SealFault);
        const parts = sealed.split('.');
        const bytes = Buffer.from(parts[3] ?? '', 'base64url');
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        assert.throws(
          () => vault.open([...parts.slice(0, 3), bytes.toString('base64url')].join('.'), subject),
          SealFault,
        );
      },
    ),
  );
});

test('while the key is rotated, the key before opens what it sealed, and the new one seals', () => {
  const before = createVault(first, null);
  const rotated = createVault(second, first);
  assert.equal(rotated.open(before.seal('a secret', 'it'), 'it'), 'a secret');
  assert.equal(createVault(second, null).open(rotated.seal('a secret', 'it'), 'it'), 'a secret');
});

test('only what an earlier key of the operator sealed, for the same record, is sealed again', () => {
  const rotated = createVault(second, first);
  const before = createVault(first, null).seal('a secret', 'it');
  const again = rotated.sealAgain(before, 'it') ?? '';
  assert.equal(createVault(second, null).open(again, 'it'), 'a secret');
  for (const sealed of [
    again,
    `${before.slice(0, -4)}AAAA`,
    createVault(randomBytes(32), null).seal('a secret', 'it'),
    '',
  ])
    assert.equal(rotated.sealAgain(sealed, 'it'), null);
  assert.equal(rotated.sealAgain(before, 'another'), null);
});

test('a key of the operator is 32 bytes in base64 and nothing else', () => {
  assert.deepEqual(readVaultKey(first.toString('base64')), first);
  for (const text of ['', 'secret', randomBytes(16).toString('base64'), `${first.toString('base64')}x`])
    assert.equal(readVaultKey(text), null, text);
});
