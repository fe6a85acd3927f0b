import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createTrustedFetch } from '@darkroom-service/media';
import type { StoredOutput } from '../../../src/record/task.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { putFile } from './put-file.ts';
import { nameInBucket } from './stored-delivery.ts';

const FILE = Buffer.from('a picture');
const OTHER = Buffer.from('a pictura');
const hex = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');

let answer: Record<string, string> = {};
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, answer).end('<html>'));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
const trusted = createTrustedFetch({ allowedAddresses: ['127.0.0.1/32'] });
wholeFile.after(async () => {
  await trusted.close();
  server.close();
});

const ofFile = createHash('sha256').update(FILE).digest('hex');

function put(headers: Record<string, string>, stored = ofFile) {
  answer = headers;
  const storage = { open: async () => Readable.from([FILE]) };
  const output = { key: 'a', contentType: 'image/png', bytes: FILE.length, sha256: stored } as StoredOutput;
  const parts = { fetch: trusted.fetch, storage };
  return putFile(parts, { url, headers: {} }, output, new AbortController().signal);
}

test('a file is delivered if the answer of the bucket repeats a digest of what was sent, or tells that it has none', async () => {
  for (const [headers, verifiedBy] of [
    [{ etag: `"${hex(FILE)}"` }, 'md5'],
    [{ etag: hex(FILE).toUpperCase() }, 'md5'],
    [{ etag: `"${hex(OTHER)}"`, 'x-amz-checksum-sha256': sha256(FILE) }, 'sha256'],
    [{ etag: '"1"', 'x-goog-hash': `crc32c=AAAAAA==,md5=${md5(FILE)}` }, 'md5'],
    [{ etag: `"${hex(OTHER)}"`, 'x-amz-server-side-encryption': 'aws:kms' }, null],
    [{ etag: `"${hex(OTHER)}"`, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' }, null],
    [{ etag: `"${hex(OTHER)}-1"` }, null],
  ] as const)
    assert.deepEqual(await put(headers), { etag: headers.etag, verifiedBy }, JSON.stringify(headers));
});

test('a file is not delivered if the answer tells other bytes, or comes from something that is no bucket', async () => {
  for (const [headers, message] of [
    [{}, /no ETag/],
    [{ etag: `"${hex(OTHER)}"` }, /other bytes/],
    [{ etag: `"${hex(OTHER)}"`, 'x-amz-server-side-encryption': 'AES256' }, /other bytes/],
    [{ etag: `"${hex(FILE)}"`, 'x-amz-checksum-sha256': sha256(OTHER) }, /other bytes/],
    [{ etag: '"1"', 'x-goog-hash': `md5=${md5(OTHER)}` }, /other bytes/],
  ] as const)
    await assert.rejects(put(headers), { message }, JSON.stringify(headers));
});

test('an object is told under the name that the address of the request gives it', () => {
  for (const [name, expected] of [
    ['a/./b-1.png', 'a/b-1.png'],
    ['./b-1.png', 'b-1.png'],
    ['a/.b/c..d-1', 'a/.b/c..d-1'],
  ] as const)
    assert.equal(nameInBucket(name), expected);
});

test('a file that the storage gives other than it was stored is not delivered, and is read again', async () => {
  await assert.rejects(put({ etag: `"${hex(FILE)}"` }, 'a'.repeat(64)), {
    name: 'StorageError',
    message: /other bytes/,
  });
});
