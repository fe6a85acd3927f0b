import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cacheBase64, cachedBase64 } from './base64-cache.ts';

test('the base64 of a file is kept exactly if encoding the file gives the same', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
  const change = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replaceAll('+', '-'),
    (text: string) => text.replaceAll('/', '_'),
    (text: string) => text.replaceAll('=', ''),
    (text: string) => `${text.slice(0, 4)}\n${text.slice(4)}`,
    // Other bits beside those of the file.
    (text: string) => text.replace(/[AQgw](?==)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
  );
  fc.assert(
    fc.property(bytes, change, (given, change) => {
      const usual = Buffer.from(given).toString('base64');
      const base64 = Buffer.from(change(usual));
      const file = Buffer.from(base64.toString(), 'base64');
      assert.deepEqual(file, Buffer.from(given));
      cacheBase64(file, base64);
      assert.equal(cachedBase64(file)?.toString() ?? null, base64.toString() === usual ? usual : null);
    }),
  );
});

test('the base64 of a long file is not kept', () => {
  const file = Buffer.alloc(99_000);
  cacheBase64(file, Buffer.from(file.toString('base64')));
  assert.equal(cachedBase64(file), null);
});
