import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRedactor } from './redact-secrets.ts';

const SECRET = 'sk-fake/Q+7"\u00fc fakeF4ke';
const redact = createRedactor([SECRET]);

const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in JSON of PHP': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'in an address': encodeURIComponent,
  'in an address with small letters': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  'in a form': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in HEX': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 of an address': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 behind a byte': (secret) => Buffer.from(`:${secret}`).toString('base64').slice(2),
  'in base64 behind two bytes': (secret) => Buffer.from(`a:${secret}:b`).toString('base64').slice(3),
};

test('a secret is cut out of a text in each form, and what stands around it stays', () => {
  for (const [name, form] of Object.entries(forms)) {
    const found = redact(`no "${form(SECRET)}" known; ${form(SECRET)}`);
    // In base64 the last characters hold bits of what follows.
    assert.match(found, /^no "\[key\]\S{0,3}" known; \[key\]\S{0,3}$/, name);
  }
});

test('the first eight characters of a long secret or more are cut out, fewer are not, and words are not', () => {
  for (const length of [8, 9, 12, 20])
    assert.equal(redact(`Wrong key ${SECRET.slice(0, length)}...`), 'Wrong key [key]...');
  assert.equal(redact(`Wrong key ${SECRET.slice(0, 7)}...`), `Wrong key ${SECRET.slice(0, 7)}...`);
  const first = Buffer.from(SECRET).toString('base64').slice(0, 10);
  assert.equal(redact(`Basic ${first}...`), 'Basic [key]...');
  const password = createRedactor(['darkroom-at-the-bay']);
  assert.equal(password('darkroom is up, darkroom-at-'), 'darkroom is up, [key]');
});

test('what looks like the beginning of a secret hides none', () => {
  const secret = 'abcabcabcabcabcabX-fake-fake';
  assert.equal(createRedactor([secret])(`abcabc${secret}.`), '[key].');
  assert.equal(createRedactor(['foxglove-0123456', 'glove-of-the-fox'])('foxglove-of-the-fox'), '[key]');
});

test('a secret of a header is cut out without its scheme, and each part between colons by itself', () => {
  const header = createRedactor(['Bearer 0123456789abcdefghij']);
  assert.equal(header('Bearer 0123456789abcdefghij, bearer authentication'), 'Bearer [key], bearer authentication');
  const pair = createRedactor(['0b1c2d3e-key-id:0123456789abcdef'], '[secret]');
  assert.equal(pair('0b1c2d3e-key-id:0123456789abcdef, 0123456789abcdef'), '[secret], [secret]');
  assert.equal(createRedactor(['abc', '', 'Basic '])('abc Basic'), 'abc Basic');
});

test('no form of a secret of any characters is left in any text', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 16, maxLength: 60, unit: 'binary' }),
      fc.string(),
      fc.string(),
      (secret, before, behind) => {
        fc.pre(secret.isWellFormed() && secret.trim() === secret && !/^(?:bearer|basic|key|token)\s/i.test(secret));
        const clean = createRedactor([secret], '');
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
          assert.ok(!clean(before + form + behind).includes(form) || (before + behind).includes(form));
      },
    ),
  );
});
