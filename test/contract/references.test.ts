import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Envelope } from '@darkroom-service/contract/schemas';
import type { Order } from '@darkroom-service/engines';
import { answerInPieces } from '@darkroom-service/testing';
import sharp from 'sharp';
import { VERSION } from '../../src/base/process.ts';
import { type FileAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Media fields of every kind, judged at once where that needs no network and fetched on checked addresses where it does
 * (contract §6).
 */

const clock = new ManualClock();
const orders: Order[] = [];
const swift = createSwiftEngine({}, clock);
const engine = {
  ...swift,
  start: async (...call: Parameters<typeof swift.start>) => {
    orders.push(call[0]);
    return await swift.start(...call);
  },
};
const closed = await startTestService(wholeFile, { service: { clock, engines: [engine] } });
const open = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { engines: [engine] },
});
const { call, keys, make } = closed;

const png = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();
const DATA_URI = `data:image/png;base64,${png.toString('base64')}`;

const answers: Record<string, { status: number; headers?: Record<string, string>; body?: Buffer | string }> = {
  '/picture.png': { status: 200, headers: { 'content-type': 'image/png' }, body: png },
  '/mislabelled': { status: 200, headers: { 'content-type': 'text/plain' }, body: png },
  '/page': { status: 200, headers: { 'content-type': 'image/png' }, body: '<html>not a picture</html>' },
  '/broken': { status: 200, headers: { 'content-type': 'image/png' }, body: png.subarray(0, 60) },
  '/zipped': { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync(png) },
  '/not-zipped': { status: 200, headers: { 'content-encoding': 'gzip' }, body: png },
  '/part': { status: 206, headers: { 'content-range': 'bytes 0-9/60' }, body: png.subarray(0, 10) },
  '/none': { status: 204 },
  '/a%20b%20%C3%BC.png': { status: 200, body: png },
  ...Object.fromEntries(
    ['UTF-8', 'base64', 'aws-chunked', 'aws-chunked,gzip', 'none', 'binary'].map((coding) => [
      `/coded/${coding}`,
      { status: 200, headers: { 'content-encoding': coding }, body: png },
    ]),
  ),
  '/large-headers': { status: 200, headers: { policy: 'x'.repeat(60_000) }, body: png },
  '/larger-headers': { status: 200, headers: { policy: 'x'.repeat(70_000) }, body: png },
  '/moved': { status: 302, headers: { location: '/picture.png' } },
  '/inside': { status: 302, headers: { location: 'http://10.0.0.1/picture.png' } },
  '/metadata': { status: 302, headers: { location: 'http://169.254.169.254/latest' } },
  '/scheme': { status: 302, headers: { location: 'file:///etc/passwd' } },
};
let asked = 0;
const agents = new Set<string | undefined>();
const host = createServer((request, response) => {
  asked++;
  agents.add(request.headers['user-agent']);
  if (request.url === '/pieces') {
    answerInPieces(response, Buffer.concat([png, Buffer.alloc(100_000)]));
    return;
  }
  const { status, headers, body } = answers[request.url ?? ''] ?? { status: 404 };
  response.writeHead(status, headers).end(body);
}).listen(0, '127.0.0.1');
await once(host, 'listening');
wholeFile.after(() => host.close());
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

const order = (source: string) => ({
  model_id: 'sketch',
  prompt: 'a fox',
  resolution: '0.5K',
  image_urls: [source],
});
const create = (source: string, key = keys.test) => call(key, 'POST', '/v1/images', order(source));

