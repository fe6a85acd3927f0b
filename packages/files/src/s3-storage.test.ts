import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Storage, StorageError } from '@darkroom-service/media';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '@darkroom-service/testing';
import { storageConformance } from '../conformance/storage-conformance.ts';
import { openS3Storage, type S3StorageOptions } from './s3-storage.ts';

const OPTIONS = { contentType: 'video/mp4', maxBytes: 100_000_000 };
const MEGABYTE = 1024 * 1024;
const HOUR = 60 * 60 * 1000;

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.close());

storageConformance('a bucket', async () => {
  const url = `s3://${await server.makeBucket()}/some/prefix?endpoint=${server.endpoint}`;
  return { storage: await openS3Storage(url, { credentials: S3_CREDENTIALS }), cleanup: async () => {} };
});

describe('a bucket that holds files', () => {
  it('takes a long stream in parts, and shows it only once it is whole', async (t) => {
    const { storage, bucket } = await open(t);
    const content = Buffer.alloc(20 * MEGABYTE + 17, 'the quick brown fox ');
    const begun: number[] = [];
    const source = Readable.from(
      (async function* () {
        for (let start = 0; start < content.length; start += 100_000) {
          yield content.subarray(start, start + 100_000);
          if (start % 5_000_000 === 0) {
            await sleep(20);
            // By the last look the first part is on its way, however slow the server.
            while (start === 20_000_000 && (await server.uploads(bucket)).length === 0) await sleep(10);
            begun.push((await server.uploads(bucket)).length);
            assert.equal(await storage.stat('film'), null);
          }
        }
      })(),
    );
    const sha256 = createHash('sha256').update(content).digest('hex');
    assert.deepEqual(await storage.put('film', source, OPTIONS), { key: 'film', bytes: content.length, sha256 });
    assert.deepEqual([begun[0], begun.at(-1)], [0, 1]);
    assert.ok(content.equals(await buffer(await storage.open('film'))));
    assert.deepEqual(await server.uploads(bucket), []);
  });

  it('takes credentials that are frozen, as settings are', async (t) => {
    const { storage } = await open(t, { credentials: Object.freeze({ ...S3_CREDENTIALS }) });
    assert.equal((await storage.put('file', Buffer.from('a fox'), OPTIONS)).bytes, 5);
  });

  it('accepts large buffers and sizes that fill the parts exactly', async (t) => {
    const { storage, bucket } = await open(t);
    for (const [key, bytes] of [
      ['one', 5 * MEGABYTE],
      ['two', 10 * MEGABYTE],
      ['more', 10 * MEGABYTE + 1],
    ] as const) {
      const content = Buffer.alloc(bytes, key);
      await storage.put(`bytes/${key}`, content, OPTIONS);
      await storage.put(`stream/${key}`, Readable.from([content]), OPTIONS);
      assert.ok(content.equals(await buffer(await storage.open(`bytes/${key}`))));
      assert.ok(content.equals(await buffer(await storage.open(`stream/${key}`))));
    }
    assert.deepEqual(await server.uploads(bucket), []);
  });

  it('leaves neither object nor upload when it is stopped midway, when the source fails or is too long', async (t) => {
    const { storage, bucket } = await open(t);
    const reason = new Error('enough');
    const controller = new AbortController();
    const endings: [ending: () => unknown, limit: object, expected: unknown][] = [
      [() => controller.abort(reason), { signal: controller.signal }, reason],
      [() => Promise.reject(reason), {}, reason],
      [() => Buffer.alloc(MEGABYTE), { maxBytes: 12 * MEGABYTE }, kind('too_large')],
    ];
    for (const [end, limit, expected] of endings) {
      let uploads = 0;
      const source = Readable.from(
        (async function* () {
          for (let sent = 0; sent < 12; sent++) yield Buffer.alloc(MEGABYTE);
          while (uploads === 0) {
            await sleep(10);
            uploads = (await server.uploads(bucket)).length;
          }
          yield (await end()) ?? Buffer.alloc(1);
          await sleep(10_000, undefined, { signal: t.signal, ref: false });
        })(),
      );
      await assert.rejects(storage.put('film', source, { ...OPTIONS, ...limit }), expected as Error);
      assert.equal(uploads, 1);
      assert.equal(source.destroyed, true);
      assert.deepEqual(await server.uploads(bucket), []);
      assert.deepEqual(await server.objects(bucket), []);
    }
  });

  it('aborts uploads that killed processes left more than a day ago', async (t) => {
    const { bucket, url } = await open(t);
    const now = Date.now();
    const begin = async (key: string) => {
      const answer = await fetch(`${server.endpoint}/${bucket}/${key}?uploads`, { method: 'POST' });
      return /<UploadId>(\w+)</.exec(await answer.text())?.[1] ?? assert.fail('no upload was begun');
    };
    const [old, young, foreign] = [await begin('files/old'), await begin('files/young'), await begin('other/old')];
    for (const [id, age] of [
      [old, 25 * HOUR],
      [young, 23 * HOUR],
      [foreign, 25 * HOUR],
    ] as const) {
      const path = join(server.uploadDirectory(bucket, id), 'key');
      await utimes(path, (now - age) / 1000, (now - age) / 1000);
    }
    const storage = await openS3Storage(url, { credentials: S3_CREDENTIALS, now: () => now });
    t.after(() => storage.close());
    while ((await server.uploads(bucket)).includes(old)) await sleep(10, undefined, { signal: t.signal });
    assert.deepEqual((await server.uploads(bucket)).sort(), [young, foreign].sort());
  });

  it('lists its own keys page by page, and skips names that it would not use', async (t) => {
    const { storage, bucket } = await open(t);
    const other = await openS3Storage(`s3://${bucket}/files-2?endpoint=${server.endpoint}`, {
      credentials: S3_CREDENTIALS,
    });
    t.after(() => other.close());
    const wanted = Array.from({ length: 25 }, (_, index) => `tasks/${String(index).padStart(2, '0')}/0.png`);
    for (const key of wanted) await storage.put(key, Buffer.from('fox'), OPTIONS);
    await other.put('tasks/hen', Buffer.from('hen'), OPTIONS);
    await fetch(`${server.endpoint}/${bucket}/files/tasks/Not%20ours`, { method: 'PUT', body: 'x' });
    assert.equal((await server.objects(bucket)).length, 27);
    const found = [];
    for await (const { key } of storage.list('tasks/')) found.push(key);
    assert.deepEqual(found, wanted);
  });
});

