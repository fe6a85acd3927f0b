import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorBodyView } from '@darkroom-service/contract';
import type { Envelope } from '@darkroom-service/contract/schemas';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { type FileAnswer, startTestService, type TaskAnswer, type TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Waiting for tasks, asking again, and fetching their files until they are erased (contract §6). */

const HOUR = 3_600_000;
const clock = new ManualClock();
const moving = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const { call, keys, make } = service;
const STUCK = { ...ORDER, simulate: { outcome: 'stuck' } };
/** Until what a service's test key ordered last is under way. */
const untilProcessing = ({ call, keys }: TestService) =>
  until(
    async () => (await call(keys.test, 'GET', '/v1/images?limit=1')).data.items,
    ([task]) => task?.status === 'processing',
  );

test('a create with Prefer: wait answers 201 with the final task as soon as there is one', async () => {
  const order = { ...ORDER, simulate: { seconds: 0.3 } };
  const begun = performance.now();
  const { status, headers, data } = await call(keys.test, 'POST', '/v1/images', order, { prefer: 'wait=30' });
  assert.deepEqual([status, data.status, headers.get('preference-applied')], [201, 'succeeded', 'wait=30']);
  const took = performance.now() - begun;
  assert.ok(took > 250 && took < 20_000, `${took} ms`);
});

test('when the time is up the task is answered as it stands, and the retrieval can wait on', async () => {
  const { call, keys } = moving;
  const begun = performance.now();
  const order = { ...ORDER, simulate: { seconds: 60 } };
  const first = await call(keys.test, 'POST', '/v1/images', order, { prefer: 'wait=1' });
  assert.ok(performance.now() - begun >= 990);
  assert.equal(first.status, 201);
  assert.match(first.data.status, /^(queued|processing)$/);
  await untilProcessing(moving);
  await untilLetGo(moving.database);
  clock.advance(60_000);
  const second = await call(keys.test, 'GET', first.data.urls.self, undefined, { prefer: 'wait=30' });
  assert.deepEqual([second.status, second.data.status], [200, 'succeeded']);
  assert.equal(second.headers.get('preference-applied'), 'wait=30');
});

test('more than 45 seconds count as 45, and malformed preferences are ignored', async () => {
  const done = await make(keys.test, '/v1/images', ORDER);
  const applied = async (prefer: string) =>
    (await call(keys.test, 'GET', done.urls.self, undefined, { prefer })).headers.get('preference-applied');
  assert.equal(await applied('wait=46'), 'wait=45');
  assert.equal(await applied('wait=100000'), 'wait=45');
  assert.equal(await applied('respond-async, wait=5'), 'wait=5');
  for (const malformed of ['wait', 'wait=', 'wait=0', 'wait=-1', 'wait=1.5', 'wait=soon', 'return=minimal'])
    assert.equal(await applied(malformed), null, malformed);
});

test('a task that is not final carries Retry-After and no ETag; a final one an ETag and no Retry-After', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', STUCK);
  const open = await call(keys.test, 'GET', data.urls.self);
  assert.match(open.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(open.headers.get('etag'), null);
  const done = await make(keys.test, '/v1/images', ORDER);
  const final = await call(keys.test, 'GET', done.urls.self);
  assert.equal(final.headers.get('retry-after'), null);
  assert.match(final.headers.get('etag') ?? '', /^"[^"]+"$/);
});

test('a final task answers 304 to its ETag for as long as its addresses are the same: to the end of the half day', async () => {
  const { call, keys, make } = moving;
  const task = await make(keys.test, '/v1/images', ORDER);
  const look = (etag: string) => call(keys.test, 'GET', task.urls.self, undefined, { 'if-none-match': etag });
  const first = await look('"none"');
  const etag = first.headers.get('etag') ?? '';
  assert.match(first.data.outputs[0].url_expires_at, /T(00|12):00:00\.000Z$/);
  for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const same = await look(known);
    assert.deepEqual([same.status, same.body, same.headers.get('etag')], [304, null, etag], known);
  }
  assert.equal((await look('"none"')).data.outputs[0].url, first.data.outputs[0].url, 'cacheable: the same address');
  clock.advance(12 * HOUR);
  const later = await look(etag);
  assert.equal(later.status, 200);
  assert.notEqual(later.headers.get('etag'), etag);
  assert.notEqual(later.data.outputs[0].url, first.data.outputs[0].url);
});

