import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { S3_CREDENTIALS, startS3Server, until } from '@darkroom-service/testing';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

const FOX = { model_id: 'sketch', prompt: 'a fox' };

async function listen(t: Pick<TestContext, 'after'>, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A CDN: a cache that many share, by RFC 9111, in front of an origin. */
async function openCdn(t: Pick<TestContext, 'after'>) {
  const asked: string[] = [];
  let origin = '';
  const noting: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    asked.push(`${options.method} ${new URL(options.path, 'http://x').pathname}`);
    return dispatch(options, handler);
  };
  const agent = new Agent();
  const cached = agent.compose(noting, interceptors.cache({ type: 'shared' }));
  t.after(() => agent.close());
  const answer = async ({ method, url, headers }: IncomingMessage, response: Parameters<RequestListener>[1]) => {
    const { range, 'if-none-match': etag } = headers;
    const got = await request(`${origin}${url}`, {
      dispatcher: cached,
      method: method as 'GET' | 'HEAD',
      headers: { ...(range === undefined ? {} : { range }), ...(etag === undefined ? {} : { 'if-none-match': etag }) },
    });
    response.writeHead(got.statusCode, got.headers);
    await pipeline(got.body, response);
  };
  const url = await listen(t, (incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  return {
    url,
    asked,
    pullFrom(address: string) {
      origin = address;
    },
  };
}

/** Passes on what is for an S3 server, and notes what is about files of tasks. */
async function openNotedLine(t: Pick<TestContext, 'after'>, endpoint: string) {
  const seen: string[] = [];
  const url = await listen(t, (incoming, response) => {
    const { method, url, headers } = incoming;
    if (url?.includes('/tasks/')) seen.push(`${method}`);
    const onward = forward(new URL(url ?? '', endpoint), { method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  return { url, seen };
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  const cacheControl = response.headers.get('cache-control');
  return { status: response.status, body, cacheControl, etag: response.headers.get('etag') ?? '' };
}

test('a CDN in front keeps files for everybody, and a deleted file is gone from it after the time that is set', async (t) => {
  const cdn = await openCdn(t);
  const { make, call, keys, url } = await startTestService(t, {
    env: { DARKROOM_CDN_URL: `${cdn.url}/`, DARKROOM_CDN_SECONDS: '5' },
    service: { engines: [createSwiftEngine()] },
  });
  cdn.pullFrom(url);
  const task = await make(keys.live, '/v1/images', FOX);
  const output = task.outputs[0]!;
  for (const address of [output.url, output.thumbnail_url])
    assert.ok(address?.startsWith(`${cdn.url}/files/tasks/`), `${address}`);
  assert.ok(task.urls.events.startsWith(`${url}/v1/images/`), 'everything else stays at the service');

  const first = await get(output.url);
  assert.deepEqual([first.status, first.cacheControl], [200, 'public, max-age=5, must-revalidate']);
  assert.equal(first.body.length, output.bytes);
  const second = await get(output.url);
  assert.ok(second.body.equals(first.body));
  assert.equal(cdn.asked.length, 1, 'the service was asked once');
  const direct = output.url.replace(cdn.url, url);
  const part = await get(direct, { range: 'bytes=2-5' });
  assert.deepEqual([part.status, part.body], [206, first.body.subarray(2, 6)]);
  assert.equal((await get(direct, { 'if-none-match': first.etag })).status, 304);

  assert.equal((await call(keys.live, 'DELETE', `/v1/images/${task.task_id}`)).status, 200);
  const deletedAt = performance.now();
  assert.equal((await get(direct)).status, 410);
  await until(
    () => get(output.url),
    ({ status }) => status === 410,
  );
  const took = performance.now() - deletedAt;
  assert.ok(took < 10_000, `the CDN kept it for ${took} ms`);
});

test('a CDN keeps a file no longer than its address is valid, and its address names the file in an order', async (t) => {
  const cdn = await openCdn(t);
  const overlay = await openCatalogOverlay(t, [fromPictureEntry({ model_id: 'again' })]);
  const { make, keys, url } = await startTestService(t, {
    env: {
      DARKROOM_CDN_URL: cdn.url,
      DARKROOM_CDN_SECONDS: '86400',
      DARKROOM_URL_LIFETIME_HOURS: '0.01',
      DARKROOM_CATALOG_DIR: overlay.directory,
    },
    service: { engines: [createSwiftEngine()] },
  });
  cdn.pullFrom(url);
  const output = (await make(keys.live, '/v1/images', FOX)).outputs[0]!;
  const left = (Date.parse(output.url_expires_at) - Date.now()) / 1000;
  const [, seconds] = /^public, max-age=(\d+), must-revalidate$/.exec((await get(output.url)).cacheControl ?? '') ?? [];
  assert.ok(Number(seconds) <= left && Number(seconds) > left - 10, `${seconds} of ${left}`);
  cdn.asked.length = 0;
  const again = await make(keys.live, '/v1/images', { model_id: 'again', prompt: 'bluer', image_urls: [output.url] });
  assert.deepEqual([again.status, cdn.asked], ['succeeded', []]);
});

test('a download from a bucket asks it for nothing but the file, and without a CDN for nothing at all', async (t) => {
  const s3 = await startS3Server();
  t.after(() => s3.close());
  const line = await openNotedLine(t, s3.endpoint);
  const cdn = await openCdn(t);
  const start = async (env: Record<string, string>) => {
    const bucket = {
      DARKROOM_STORAGE_URL: `s3://${await s3.makeBucket()}?endpoint=${line.url}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    };
    const app = await startTestService(t, { env: { ...bucket, ...env }, service: { engines: [createSwiftEngine()] } });
    const { outputs } = await app.make(app.keys.live, '/v1/images', FOX);
    line.seen.length = 0;
    return { app, output: outputs[0]! };
  };
  const plain = await start({});
  const redirected = await get(plain.output.url);
  assert.deepEqual([redirected.status, redirected.cacheControl, line.seen], [302, 'no-store', []]);

  const { app, output } = await start({ DARKROOM_CDN_URL: cdn.url });
  cdn.pullFrom(app.url);
  const file = await get(output.url);
  assert.deepEqual([file.status, file.body.length, line.seen], [200, output.bytes, ['GET']]);
  assert.equal((await get(output.url)).status, 200);
  const direct = output.url.replace(cdn.url, app.url);
  assert.equal((await get(direct, { 'if-none-match': file.etag })).status, 304);
  assert.deepEqual(line.seen, ['GET']);
});
