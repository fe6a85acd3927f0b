import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import {
  AbortError,
  ApiError,
  type BatchEntry,
  ConnectionError,
  Darkroom,
  DownloadError,
  WaitTimeoutError,
} from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { type Fault, openFaultProxy } from '../fault-proxy.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const CREATE = /^POST \/v1\/batches$/;
const EVENTS = /^GET \/v1\/batches\/\w+\/events$/;

function order(name: string, body: object = {}): BatchEntry {
  return { name, operation: 'images', body: { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', ...body } };
}

function film(name: string): BatchEntry {
  const body = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1, resolution: '360p' };
  return { name, operation: 'videos', body };
}

/** The names in an archive's directory, in the order in which they stand in it. */
function centralNames(archive: Buffer): string[] {
  const names = [];
  const entry = Buffer.from('PK\x01\x02');
  for (let at = archive.indexOf(entry); at !== -1; at = archive.indexOf(entry, at + 46))
    names.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)));
  return names;
}

/** A key of its own, a proxy before the service, and a client of that proxy. */
async function prepare(t: TestContext) {
  const { key } = await service.issueKey({ mode: 'test' });
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: key });
  const holds = async () => (await client.account.ledger().page()).items.filter(({ kind }) => kind === 'hold').length;
  return { proxy, client, holds };
}

test('a batch is quoted, placed within the quote, followed to its end and listed', async (t) => {
  const { client } = await prepare(t);
  const sizes = { ...order('size'), vary: { aspect_ratio: ['1:1', '16:9'], seed: [1, 2] } };
  // So long that its events are followed before it ends.
  const hero = order('hero', { simulate: { seconds: 1 } });
  const batch = { orders: [hero, sizes], metadata: { for: 'us' } };
  const quote = await client.batches.prices(batch);
  assert.equal(quote.orders, 5);
  const handle = await client.batches.create({ ...batch, max_price: quote.amount });
  assert.equal(handle.replayed, false);
  const seen: string[] = [];
  for await (const { status } of handle.events()) seen.push(status);
  assert.deepEqual([seen[0], seen.at(-1)], ['processing', 'succeeded']);
  assert.equal(handle.batch.counts.succeeded, 5);
  assert.equal((await handle.wait()).cost.charged, quote.amount);
  const names = [];
  for await (const task of handle.tasks({ limit: 2 })) names.push(task.batch_name);
  assert.deepEqual(names, ['hero', 'size-1', 'size-2', 'size-3', 'size-4']);
  const other = await client.batches.create(batch);
  await client.batches.wait(other.batchId);
  const listed = [];
  for await (const { batch_id: id, metadata } of client.batches.list({ limit: 1 })) listed.push([id, metadata.for]);
  assert.deepEqual(listed, [
    [other.batchId, 'us'],
    [handle.batchId, 'us'],
  ]);
  const again = client.batches.handle(await client.batches.get(handle.batchId));
  assert.equal((await again.refresh()).status, 'succeeded');
});

test('orders come from a list, an iterator, a Blob or a file of lines, and all of them are the same batch', async (t) => {
  const { client, holds, proxy } = await prepare(t);
  const orders = [order('one'), order('two', { prompt: 'ein Fuchs im Schnee, groß' })];
  const lines = orders.map((entry) => JSON.stringify(entry)).join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-batch-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'orders.jsonl');
  await writeFile(path, lines);
  const metadata = { for: 'all & one' };
  async function* yielded() {
    yield* orders;
  }
  const sources = [orders, new Set(orders), yielded(), new Blob([lines]), path, new URL(`file://${path}`)];
  const found = [];
  for (const source of sources) {
    const given = { orders: source, max_price: '1', max_parallel: 2, metadata };
    found.push(await client.batches.create(given, { idempotencyKey: 'batch-1' }));
  }
  const ids = new Set(found.map(({ batchId }) => batchId));
  assert.equal(ids.size, 1);
  assert.deepEqual(
    found.map(({ replayed }) => replayed),
    sources.map((_, index) => index > 0),
  );
  assert.equal(await holds(), 1);
  const types = proxy.sent(/^POST /).map(({ headers }) => headers['content-type']);
  assert.deepEqual(new Set(types), new Set(['application/json', 'application/jsonl']));
});

test('results come as they are made, each once, while others still run', async (t) => {
  const { client } = await prepare(t);
  const late = order('late', { simulate: { seconds: 2 } });
  const failed = order('failed', { simulate: { outcome: 'content_policy' } });
  const orders = [
    late,
    order('early'),
    failed,
    film('film'),
    ...Array.from({ length: 120 }, (_, at) => order(`o${at}`)),
  ];
  const handle = await client.batches.create({ orders });
  const names: (string | null)[] = [];
  for await (const result of handle.results()) {
    names.push(result.task.batch_name);
    if (result.task.batch_name === 'early') assert.equal((await handle.refresh()).status, 'processing');
    assert.equal(result.task.status, result.task.batch_name === 'failed' ? 'failed' : 'succeeded');
  }
  assert.deepEqual(names.toSorted(), orders.map(({ name }) => name).toSorted());
  const [first] = (await handle.tasks({ status: 'succeeded' }).page()).items;
  await client.images.delete(first?.task_id ?? '');
  let count = 0;
  for await (const _ of client.batches.results(handle.batchId)) count++;
  assert.equal(count, orders.length - 1);
});

