import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AbortError, Darkroom, DownloadError } from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { openFaultProxy } from '../fault-proxy.ts';

const service = await startTestService(wholeFile);
const directory = await mkdtemp(join(tmpdir(), 'darkroom-client-'));
wholeFile.after(() => rm(directory, { recursive: true, force: true }));
const ORDER = { model_id: 'sketch', prompt: 'a castle on a hill', resolution: '0.5K' } as const;
const CONTENT = /^GET .*\/content/;

async function prepare(t: Parameters<typeof openFaultProxy>[0]) {
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: service.keys.test });
  return { proxy, client, castle: await client.images.generate(ORDER) };
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('an output is read as bytes, as a Blob and as a stream, and saved', async (t) => {
  const { castle, client } = await prepare(t);
  const { sha256 } = castle.output;
  assert.equal(digest(await castle.content().bytes()), sha256);
  const blob = await client.images.content(castle.taskId).blob();
  assert.deepEqual([blob.type, digest(new Uint8Array(await blob.arrayBuffer()))], ['image/png', sha256]);
  assert.equal(digest(new Uint8Array(await new Response(castle.content().stream()).arrayBuffer())), sha256);
  const path = join(directory, 'castle.png');
  for (let count = 0; count < 2; count++) await castle.save(path);
  assert.equal(digest(await readFile(path)), sha256);
  assert.equal((await castle.content({ variant: 'thumbnail' }).blob()).type, 'image/webp');
});

test('a download that breaks off continues where it stopped', async (t) => {
  const { castle, proxy } = await prepare(t);
  proxy.fail(CONTENT, { cutAfter: 10_000 }, { cutAfter: 5_000 });
  assert.equal(digest(await castle.content().bytes()), castle.output.sha256);
  const ranges = proxy.seen.filter(({ path }) => path.endsWith('/content')).map(({ headers }) => headers.range);
  assert.equal(ranges.length, 3);
  assert.equal(ranges[0], undefined);
  assert.match(ranges[2] ?? '', /^bytes=\d+-$/);
});

test('a download that fails says what was charged, names the task and leaves no part of a file', async (t) => {
  const { castle, proxy } = await prepare(t);
  const path = join(directory, 'never.png');
  proxy.fail(CONTENT, { cutAfter: 1_000 }, ...Array.from({ length: 20 }, () => 'cut before' as const));
  const error = await castle.save(path, { retries: 1 }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof DownloadError);
  assert.deepEqual([error.taskId, error.cost?.state, error.code], [castle.taskId, 'charged', 'download_failed']);
  assert.match(error.message, new RegExp(`${castle.task.cost.amount} USD was charged.*do not order it again`));
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('never')),
    [],
  );

  const unwritable = await castle.save(join(directory, 'no', 'folder.png')).catch((thrown: unknown) => thrown);
  assert.ok(unwritable instanceof DownloadError);
  assert.match(unwritable.message, /ENOENT/);
});

test('an aborted download names the task', async (t) => {
  const { castle, proxy } = await prepare(t);
  proxy.fail(CONTENT, 'drop answer');
  const controller = new AbortController();
  const reading = castle
    .content({ signal: controller.signal })
    .bytes()
    .catch((thrown: unknown) => thrown);
  await proxy.count(CONTENT, 1);
  controller.abort();
  const error = await reading;
  assert.ok(error instanceof AbortError);
  assert.deepEqual([error.taskId, error.cost?.state], [castle.taskId, 'charged']);
});
