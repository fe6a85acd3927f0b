import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import sharp from 'sharp';
import { loadConfig } from '../helpers/load-config.ts';
import { type FileAnswer, type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What an API key may store and have examined of input files, and what a file may hold besides its picture. */

const LIMIT = 52_428;
/** Of one end user with client tokens: room for one file. */
const SHARE = 31_456;
const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  config: {
    storageLimits: { key: LIMIT, endUser: SHARE },
    budgets: { ...loadConfig({}).budgets, examined_pixels: 10_000_000 },
    endUserPercent: 60,
  },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys, make } = service;
const pixels = Buffer.alloc(90 * 90 * 3);
for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7919 + (at >> 3) * 104_729) & 255;
const png = await sharp(pixels, { raw: { width: 90, height: 90, channels: 3 } })
  .png({ compressionLevel: 0 })
  .toBuffer();
assert.ok(png.length > LIMIT / 3 && png.length < LIMIT / 2);

const host = createServer((_request, response) => response.end(png)).listen(0, '127.0.0.1');
await once(host, 'listening');
wholeFile.after(() => host.close());
const elsewhere = `http://127.0.0.1:${(host.address() as AddressInfo).port}/picture.png`;
const dataUri = `data:image/png;base64,${png.toString('base64')}`;

const tokenFor = async (key: string, endUser: string): Promise<string> =>
  (await call(key, 'POST', '/v1/client_tokens', { end_user: endUser })).data.token;

async function upload(key: string, data: Buffer) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
  const response = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(data) });
  const body = (await response.json()) as { readonly data: FileAnswer; readonly error: Refusal };
  return { status: response.status, headers: response.headers, body };
}
const order = (source: string) => ({ model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', image_urls: [source] });
const storedBy = async (key: string) => {
  const { stored_bytes: bytes, ...limits } = (await call(key, 'GET', '/v1/account')).data.key;
  assert.deepEqual([limits.stored_bytes_limit, limits.end_user_stored_bytes_limit], [LIMIT, SHARE]);
  return bytes;
};

test('what a key stores beyond its limit is refused, until it deletes something; other keys have their own', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const first = await upload(key, png);
  const task = await make(key, '/v1/images', order(dataUri));
  assert.deepEqual([first.status, task.status], [201, 'succeeded']);
  assert.equal(await storedBy(key), 2 * png.length, 'outputs do not count');
  const refused = await upload(key, png);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'storage_limit_reached']);
  assert.deepEqual(refused.body.error.details, [
    { stored_bytes: 2 * png.length, limit_bytes: LIMIT, needed_bytes: png.length },
  ]);
  const refusedOrder = await call(key, 'POST', '/v1/images', order(dataUri));
  assert.deepEqual([refusedOrder.status, refusedOrder.error.code], [409, 'storage_limit_reached']);
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 1, 'and nothing was ordered');
  assert.equal((await upload(keys.test, png)).status, 201);
  await call(key, 'DELETE', `/v1/files/${first.body.data.file_id}`);
  assert.equal(await storedBy(key), png.length);
  assert.equal((await upload(key, png)).status, 201);
});

test('a fetched reference counts until its task is deleted, and one that does not fit fails its order', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const first = await make(key, '/v1/images', order(elsewhere));
  assert.equal(first.status, 'succeeded', JSON.stringify(first.error));
  assert.equal((await make(key, '/v1/images', order(elsewhere))).status, 'succeeded');
  assert.equal(await storedBy(key), 2 * png.length);
  const failed = await make(key, '/v1/images', order(elsewhere));
  assert.deepEqual([failed.status, failed.error.code, failed.cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(failed.error.message, /can store \d+ more bytes of input files/);
  await call(key, 'DELETE', first.urls.self);
  assert.equal(await storedBy(key), png.length);
});

test('an end user with a client token stores its share of the key and no more, and the key and others have the rest', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
  const first = await upload(ada, png);
  assert.equal(first.status, 201);
  const refused = await upload(ada, png);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'storage_limit_reached']);
  assert.match(
    refused.body.error.message,
    /^The input files of the end user of this client token use \d+ of 31456 bytes/,
  );
  const details = [{ stored_bytes: png.length, limit_bytes: SHARE, needed_bytes: png.length }];
  assert.deepEqual(refused.body.error.details, details);
  assert.equal((await call(ada, 'POST', '/v1/images', order(dataUri))).error.code, 'storage_limit_reached');
  const fetched = await make(ada, '/v1/images', order(elsewhere));
  assert.deepEqual([fetched.status, fetched.error.code, fetched.cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(fetched.error.message, /this end user can store \d+ more bytes of input files/);
  assert.equal((await upload(bob, png)).status, 201);
  assert.equal(await storedBy(key), 2 * png.length);
  const { status, body } = await upload(await tokenFor(key, 'carol'), png);
  const noRoom = `The input files of this app have no room for ${png.length} more bytes. Tell its provider.`;
  assert.deepEqual([status, body.error.message, body.error.details], [409, noRoom, []]);
  // What the key orders for the end user is limited by the key alone.
  const ofKey = await call(key, 'POST', '/v1/images', { ...order(dataUri), end_user: 'ada' });
  assert.match(ofKey.error.message, /^The input files of this API key use/);
  await call(ada, 'DELETE', `/v1/files/${first.body.data.file_id}`);
  assert.equal((await call(ada, 'POST', '/v1/images', order(dataUri))).status, 201);
});

test('a picture with something else after its end is refused, as an upload and as a data URI', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const stuffed = Buffer.concat([await sharp(png).resize(8, 8).png().toBuffer(), Buffer.alloc(70_000)]);
  const sent = await upload(keys.live, stuffed.subarray(0, 40_000));
  assert.equal(sent.status, 201, 'a little padding is accepted');
  const ordered = await call(key, 'POST', '/v1/prices', order(`data:image/png;base64,${stuffed.toString('base64')}`));
  assert.deepEqual([ordered.status, ordered.error.code], [400, 'invalid_reference']);
  assert.match(ordered.error.message, /at most 65536 more bytes are accepted/);
});

test('an end user that has had its share of pixels examined is refused, and the key and other end users are not', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const large = await sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: '#456' } })
    .png({ palette: true, colours: 2 })
    .toBuffer();
  const [ada, bob] = [await tokenFor(key, 'ada'), await tokenFor(key, 'bob')];
  const first = await upload(ada, large);
  assert.equal(first.status, 201);
  assert.match(String(first.headers.get('ratelimit-policy')), /"examined_pixels";q=6000000;/);
  assert.match(String(first.headers.get('ratelimit')), /"examined_pixels";r=0;/);
  const refused = await upload(ada, png);
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited']);
  assert.match(refused.body.error.message, /^This end user has reached its share of the examined pixels/);
  for (const other of [bob, key]) assert.equal((await upload(other, png)).status, 201);
});
