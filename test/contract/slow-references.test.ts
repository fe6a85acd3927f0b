import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** References are fetched before an order takes a slot of its engine: a slow host delays only its own order. */

const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { engines: [createSwiftEngine({ concurrency: 1 })] },
});
const { call, keys, make } = service;
const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3a3' } })
  .png()
  .toBuffer();

/** Sends the first byte of a picture and then waits. */
const slow: { readonly url: string; readonly response: ServerResponse }[] = [];
const failing = new Set(['/busy']);
const host = createServer((request, response) => {
  const url = request.url ?? '';
  if (failing.delete(url)) return void response.writeHead(503).end();
  response.writeHead(200, { 'content-type': 'image/png' });
  if (!url.startsWith('/slow')) return void response.end(png);
  response.write(png.subarray(0, 1));
  slow.push({ url, response });
}).listen(0, '127.0.0.1');
await once(host, 'listening');
wholeFile.after(() => {
  host.closeAllConnections();
  host.close();
});
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
const order = (path: string) => ({
  model_id: 'sketch',
  prompt: 'a fox',
  resolution: '0.5K',
  image_urls: [`${origin}${path}`],
});

const askedFor = (path: string, times: number) =>
  until(
    () => slow.filter(({ url }) => url === path).length,
    (count) => count === times,
  );

async function beginSlow(key: string, path: string): Promise<TaskAnswer> {
  const { status, data } = await call(key, 'POST', '/v1/images', order(path));
  assert.equal(status, 201);
  await askedFor(path, 1);
  return data;
}
const finish = (path: string) => slow.find(({ url }) => url === path)!.response.end(png.subarray(1));

test('slow references of one account hold up no order of another, and end well when they arrive', async () => {
  const poor = (await service.issueKey({ mode: 'live', accountId: await service.createAccount(50_000) })).key;
  const begun: TaskAnswer[] = [];
  for (let at = 0; at < 5; at++) begun.push(await beginSlow(poor, `/slow/${at}`));
  const other = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a hare', resolution: '0.5K' });
  assert.equal(other.status, 'succeeded');
  const quick = await make(keys.live, '/v1/images', order('/quick'));
  assert.equal(quick.status, 'succeeded', 'nor do other hosts wait, or the same one with another reference');
  for (const [at, task] of begun.entries()) {
    const { data } = await call(poor, 'GET', task.urls.self);
    assert.deepEqual([data.status, data.can_cancel, data.cost.state], ['queued', true, 'held']);
    finish(`/slow/${at}`);
  }
  for (const task of begun) {
    const { data } = await call(poor, 'GET', task.urls.self, undefined, { prefer: 'wait=60' });
    assert.equal(data.status, 'succeeded', JSON.stringify(data.error));
  }
});

test('an order whose references are being fetched can be canceled: it is released and its download ends', async () => {
  const task = await beginSlow(keys.live, '/slow/canceled');
  const { response } = slow.at(-1)!;
  const closed = once(response, 'close');
  const { data } = await call(keys.live, 'POST', `${task.urls.self}/cancel`);
  assert.deepEqual([data.status, data.cost.state], ['canceled', 'released']);
  await closed;
  const gone = await call(keys.live, 'DELETE', task.urls.self);
  assert.equal(gone.status, 200);
});

test('a host that fails for the moment is asked again, and the order is made', async () => {
  const task = await make(keys.live, '/v1/images', order('/busy'));
  assert.equal(task.status, 'succeeded');
});
