import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { edgeKeyOf } from '../accounts/signing-secrets.ts';
import { createFileSigner } from './file-signer.ts';

const KEY = 'tasks/aa/img_aa-1-0.png';
const open = () =>
  createFileSigner({
    secrets: () => ({ signing: 'test', accepted: ['test'] }),
    publicUrl: 'http://darkroom.test',
    filesUrl: 'http://darkroom.test',
    hasEdge: false,
    lifetimeMs: 3_600_000,
    now: () => 1e12,
  });
const partsOf = (url: string) => {
  const { searchParams } = new URL(url);
  return [searchParams.get('expires') ?? '', searchParams.get('signature') ?? ''] as const;
};

test('a signed URL is valid only for its own key and expiry, also if another process signed it', () => {
  const [expires, signature] = partsOf(open().sign(KEY).url);
  const signer = open();
  assert.equal(signer.verify(KEY, expires, signature), 'good');
  assert.equal(signer.verify(`${KEY}x`, expires, signature), 'wrong');
  assert.equal(signer.verify(KEY, String(Number(expires) + 1), signature), 'wrong');
  assert.equal(signer.verify(KEY, expires, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`), 'wrong');
  assert.equal(signer.verifyEvents(KEY, expires, signature), 'wrong');
});

test('the key of a CDN signs addresses of files, and nothing else that the secret signs', () => {
  const signer = open();
  const sign = (key: string) =>
    createHmac('sha256', edgeKeyOf('test')).update(`${key}\n2000000000000`).digest('base64url');
  assert.equal(signer.verify(KEY, '2000000000000', sign(KEY)), 'good');
  assert.equal(signer.verify('share:1', '2000000000000', sign('share:1')), 'wrong');
  assert.equal(signer.verifyEvents('img_1', '2000000000000', sign('events:img_1')), 'wrong');
});

test('an address of events works for an hour, and for ten minutes more at most', () => {
  for (const now of [1e12, 1e12 + 1, 1e12 + 599_999]) {
    const signer = createFileSigner({
      secrets: () => ({ signing: 'test', accepted: ['test'] }),
      publicUrl: 'http://x',
      filesUrl: 'http://x',
      hasEdge: false,
      lifetimeMs: 3_600_000,
      now: () => now,
    });
    const [expires] = partsOf(signer.signEvents('image', 'img_1'));
    const lifetime = Number(expires) - now;
    assert.ok(lifetime >= 3_600_000 && lifetime < 4_200_000, `${lifetime} ms`);
  }
});

test('invented URLs leave nothing in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const signer = open();
  const before = heldBytes();
  for (let index = 0; index < 2_000; index++) signer.verify(`${index}${'x'.repeat(8_000)}`, '1', 'x');
  const grown = heldBytes() - before;
  assert.ok(grown < 4_000_000, `${grown} bytes`);
  assert.equal(signer.verify(KEY, '1', 'x'), 'wrong');
});
