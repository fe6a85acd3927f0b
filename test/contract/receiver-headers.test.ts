import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { loggedLines } from '../helpers/logged-lines.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Headers that buckets and receivers of customers ask for. */

const SECRET = 'Bearer of-the-receiver';
const { log, lines } = loggedLines('debug');
const { call, make, keys, issueKey, createAccount, database } = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8', DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
  service: { log, engines: [createSwiftEngine()] },
});
const FOX = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
const FAILS = { ...FOX, simulate: { outcome: 'upstream_error' } };

/** A bucket that takes a file only with a header, and says what is missing as Azure does. */
async function startBucket(needed: string) {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume().on('end', () => {
      if (request.url?.startsWith('/moved')) response.writeHead(307, { location: '/taken' }).end();
      else if (request.headers[needed] !== undefined) response.writeHead(201, { etag: '"0x8DE2F"' }).end();
      else
        response
          .writeHead(400, { 'content-type': 'application/xml' })
          .end(`<Error><Code>MissingRequiredHeader</Code><HeaderName>${needed}</HeaderName></Error>`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  wholeFile.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function untilTried(order: object): Promise<TaskAnswer> {
  const { task_id } = await make(keys.test, '/v1/images', order);
  return await until(
    async () => (await call(keys.test, 'GET', `/v1/images/${task_id}` as '/v1/images/{task_id}')).data,
    ({ deliveries = [] }) => deliveries.some(({ attempts }) => attempts > 0),
  );
}

test('the headers of an order go to its presigned URL, and are neither answered nor stored nor logged in plain text', async () => {
  const bucket = await startBucket('authorization');
  const headers = { Authorization: SECRET, 'x-amz-acl': 'private' };
  const task = await untilTried({ ...FOX, deliver_to: { url: `${bucket.url}/a.png?key=1`, headers } });
  assert.equal(task.deliveries[0].state, 'delivered', task.deliveries[0].reason ?? '');
  const [sent] = bucket.received;
  assert.deepEqual(
    [sent?.authorization, sent?.['x-amz-acl'], sent?.['content-type']],
    [SECRET, 'private', 'image/png'],
  );
  const rows = await database.read.all(database.read.builder.selectFrom('tasks').selectAll());
  assert.doesNotMatch(JSON.stringify([task, rows, lines]), /of-the-receiver/);
});

test('a redirect of the bucket takes no header along', async () => {
  const bucket = await startBucket('authorization');
  const headers = { authorization: SECRET };
  const task = await untilTried({ ...FOX, deliver_to: { url: `${bucket.url}/moved.png`, headers } });
  assert.deepEqual([task.deliveries[0].state, bucket.received.length], ['pending', 1]);
});

test('a shared access signature of Azure gets the header that each upload there needs, and its end is known', async () => {
  const bucket = await startBucket('x-ms-blob-type');
  const signed = (end: string) => `${bucket.url}/a.png?sv=2024-11-04&sp=cw&se=${end}&sig=abc%3D`;
  const task = await untilTried({ ...FOX, deliver_to: { url: signed('2100-01-01T00:00:00Z') } });
  assert.equal(task.deliveries[0].state, 'delivered', task.deliveries[0].reason ?? '');
  assert.equal(bucket.received[0]?.['x-ms-blob-type'], 'BlockBlob');
  const late = await untilTried({ ...FOX, deliver_to: { url: signed('2020-01-01T00:00:00Z') } });
  assert.deepEqual([late.deliveries[0].state, late.deliveries[0].reason], ['failed', 'The presigned URL has expired.']);
});

test('a bucket that names a missing header is asked once, and the reason says what to send', async () => {
  const bucket = await startBucket('x-amz-acl');
  const task = await untilTried({ ...FOX, deliver_to: { url: `${bucket.url}/a.png` } });
  const { state, attempts, reason } = task.deliveries[0];
  assert.deepEqual([state, attempts], ['failed', 1]);
  assert.match(
    reason ?? '',
    /400 \(MissingRequiredHeader\): the header 'x-amz-acl' is missing\. Send it in deliver_to\.headers\./,
  );
});

test('headers of the connection, of a session or of the service, with line ends, or too many are refused, and none is repeated', async () => {
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, place) => [`x-${place}`, SECRET]));
  const refused: object[] = [
    ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'cookie', 'Proxy-Authorization', 'webhook-id'].map(
      (name) => ({ [name]: SECRET }),
    ),
    { 'x-a': `${SECRET}\r\nx-b: 1` },
    { 'x a': SECRET },
    { 'x-a': SECRET, 'X-A': SECRET },
    many,
  ];
  for (const headers of refused) {
    const order = { ...FOX, deliver_to: { url: 'https://example.com/a.png', headers } };
    const ordered = await call(keys.test, 'POST', '/v1/images', order);
    assert.deepEqual(
      [ordered.status, ordered.error.param?.split('.')[0]],
      [400, 'deliver_to'],
      JSON.stringify(headers),
    );
    const { key } = await issueKey({ mode: 'test', accountView: true });
    const set = await call(key, 'PUT', '/v1/account/webhooks', { url: 'https://example.com/hook', headers });
    assert.deepEqual([set.status, set.error.param?.split('.')[0]], [400, 'headers'], JSON.stringify(headers));
    assert.doesNotMatch(JSON.stringify([ordered.body, set.body]), /of-the-receiver/);
  }
  const named = { ...FOX, deliver_to: { destination: 'archive', headers: { 'x-a': '1' } } };
  assert.equal((await call(keys.test, 'POST', '/v1/images', named)).status, 400);
});

test('the headers of the default webhook URL go there alone, are answered by name, and end with the URL', async (t) => {
  const [receiver, other] = [await startReceiver(t), await startReceiver(t)];
  const { key } = await issueKey({ mode: 'test', accountId: await createAccount(null), accountView: true });
  const set = await call(key, 'PUT', '/v1/account/webhooks', { url: receiver.url, headers: { Authorization: SECRET } });
  assert.deepEqual(set.data, { url: receiver.url, header_names: ['authorization'] });
  await make(key, '/v1/images', FAILS);
  await make(key, '/v1/images', { ...FAILS, webhook_url: other.url });
  await Promise.all([receiver.count(1), other.count(1)]);
  assert.equal(receiver.received[0]?.headers.authorization, SECRET);
  assert.equal(other.received[0]?.headers.authorization, undefined);
  await call(key, 'POST', '/v1/account/webhooks/test');
  assert.equal(receiver.received[1]?.headers.authorization, SECRET);
  assert.deepEqual((await call(key, 'PUT', '/v1/account/webhooks', { url: receiver.url })).data, set.data);
  const rows = await database.read.all(database.read.builder.selectFrom('webhook_headers').selectAll());
  assert.doesNotMatch(JSON.stringify([set.body, rows, lines]), /of-the-receiver/);
  const moved = await call(key, 'PUT', '/v1/account/webhooks', { url: other.url });
  assert.deepEqual(moved.data, { url: other.url, header_names: [] });
  const back = await call(key, 'PUT', '/v1/account/webhooks', { url: receiver.url });
  assert.deepEqual(back.data.header_names, []);
});