describe('the address of an object', () => {
  const wanted = (expiresAt: number, fileName: string | null = null) => ({
    expiresAt,
    contentType: 'image/webp',
    fileName,
  });

  it('gives the object, whole or a range of it, under the type and name that were asked for', async (t) => {
    const { storage } = await open(t);
    await storage.put('fox', Buffer.from('the quick brown fox'), OPTIONS);
    const shown = await storage.address('fox', wanted(Date.now() + HOUR));
    const whole = await fetch(shown ?? '');
    assert.equal(await whole.text(), 'the quick brown fox');
    assert.equal(whole.headers.get('content-type'), 'image/webp');
    assert.equal(whole.headers.get('content-disposition'), 'inline');
    const part = await fetch(shown ?? '', { headers: { range: 'bytes=4-8' } });
    assert.deepEqual([part.status, await part.text()], [206, 'quick']);
    assert.equal(part.headers.get('content-range'), 'bytes 4-8/19');
    const saved = await fetch((await storage.address('fox', wanted(Date.now() + HOUR, 'fox.webp'))) ?? '');
    assert.equal(saved.headers.get('content-disposition'), 'attachment; filename="fox.webp"');
    await saved.body?.cancel();
  });

  it('is valid as long as requested, at most seven days, and has an ASCII file name too', async (t) => {
    const { storage } = await open(t, { now: () => 1_000_000 });
    const parameter = async (expiresAt: number, name: string, fileName?: string) =>
      new URL((await storage.address('fox', wanted(expiresAt, fileName))) ?? '').searchParams.get(name);
    assert.equal(await parameter(1_090_000, 'X-Amz-Expires'), '90');
    assert.equal(await parameter(30 * 24 * HOUR, 'X-Amz-Expires'), '604800');
    assert.equal(await parameter(0, 'X-Amz-Expires'), '1');
    assert.equal(
      await parameter(0, 'response-content-disposition', 'füchs"(1).png'),
      `attachment; filename="f_chs_(1).png"; filename*=UTF-8''f%C3%BCchs%22%281%29.png`,
    );
  });

  it('leads to the public endpoint, or nowhere, where the settings say so', async (t) => {
    const { storage } = await open(t, {}, '&public_endpoint=https://files.example.com&region=auto');
    const address = new URL((await storage.address('fox', wanted(Date.now() + HOUR))) ?? '');
    assert.equal(address.origin, 'https://files.example.com');
    assert.match(address.searchParams.get('X-Amz-Credential') ?? '', /^S3RVER\/\d{8}\/auto\/s3\/aws4_request$/);
    await storage.check();
    const streaming = await open(t, {}, '&redirect=false');
    assert.equal(await streaming.storage.address('fox', wanted(Date.now() + HOUR)), null);
  });
});

async function open(
  t: TestContext,
  options: S3StorageOptions = {},
  parameters = '',
): Promise<{ storage: Storage; bucket: string; url: string }> {
  const bucket = await server.makeBucket();
  const url = `s3://${bucket}/files?endpoint=${server.endpoint}${parameters}`;
  const storage = await openS3Storage(url, { credentials: S3_CREDENTIALS, ...options });
  t.after(() => storage.close());
  return { storage, bucket, url };
}

function kind(expected: StorageError['kind']) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, expected, error.message);
    return true;
  };
}