test('a signed address works without a key for a day at least, then answers 403 and is signed anew by the next read', async () => {
  const { call, keys, make } = moving;
  const task = await make(keys.test, '/v1/images', ORDER);
  const [{ url, url_expires_at: end }] = task.outputs;
  const left = Date.parse(end) - clock.now();
  assert.ok(left >= 24 * HOUR && left <= 36 * HOUR);
  clock.advance(left - 1);
  assert.equal((await fetch(url)).status, 200);
  clock.advance(2);
  const late = await call(null, 'GET', url);
  assert.deepEqual([late.status, late.error.code], [403, 'forbidden']);
  const again = (await call(keys.test, 'GET', task.urls.self)).data.outputs[0].url;
  assert.equal((await fetch(again)).status, 200);
});

test('nothing of a signed address can be changed', async () => {
  const task = await make(keys.test, '/v1/images', ORDER);
  const other = await make(keys.test, '/v1/images', ORDER);
  const url = new URL(task.outputs[0].url);
  for (const forge of [
    (u: URL) => u.searchParams.set('expires', String(Number(u.searchParams.get('expires')) + 1)),
    (u: URL) => u.searchParams.set('signature', 'A'.repeat(43)),
    (u: URL) => u.searchParams.delete('signature'),
    (u: URL) => u.searchParams.delete('expires'),
    (u: URL) => {
      u.pathname = new URL(other.outputs[0].url).pathname;
    },
  ]) {
    const forged = new URL(url);
    forge(forged);
    const { status, error } = await call(null, 'GET', forged.href);
    assert.deepEqual([status, error?.code], [403, 'forbidden'], forged.href);
  }
});