test('the outputs of a batch are saved and read as one ZIP archive, and one that breaks off leaves no file', async (t) => {
  const { client, proxy } = await prepare(t);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-archive-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const handle = await client.batches.create({ orders: [order('hero'), film('boat')] });
  await handle.wait();
  const path = join(folder, 'batch.zip');
  proxy.fail(/results/, { cutAfter: 100 });
  await assert.rejects(handle.archive().save(path), (error) => {
    assert.ok(error instanceof DownloadError);
    assert.match(
      error.message,
      new RegExp(`^The archive of ${handle.batchId} was not downloaded: .*do not order it again`),
    );
    return error.batchId === handle.batchId;
  });
  assert.deepEqual(await readdir(folder), []);
  await handle.archive().save(path);
  const saved = await readFile(path);
  const names = centralNames(saved);
  assert.deepEqual(
    names.map((name) => name.replace(/\..*/, '')),
    ['hero', 'boat'],
  );
  const streamed = await new Response(client.batches.archive(handle.batchId).stream()).arrayBuffer();
  assert.ok(Buffer.from(streamed).equals(saved));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = buffer(reader.stdout);
  await handle.archive().save(pipe);
  if (!(await stat(pipe)).isFIFO()) reader.kill();
  assert.ok((await read).equals(saved), 'a pipe is written to');
  const link = join(folder, 'link.zip');
  await symlink(path, link);
  await handle.archive().save(link);
  assert.ok((await lstat(link)).isSymbolicLink());
  const aborted = AbortSignal.abort();
  await assert.rejects(handle.archive({ signal: aborted }).save(join(folder, 'other.zip')), AbortError);
  await assert.rejects(client.batches.archive('bat_unknown').save(join(folder, 'other.zip')), { code: 'not_found' });
});

const LOSSES: readonly Fault[] = ['lose answer', 'cut within', '502 after', { cutAfter: 40 }];
for (const fault of LOSSES)
  test(`a batch whose answer is lost (${JSON.stringify(fault)}) is sent again with the same key, and placed once`, async (t) => {
    const { client, proxy, holds } = await prepare(t);
    proxy.fail(CREATE, fault, 'lose answer');
    const handle = await client.batches.create({ orders: [order('one'), order('two')] });
    assert.equal(proxy.sent(CREATE).length, 3);
    assert.equal(new Set(proxy.sent(CREATE).map(({ headers }) => headers['idempotency-key'])).size, 1);
    assert.equal(handle.replayed, true);
    assert.equal(await holds(), 1);
    assert.equal((await client.batches.list().page()).items.length, 1);
  });

test('a batch whose every answer is lost keeps its key, and the key finds it', async (t) => {
  const { client, proxy } = await prepare(t);
  proxy.fail(CREATE, 'lose answer');
  const batch = { orders: [order('one')] };
  const error = await client.batches.create(batch, { retries: 0 }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([error.ordered, error.batchId], ['unknown', null]);
  const handle = await client.batches.create(batch, { idempotencyKey: error.idempotencyKey ?? '' });
  assert.equal(handle.replayed, true);
});

test('a refused batch names every faulty order, and nothing is ordered', async (t) => {
  const { client, holds } = await prepare(t);
  const orders = [order('one'), order('two', { aspect_ratio: '7:3' }), order('one')];
  const error = await client.batches.create({ orders }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError);
  assert.equal(error.ordered, 'no');
  const places = error.details.map(({ param }) => param);
  assert.deepEqual(places, ['orders[1].body.aspect_ratio', 'orders[2].name']);
  assert.equal(await holds(), 0);
});

test('a wait that is aborted or takes too long names the batch, which can be canceled', async (t) => {
  const { client, proxy } = await prepare(t);
  // One after the other, so that the batch runs for long, and a cancel waits for one alone.
  const orders = Array.from({ length: 20 }, (_, index) => order(`${index}`, { simulate: { seconds: 2 } }));
  const handle = await client.batches.create({ orders, max_parallel: 1 });
  const late = await handle.wait({ timeoutMs: 200 }).catch((thrown: unknown) => thrown);
  assert.ok(late instanceof WaitTimeoutError && late.batchId === handle.batchId);
  const end = new AbortController();
  const aborted = await client.batches
    .wait(handle.batchId, { signal: end.signal, onUpdate: () => end.abort() })
    .catch((thrown: unknown) => thrown);
  assert.ok(aborted instanceof AbortError);
  assert.deepEqual([aborted.batchId, aborted.ordered, aborted.batch?.status], [handle.batchId, 'yes', 'processing']);
  assert.match(aborted.message, new RegExp(`The batch ${handle.batchId} is not lost`));
  proxy.fail(EVENTS, { cutAfter: 100 }, 'cut before');
  assert.notEqual((await handle.cancel()).cancel_requested_at, null);
  assert.equal((await handle.wait()).status, 'canceled');
});

test('orders of a chain name the handles of unfinished tasks', async (t) => {
  const { client } = await prepare(t);
  const grid = await client.images.create({ model_id: 'sketch-grid', prompt: 'a castle', simulate: { seconds: 1 } });
  assert.equal(grid.reference(2), `task:${grid.taskId}#2`);
  const flight = await client.videos.create({
    model_id: 'sketch-motion',
    duration: 1,
    resolution: '360p',
    image_urls: [grid.reference(2)],
    wait_for_parent: true,
  });
  assert.deepEqual(flight.task.waiting_for, [grid.taskId]);
  await flight.result();
});