async function upload(key: string, data: Buffer): Promise<FileAnswer> {
  const response = await fetch(`${closed.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
    body: new Uint8Array(data),
  });
  return ((await response.json()) as Envelope<FileAnswer>).data;
}

async function receivedBy(task: TaskAnswer) {
  const media = orders.find(({ taskId }) => taskId === task.task_id)?.media[0];
  assert.ok(media, 'the engine was handed the picture');
  const chunks: Buffer[] = [];
  for await (const chunk of await media.open()) chunks.push(chunk as Buffer);
  return { ...media, data: Buffer.concat(chunks) };
}

test('a data URI becomes a file when the order is taken, and the input shows its id, never its bytes', async () => {
  const task = await make(keys.test, '/v1/images', order(DATA_URI));
  assert.equal(task.status, 'succeeded');
  const [source] = task.input.image_urls;
  assert.match(source, /^upload:file_[0-9a-z]{26}$/);
  assert.ok(!JSON.stringify(task).includes('base64'));
  const received = await receivedBy(task);
  assert.ok(received.data.equals(png));
  assert.deepEqual([received.contentType, received.width, received.height], ['image/png', 96, 64]);
  const file = (await call(keys.test, 'GET', `/v1/files/${source.slice('upload:'.length)}`)).data;
  assert.deepEqual([file.bytes, file.width, file.height], [png.byteLength, 96, 64]);
});

test('the scheme of a data URI may be in capitals, like that of any URI', async () => {
  const { status, data } = await create(DATA_URI.replace('data:', 'DATA:'));
  assert.equal(status, 201);
  assert.match(data.input.image_urls[0], /^upload:file_/);
});

test('a refused order leaves no file of its data URI behind', async () => {
  const before = await closed.database.read.all(closed.database.read.builder.selectFrom('files').select('id'));
  const refused = await call(keys.test, 'POST', '/v1/images', { ...order(DATA_URI), max_price: '0.001' });
  assert.equal(refused.error.code, 'price_exceeded');
  const files = await closed.database.read.all(closed.database.read.builder.selectFrom('files').select('id'));
  assert.equal(files.length, before.length);
});

test('an upload is named by its id and by its address, also once the signature has run out', async () => {
  const file = await upload(keys.test, png);
  for (const source of [`upload:${file.file_id}`, file.url]) {
    const task = await make(keys.test, '/v1/images', order(source));
    assert.equal(task.status, 'succeeded', source);
    assert.deepEqual(task.input.image_urls, [source]);
    assert.ok((await receivedBy(task)).data.equals(png));
  }
  clock.advance(3 * 86_400_000);
  assert.equal((await fetch(file.url)).status, 403);
  assert.equal((await make(keys.test, '/v1/images', order(file.url))).status, 'succeeded');
});

test("an earlier task's output is named by its address, even without a good signature, its content address and its task", async () => {
  const parent = await make(keys.test, '/v1/images', order(DATA_URI));
  const [{ url, content_url: contentUrl, sha256 }] = parent.outputs;
  clock.advance(3 * 86_400_000);
  assert.equal((await fetch(url)).status, 403);
  for (const source of [url, url.replace(/\?.*/, ''), contentUrl, `task:${parent.task_id}`]) {
    const task = await make(keys.test, '/v1/images', order(source));
    assert.equal(task.status, 'succeeded', source);
    const { data } = await receivedBy(task);
    assert.equal(createHash('sha256').update(data).digest('hex'), sha256);
  }
});

test("another key's files and outputs cannot be named", async () => {
  const other = (await closed.issueKey({ mode: 'test' })).key;
  const file = await upload(keys.test, png);
  const task = await make(keys.test, '/v1/images', order(DATA_URI));
  for (const source of [`upload:${file.file_id}`, file.url, `task:${task.task_id}`, task.outputs[0].url]) {
    const { status, error } = await create(source, other);
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_reference', 'image_urls[0]'], source);
  }
});

test('a deleted reference is refused at once, and one that is not ready yet may be sent again later', async () => {
  const file = await upload(keys.test, png);
  await call(keys.test, 'DELETE', `/v1/files/${file.file_id}`);
  const stuck = (await call(keys.test, 'POST', '/v1/images', { ...order(DATA_URI), simulate: { outcome: 'stuck' } }))
    .data;
  for (const source of [
    `upload:${file.file_id}`,
    'upload:file_00000000000000000000000000',
    'task:img_00000000000000000000000000',
    `${closed.url}/v1/catalog`,
  ]) {
    const { status, error } = await create(source);
    assert.deepEqual([status, error?.code], [400, 'invalid_reference'], source);
  }
  const { status, error, headers } = await create(`task:${stuck.task_id}`);
  assert.deepEqual([status, error.code, error.param], [409, 'parent_not_ready', 'image_urls[0]']);
  assert.deepEqual([error.retryable, headers.get('retry-after')], [true, '2'], 'the same order may be taken later');
  await call(keys.test, 'POST', stuck.urls.cancel);
  const failed = await make(keys.test, '/v1/images', { ...order(DATA_URI), simulate: { outcome: 'timeout' } });
  assert.equal((await create(`task:${failed.task_id}`)).error.code, 'invalid_reference');
});

test('what can be judged without the network is refused at once: schemes, private addresses, bad data URIs', async () => {
  for (const source of [
    'nonsense',
    'ftp://pictures.example.com/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `${origin}/picture.png`,
    'http://localhost/a.png',
    'http://[::1]/a.png',
    'http://[::ffff:127.0.0.1]/a.png',
    'http://10.1.2.3/a.png',
    'http://192.168.0.1/a.png',
    'http://172.16.0.1/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/a.png',
    'http://0.0.0.0/a.png',
    'http://2130706433/a.png',
    'http://0x7f.1/a.png',
    'https://user:secret@pictures.example.com/a.png',
    'data:image/png,notbase64',
    'data:image/png;base64,',
    'data:image/png;base64,!!!!',
    `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
    `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
    `data:image/png;base64,${png.subarray(0, 60).toString('base64')}`,
  ]) {
    const { status, error } = await create(source);
    assert.deepEqual([status, error?.code, error?.param], [400, 'invalid_reference', 'image_urls[0]'], source);
    assert.ok(!error.message.includes('base64,i'), 'the message does not repeat the bytes');
  }
  assert.equal(asked, 0, 'nothing was fetched');
});

test('all bad references of an order are reported together', async () => {
  const body = { ...order(DATA_URI), image_urls: [DATA_URI, 'data:image/png,x', 'http://10.0.0.1/a.png'] };
  const { error } = await call(keys.test, 'POST', '/v1/images', body);
  assert.deepEqual(
    error.details.map((fault) => fault.param),
    ['image_urls[1]', 'image_urls[2]'],
  );
  const mixed = { ...body, image_urls: [...body.image_urls, 'nonsense'], brush: 'fine', end_user: '' };
  const told = await call(keys.test, 'POST', '/v1/images', mixed);
  assert.deepEqual(
    told.error.details.map((fault) => fault.param).sort(),
    ['brush', 'end_user', 'image_urls[1]', 'image_urls[2]', 'image_urls[3]'],
    'also in a list of which an item is no address',
  );
  const others = await call(keys.test, 'POST', '/v1/images', { ...body, brush: 'fine', end_user: '' });
  assert.deepEqual(others.error.details.map((fault) => fault.param).sort(), [
    'brush',
    'end_user',
    'image_urls[1]',
    'image_urls[2]',
  ]);
});

test('a medium of another kind than the field takes is refused', async () => {
  const body = { model_id: 'sketch-motion', prompt: 'a fox', reference_audio_urls: [DATA_URI] };
  const { status, error } = await call(keys.test, 'POST', '/v1/videos', body);
  assert.deepEqual([status, error.code, error.param], [400, 'invalid_reference', 'reference_audio_urls[0]']);
});

test('an address that the operator allows is fetched after the 201, and its type is known by its content', async () => {
  const coded = Object.keys(answers).filter((path) => path.startsWith('/coded/'));
  assert.equal(coded.length, 6);
  for (const path of ['/picture.png', '/large-headers', '/mislabelled', '/moved', '/zipped', '/a b ü.png', ...coded]) {
    const before = asked;
    const task = await open.make(open.keys.test, '/v1/images', order(origin + path));
    assert.equal(task.status, 'succeeded', `${path}: ${task.error?.message}`);
    assert.deepEqual(task.input.image_urls, [origin + path]);
    const received = await receivedBy(task);
    assert.deepEqual([received.contentType, received.width], ['image/png', 96]);
    assert.ok(received.data.equals(png));
    assert.equal(asked - before, path === '/moved' ? 2 : 1, path);
  }
  assert.deepEqual([...agents], [`Darkroom/${VERSION}`], 'hosts that refuse clients without a version take it');
});

test('a reference that cannot be fetched or is no picture fails the task as invalid_input, released', async () => {
  for (const path of ['/nothing', '/page', '/broken', '/not-zipped', '/part', '/none']) {
    const before = asked;
    const task = await open.make(open.keys.test, '/v1/images', order(origin + path));
    assert.deepEqual([task.status, task.error?.code, task.cost.state], ['failed', 'invalid_input', 'released'], path);
    assert.match(task.error.message, /^image_urls\[0\]: /);
    assert.equal(asked - before, 1, `${path}: a repeat cannot change it`);
  }
});

test('a reference in pieces of a few bytes, or with headers beyond 64 KB, is refused in words after one request', async () => {
  const words = {
    '/pieces': 'sends its body in pieces of a few bytes; at least 64 bytes each are expected',
    '/larger-headers': 'sent more than 64 KB of headers',
  };
  for (const [path, expected] of Object.entries(words)) {
    const before = asked;
    const task = await open.make(open.keys.test, '/v1/images', order(origin + path));
    assert.deepEqual([task.status, task.error?.code, task.cost.state], ['failed', 'invalid_input', 'released'], path);
    assert.equal(task.error.message, `image_urls[0]: ${new URL(origin).host} ${expected}`);
    assert.equal(asked - before, 1, path);
  }
});

test('a redirect to a private or metadata address or to another scheme is refused on its hop', async () => {
  for (const path of ['/inside', '/metadata', '/scheme']) {
    const task = await open.make(open.keys.test, '/v1/images', order(origin + path));
    assert.deepEqual([task.status, task.error?.code, task.cost.state], ['failed', 'invalid_input', 'released'], path);
  }
});

test('a quote judges media as a create does, and keeps none', async () => {
  const good = await call(keys.test, 'POST', '/v1/prices', order(DATA_URI));
  assert.equal(good.status, 200, good.error?.message);
  const bad = await call(keys.test, 'POST', '/v1/prices', order('http://10.0.0.1/a.png'));
  assert.deepEqual([bad.status, bad.error.code], [400, 'invalid_reference']);
});
