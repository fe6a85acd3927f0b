import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Storage, StorageError } from '@darkroom-service/media';
import { type Lie, type LyingS3, S3_CREDENTIALS, startLyingS3 } from '@darkroom-service/testing';
import { openS3Storage } from './s3-storage.ts';

const OPTIONS = { contentType: 'image/png', maxBytes: 100_000_000 };
const FOX = Buffer.from('the quick brown fox');
const FILM = Buffer.alloc(5 * 1024 * 1024 + 20, 'the quick brown fox');

async function open(t: TestContext, digest: Parameters<typeof startLyingS3>[0]) {
  const server = await startLyingS3(digest);
  t.after(() => server.close());
  const url = `s3://bucket?endpoint=${server.endpoint}`;
  const storage = await openS3Storage(url, { credentials: S3_CREDENTIALS, attempts: 1 });
  t.after(() => storage.close());
  return { server, storage };
}

function isLie(words: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, words);
    return true;
  };
}

/** Puts files of one part and of two. */
function puts(storage: Storage): readonly [name: string, put: () => Promise<unknown>][] {
  return [
    ['bytes', () => storage.put('fox', FOX, OPTIONS)],
    ['a stream', () => storage.put('hen', Readable.from([FOX]), OPTIONS)],
    ['parts', () => storage.put('reel', Readable.from([FILM]), OPTIONS)],
  ];
}

async function assertDetected(storage: Storage, server: LyingS3, lie: Lie, names?: readonly string[]): Promise<void> {
  server.objects.clear();
  server.lie = lie;
  for (const [name, put] of puts(storage))
    if (names === undefined || names.includes(name))
      await assert.rejects(put(), isLie(/answered that it stored a file, but/), `${lie}: ${name}`);
  server.lie = null;
  for (const [name, put] of puts(storage)) await assert.doesNotReject(put(), name);
}

for (const digest of ['md5', 'crc32c'] as const)
  test(`a bucket that tells ${digest} is believed only if it has the bytes that were sent`, async (t) => {
    const { server, storage } = await open(t, digest);
    assert.equal(await storage.provesBytes(), true);
    for (const lie of ['stores nothing', 'stores half', 'stores other bytes'] as const)
      await assertDetected(storage, server, lie);
    await assertDetected(storage, server, 'joins no parts', ['parts']);
    assert.ok(FILM.equals(await buffer(await storage.open('reel'))));
    const heads = server.asked.filter((ask) => ask === 'HEAD fox');
    assert.deepEqual(heads, [], 'one request stores what fits in one part');
  });

test('a bucket that tells no digest is asked for the length of each file that it took', async (t) => {
  const { server, storage } = await open(t, 'none');
  assert.equal(await storage.provesBytes(), false);
  for (const lie of ['stores nothing', 'stores half'] as const) await assertDetected(storage, server, lie);
  await assertDetected(storage, server, 'joins no parts', ['parts']);
});

test('what a bucket gives other than it has ends as a fault of the storage', async (t) => {
  const { server, storage } = await open(t, 'md5');
  await storage.put('fox', FOX, OPTIONS);
  for (const lie of ['gives half', 'gives other bytes'] as const) {
    server.lie = lie;
    await assert.rejects(storage.open('fox').then(buffer), isLie(/gave other bytes/), lie);
  }
  server.lie = null;
  assert.ok(FOX.equals(await buffer(await storage.open('fox'))));
});

test('a removal that removes nothing is no removal', async (t) => {
  const { server, storage } = await open(t, 'md5');
  await storage.put('fox', FOX, OPTIONS);
  server.lie = 'removes nothing';
  await assert.rejects(storage.remove('fox'), isLie(/answered that it removed an object, and still has it/));
  server.lie = null;
  await storage.remove('fox');
  assert.equal(await storage.stat('fox'), null);
});

test('a bucket that keeps nothing of its sample takes no file', async (t) => {
  const { server, storage } = await open(t, 'md5');
  server.objects.set = () => server.objects;
  await assert.rejects(storage.put('fox', FOX, OPTIONS), isLie(/stored a small file, and has none afterwards/));
  await assert.rejects(storage.check(), isLie(/has none afterwards/));
});