test('a file comes with its type, ETag, ranges, nosniff and a cross-origin policy, by either address', async () => {
  const task = await make(keys.test, '/v1/images', ORDER);
  const [{ url, content_url, bytes, content_type }] = task.outputs;
  for (const [address, key] of [
    [url, null],
    [content_url, keys.test],
  ] as const) {
    const get = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(address, { method, headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers } });
    const whole = await get();
    const data = Buffer.from(await whole.arrayBuffer());
    assert.deepEqual([whole.status, data.byteLength], [200, bytes]);
    assert.equal(whole.headers.get('content-type'), content_type);
    assert.equal(whole.headers.get('content-length'), String(bytes));
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(whole.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    const etag = whole.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    const same = await get({ 'if-none-match': etag });
    assert.deepEqual([same.status, await same.text()], [304, '']);
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, bytes],
      ['bytes=-5', bytes - 5, bytes],
      [`bytes=5-${bytes + 100}`, 5, bytes],
    ] as const) {
      const part = await get({ range });
      assert.deepEqual(
        [part.status, part.headers.get('content-range'), part.headers.get('content-length')],
        [206, `bytes ${from}-${to - 1}/${bytes}`, String(to - from)],
      );
      assert.ok(Buffer.from(await part.arrayBuffer()).equals(data.subarray(from, to)), range);
    }
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status, 200);
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': etag })).status, 206);
    const beyond = await get({ range: `bytes=${bytes}-` });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${bytes}`]);
    assert.equal(((await beyond.json()) as ErrorBodyView).error.code, 'range_not_satisfiable');
    const head = await get({}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, String(bytes), '']);
  }
});

test('download=1 names the file after its task', async () => {
  const task = await make(keys.test, '/v1/images', ORDER);
  const [{ url, content_url }] = task.outputs;
  const disposition = async (address: string, key: string | null) =>
    (await call(key, 'GET', address)).headers.get('content-disposition');
  const name = `attachment; filename="${task.task_id}.png"`;
  assert.equal(await disposition(`${url}&download=1`, null), name);
  assert.equal(await disposition(`${content_url}?download=1`, keys.test), name);
  assert.match((await disposition(url, null)) ?? '', /^inline/);
});

test('the content address takes the bearer of its key alone, and gives the thumbnail when asked', async () => {
  const task = await make(keys.test, '/v1/images', { ...ORDER, resolution: '1K' });
  const [{ content_url, thumbnail_url }] = task.outputs;
  assert.equal((await call(null, 'GET', content_url)).error.code, 'missing_api_key');
  const other = (await service.issueKey({ mode: 'test' })).key;
  assert.equal((await call(other, 'GET', content_url)).error.code, 'task_not_found');
  for (const [address, key] of [
    [`${content_url}?variant=thumbnail`, keys.test],
    [thumbnail_url, null],
  ] as const) {
    const response = await fetch(address, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
    const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.ok((picture.width ?? 0) <= 512 && (picture.width ?? 0) === picture.height, `${picture.width}`);
  }
  const wrong = await call(keys.test, 'GET', `${content_url}?variant=poster`);
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'variant']);
});

test('a task that ended without an output has no content; one that has not ended may be asked again', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', STUCK);
  const failed = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'timeout' } });
  const contentOf = ({ urls }: TaskAnswer) => call(keys.test, 'GET', `${urls.self}/content`);
  const none = await contentOf(failed);
  assert.deepEqual([none.status, none.error.code], [404, 'not_found']);
  const { status, error, headers } = await contentOf(data);
  assert.deepEqual([status, error.code, error.retryable, headers.get('retry-after')], [409, 'not_final', true, '2']);
});

test('files are erased after the retention time: no outputs, 410 for the file, and the cost stays visible', async () => {
  const { call, keys, make } = moving;
  const task = await make(keys.test, '/v1/images', { ...ORDER, metadata: { a: 'b' }, end_user: 'ann' });
  const keptFor = Date.parse(task.expires_at) - clock.now();
  assert.equal(Math.round(keptFor / (24 * HOUR)), 30);
  clock.advance(keptFor - 1_000);
  await moving.service.runHousekeeping();
  const fresh = (await call(keys.test, 'GET', task.urls.self)).data;
  assert.equal((await fetch(fresh.outputs[0].url)).status, 200, 'until then they are there');
  clock.advance(1_000);
  await moving.service.runHousekeeping();
  const erased = (await call(keys.test, 'GET', task.urls.self)).data;
  assert.deepEqual([erased.status, erased.outputs, erased.available_actions], ['succeeded', [], []]);
  assert.deepEqual([erased.cost, erased.completed_at], [fresh.cost, fresh.completed_at]);
  assert.doesNotMatch(JSON.stringify(erased), /fox/, 'the prompt is gone too');
  for (const [address, key] of [
    [fresh.outputs[0].url, null],
    [fresh.outputs[0].thumbnail_url, null],
    [fresh.outputs[0].content_url, keys.test],
  ] as const) {
    const { status, error } = await call(key, 'GET', address);
    assert.deepEqual([status, error?.code], [410, 'outputs_expired'], address);
  }
  const listed = (await call(keys.test, 'GET', '/v1/images?limit=100')).data.items;
  assert.ok(
    listed.some((one) => one.task_id === task.task_id),
    'lists still show it',
  );
  const reused = await call(keys.test, 'POST', '/v1/images', { ...ORDER, image_urls: [`task:${task.task_id}`] });
  assert.equal(reused.error.code, 'invalid_reference');
});

test('the operator decides how long files are kept and addresses hold', async (t) => {
  const now = new ManualClock();
  const own = await startTestService(t, {
    env: { DARKROOM_RETENTION_DAYS: '2', DARKROOM_URL_LIFETIME_HOURS: '1' },
    service: { clock: now, engines: [createSwiftEngine({}, now)] },
  });
  const task = await own.make(own.keys.test, '/v1/images', ORDER);
  assert.equal(Date.parse(task.expires_at) - Date.parse(task.created_at), 48 * HOUR);
  const left = Date.parse(task.outputs[0].url_expires_at) - now.now();
  assert.ok(left >= HOUR && left <= 13 * HOUR);
  now.advance(48 * HOUR);
  await own.service.runHousekeeping();
  assert.deepEqual((await own.call(own.keys.test, 'GET', task.urls.self)).data.outputs, []);
});

test('an upload is kept as long as a task, then it is gone', async () => {
  const { call, keys } = moving;
  const response = await fetch(`${moving.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.test}`, 'content-type': 'image/png' },
    body: new Uint8Array(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
        .png()
        .toBuffer(),
    ),
  });
  const { file_id, expires_at } = ((await response.json()) as Envelope<FileAnswer>).data;
  clock.advance(Date.parse(expires_at) - clock.now());
  await moving.service.runHousekeeping();
  const { status, error } = await call(keys.test, 'GET', `/v1/files/${file_id}`);
  assert.deepEqual([status, error.code], [410, 'outputs_expired']);
  const order = { ...ORDER, image_urls: [`upload:${file_id}`] };
  assert.equal((await call(keys.test, 'POST', '/v1/images', order)).error.code, 'invalid_reference');
});
