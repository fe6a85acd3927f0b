import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { test } from 'node:test';
import type { OpenApiDocument } from '../helpers/openapi-document.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A proxy that compresses decides by the first bytes of an answer whether it collects the others. */

const { url, keys, call } = await startTestService(wholeFile);
const HEADERS = ['text/event-stream; charset=utf-8', 'no-store, no-transform', 'no'];
const OPENING = ': open\n\n';
/** Is not finished while the test runs. */
const STUCK = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };

/** Reads the headers of an answer and its first chunk, which Node gives as the service sent it; then leaves. */
async function open(path: string, key: string, options: RequestOptions = {}, body?: object) {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream', ...options.headers };
  const sent = request(`${url}${path}`, { ...options, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [first] = await once(answer, 'data');
  sent.destroy();
  const { 'content-type': type, 'cache-control': caching, 'x-accel-buffering': buffering } = answer.headers;
  return { status: answer.statusCode, headers: [type, caching, buffering], first: String(first) };
}

test('every event stream of the document begins with a short chunk of its own, and forbids to be changed on the way', async () => {
  const { data: image } = await call(keys.test, 'POST', '/v1/images', STUCK);
  const { data: video } = await call(keys.test, 'POST', '/v1/videos', { ...STUCK, model_id: 'sketch-motion' });
  const orders = [{ operation: 'images', body: STUCK }];
  const { data: batch } = await call(keys.test, 'POST', '/v1/batches', { orders });
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const streams = Object.entries(document.paths).filter(
    ([, { get }]) => get?.responses['200']?.content?.['text/event-stream'] !== undefined,
  );
  assert.ok(streams.length >= 5, `${streams.length}`);
  for (const [path] of streams) {
    const at = path
      .replace('{task_id}', (path.includes('/videos/') ? video : image).task_id)
      .replace('{batch_id}', batch.batch_id);
    const query = path === '/v1/events' ? `?tasks=${image.task_id},${video.task_id}` : '';
    const key = path.startsWith('/admin/') ? keys.admin : keys.test;
    assert.deepEqual(await open(`${at}${query}`, key), { status: 200, headers: HEADERS, first: OPENING }, path);
  }
});

test('so do the streams of OpenAI clients and of agents', async () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const image = { model: 'sketch', prompt: 'a fox', stream: true, simulate: { outcome: 'stuck' } };
  const arguments_ = { model_id: 'sketch', prompt: 'a fox', wait_seconds: 0 };
  const params = { name: 'create_picture', arguments: arguments_ };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  for (const [path, body] of [
    ['/openai/v1/images/generations', image],
    ['/mcp', message],
  ] as const)
    assert.deepEqual(await open(path, keys.test, json, body), { status: 200, headers: HEADERS, first: OPENING }, path);
});
