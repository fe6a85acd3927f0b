import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { S3_CREDENTIALS, startS3Server, until } from '@darkroom-service/testing';
import { HOOKS } from '../../../test/helpers/additions.ts';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { DELIVERY } from '../src/delivery.ts';

/** Outputs that are delivered to buckets of a real S3 server of others. */

const LOOPBACK = { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const s3 = await startS3Server();
const client = new S3Client({
  region: 'us-east-1',
  endpoint: s3.endpoint,
  credentials: S3_CREDENTIALS,
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
});
wholeFile.after(async () => {
  client.destroy();
  await s3.close();
});
const { call, make, keys, issueKey, createAccount, database } = await startTestService(wholeFile, {
  env: { ...LOOPBACK, DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
  service: { engines: [createSwiftEngine()] },
});
const { key: owner } = await issueKey({ mode: 'live', accountView: true });
const FOX = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
const ACCESS = { access_key_id: S3_CREDENTIALS.accessKeyId, secret_access_key: S3_CREDENTIALS.secretAccessKey };

async function setDestination(name: string, settings: object = {}): Promise<string> {
  const bucket = await s3.makeBucket();
  const body = { bucket, endpoint: s3.endpoint, ...ACCESS, ...settings };
  const answer = await call(owner, 'PUT', `/v1/destinations/${name}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return bucket;
}

async function presigned(bucket: string, key: string): Promise<string> {
  return await getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: 600 });
}

/** The task once each of its deliveries has ended. */
async function untilDelivered(key: string, { task_id }: Pick<TaskAnswer, 'task_id'>): Promise<TaskAnswer> {
  return await until(
    async () => (await call(key, 'GET', `/v1/images/${task_id}` as '/v1/images/{task_id}')).data,
    ({ deliveries = [] }) => deliveries.length > 0 && deliveries.every(({ state }) => state !== 'pending'),
  );
}

async function objectOf(bucket: string, key: string): Promise<Buffer> {
  const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  assert.equal(ContentType, 'image/png');
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

async function fileOf(key: string, task: TaskAnswer): Promise<Buffer> {
  const answer = await fetch(task.outputs[0]?.content_url ?? '', { headers: { authorization: `Bearer ${key}` } });
  return Buffer.from(await answer.arrayBuffer());
}

test('outputs go byte for byte to a named destination, and its credentials are never shown', async (t) => {
  const receiver = await startReceiver(t);
  const bucket = await setDestination('archive', { path: 'in/{date}/{task_id}-{n}.{ext}' });
  const order = { ...FOX, deliver_to: { destination: 'archive' }, webhook_url: receiver.url };
  const made = await make(keys.live, '/v1/images', order);
  const task = await untilDelivered(keys.live, made);
  const key = `in/${task.completed_at?.slice(0, 10)}/${task.task_id}-1.png`;
  const [{ etag, delivered_at, ...delivery }] = task.deliveries;
  const seen = (await call(keys.admin, 'GET', `/admin/v1/tasks/${task.task_id}`)).data;
  assert.deepEqual(seen.deliveries, task.deliveries, 'operators see them too');
  assert.deepEqual(delivery, {
    output: 1,
    state: 'delivered',
    destination: 'archive',
    key,
    url: null,
    attempts: 1,
    reason: null,
    verified_by: 'md5',
  });
  assert.match(etag ?? '', /^"?[0-9a-f]{32}"?$/);
  assert.ok(delivered_at !== null && task.revision > made.revision);
  assert.deepEqual(await s3.objects(bucket), [key]);
  assert.deepEqual(await objectOf(bucket, key), await fileOf(keys.live, task));
  await receiver.count(2);
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.deliveries[0].state]),
    [
      ['task.succeeded', events[0].data.deliveries[0].state],
      ['task.delivered', 'delivered'],
    ],
  );
  const shown = await call(owner, 'GET', '/v1/destinations');
  assert.equal(shown.data.items.find(({ name }) => name === 'archive')?.last_four, 'RVER');
  const stored = await database.read.all(database.read.builder.selectFrom('destinations').selectAll());
  assert.doesNotMatch(JSON.stringify([shown.body, stored]), /S3RVER/);
});

test('a presigned URL gets the first output, and is stored sealed and shown without its query', async () => {
  const bucket = await s3.makeBucket();
  const url = await presigned(bucket, 'mine.png');
  const task = await untilDelivered(keys.test, await make(keys.test, '/v1/images', { ...FOX, deliver_to: { url } }));
  assert.deepEqual(
    task.deliveries?.map(({ state, url, key, reason }) => ({ state, url, key, reason })),
    [{ state: 'delivered', url: `${s3.endpoint}/${bucket}/mine.png`, key: null, reason: null }],
  );
  assert.deepEqual(await objectOf(bucket, 'mine.png'), await fileOf(keys.test, task));
  const { read } = database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', task.task_id));
  const signature = new URL(url).searchParams.get('X-Amz-Signature') ?? 'none';
  assert.equal(JSON.stringify(row).includes(signature), false);
  assert.equal(JSON.stringify(task).includes(signature), false);
});

test('the default destination gets live orders without deliver_to, until it is removed', async () => {
  const { key } = await issueKey({ mode: 'live', accountView: true, accountId: await createAccount(null) });
  const bucket = await s3.makeBucket();
  const settings = { bucket, endpoint: s3.endpoint, ...ACCESS, default: true };
  const set = await call(key, 'PUT', '/v1/destinations/mine', settings);
  assert.deepEqual([set.status, set.data.default], [200, true]);
  const task = await untilDelivered(key, await make(key, '/v1/images', FOX));
  assert.equal(task.deliveries?.[0]?.destination, 'mine');
  const batch = { orders: [{ operation: 'images', body: FOX }] };
  const { data } = await call(key, 'POST', '/v1/batches', batch);
  await until(
    () => s3.objects(bucket),
    (names) => names.length === 2,
  );
  assert.equal((await call(key, 'GET', new URL(data.urls.self).pathname as '/v1/batches/id')).data.counts.succeeded, 1);
  assert.equal((await call(key, 'DELETE', '/v1/destinations/mine')).status, 200);
  assert.equal((await make(key, '/v1/images', FOX)).deliveries, undefined);
  assert.equal((await call(key, 'DELETE', '/v1/destinations/mine')).status, 404);
});

test('the deliver_to of a batch is that of its orders without one, also as JSON lines', async () => {
  const [forAll, forOne] = [await setDestination('for-all'), await setDestination('for-one')];
  const orders = [
    { operation: 'images', body: FOX },
    { operation: 'images', body: { ...FOX, deliver_to: { destination: 'for-one' } } },
  ];
  const to = { destination: 'for-all' };
  assert.equal((await call(keys.test, 'POST', '/v1/batches', { orders, deliver_to: to })).status, 201);
  const path = `/v1/batches?deliver_to=${encodeURIComponent(JSON.stringify(to))}`;
  const lines = orders.map((order) => JSON.stringify(order)).join('\n');
  assert.equal((await call(keys.test, 'POST', path, lines, { 'content-type': 'application/jsonl' })).status, 201);
  const filled = await until(
    async () => [await s3.objects(forAll), await s3.objects(forOne)],
    (found) => found.every((names) => names.length > 1),
  );
  assert.deepEqual(
    filled.map((names) => names.length),
    [2, 2],
  );
});

test('outputs are delivered again under the same names, or elsewhere, once for each Idempotency-Key', async () => {
  const bucket = await setDestination('again');
  const made = await make(keys.test, '/v1/images', { ...FOX, deliver_to: { destination: 'again' } });
  const first = await untilDelivered(keys.test, made);
  const path = `/v1/images/${made.task_id}/deliveries` as '/v1/images/{task_id}/deliveries';
  const headers = { 'idempotency-key': `again ${made.task_id}` };
  const answers = [1, 2].map(() => call(keys.test, 'POST', path, undefined, headers));
  const [one, two] = await Promise.all(answers);
  assert.deepEqual([one?.status, two?.status], [200, 200]);
  const second = await untilDelivered(keys.test, made);
  assert.deepEqual(
    second.deliveries?.map(({ key, attempts }) => [key, attempts]),
    first.deliveries?.map(({ key }) => [key, 1]),
  );
  assert.equal((await s3.objects(bucket)).length, 1);
  const url = await presigned(bucket, 'elsewhere.png');
  assert.equal((await call(keys.test, 'POST', path, { deliver_to: { url } })).status, 200);
  const third = await untilDelivered(keys.test, made);
  assert.deepEqual(third.deliveries?.[0]?.url, `${s3.endpoint}/${bucket}/elsewhere.png`);
  assert.equal((await call(keys.live, 'POST', path)).status, 404);
  const plain = await make(keys.test, '/v1/images', FOX);
  const unasked = await call(keys.test, 'POST', `/v1/images/${plain.task_id}/deliveries`);
  assert.deepEqual([unasked.status, unasked.error.param], [400, 'deliver_to']);
});

test('a bucket that hangs keeps the outputs of its own account waiting, and nobody else', async (t) => {
  const hanging = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    hanging.add(socket);
    most = Math.max(most, hanging.size);
    // A socket that is not read never hears that it was closed.
    socket
      .on('error', () => {})
      .once('close', () => hanging.delete(socket))
      .resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of hanging) socket.destroy();
    server.close();
  });
  const { key } = await issueKey({ mode: 'test', accountId: await createAccount(null) });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  // Two are claimed at a time. So three may be tried at first, and then four if enough wait.
  await Promise.all(Array.from({ length: 10 }, () => make(key, '/v1/images', { ...FOX, deliver_to: { url } })));
  await until(
    () => most,
    (connections) => connections === 4,
  );
  const bucket = await s3.makeBucket();
  const order = { ...FOX, deliver_to: { url: await presigned(bucket, 'other.png') } };
  const task = await untilDelivered(keys.test, await make(keys.test, '/v1/images', order));
  assert.deepEqual([task.deliveries[0].state, most], ['delivered', 4]);
});

test('delivery cannot be closed while an output is to be delivered, or is still to be made', async (t) => {
  const waiting = await startTestService(t, {
    env: { ...LOOPBACK, DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
    service: { engines: [createSwiftEngine()] },
  });
  const question = { now: 0, config: waiting.config, hooks: HOOKS, findUnplaced: async () => null };
  const findOpenWork = async () => (await DELIVERY.findOpenWork?.(waiting.database.read, question)) ?? null;
  assert.equal(await findOpenWork(), null);
  const order = { ...FOX, deliver_to: { url: 'http://127.0.0.1:1/x' }, simulate: { seconds: 600 } };
  const { data } = await waiting.call(waiting.keys.test, 'POST', '/v1/images', order);
  assert.match((await findOpenWork()) ?? '', new RegExp(data.task_id));
  const { task_id: ended } = await waiting.make(waiting.keys.test, '/v1/images', { ...order, simulate: undefined });
  assert.match((await findOpenWork()) ?? '', new RegExp(ended));
});

test('deliver_to is refused with what would be accepted', async () => {
  const expect = async (deliver_to: unknown, message: RegExp) => {
    const { status, error } = await call(keys.test, 'POST', '/v1/images', { ...FOX, deliver_to });
    assert.deepEqual([status, error.param], [400, 'deliver_to'], JSON.stringify(deliver_to));
    assert.match(error.message, message);
  };
  for (const wrong of ['x', [], {}, { url: 'https://a.example/x', destination: 'a' }, { urls: [] }, { uri: 'x' }])
    await expect(wrong, /expected \{"url"/);
  await expect({ destination: 'nowhere' }, /no destination 'nowhere'/);
  await expect({ url: 'http://10.0.0.1/x' }, /not an address on the public internet/);
  const batch = { orders: [{ operation: 'images', body: FOX }], deliver_to: { url: 'https://a.example/x' } };
  assert.match((await call(keys.test, 'POST', '/v1/batches', batch)).error.message, /only a destination/);
  const token = await call(keys.test, 'POST', '/v1/client_tokens', { end_user: 'ada' });
  const ofClient = { ...FOX, deliver_to: { destination: 'archive' } };
  assert.equal((await call(token.data.token, 'POST', '/v1/images', ofClient)).status, 400);
  const put = (body: object, key = owner) =>
    call(key, 'PUT', '/v1/destinations/bad', { bucket: 'abc', ...ACCESS, ...body });
  assert.equal((await put({ endpoint: 'http://10.0.0.1' })).error.param, 'endpoint');
  assert.equal((await put({ endpoint: 'https://s3.example.com/a' })).error.param, 'endpoint');
  assert.equal((await put({})).error.param, 'region');
  for (const region of ['-', 'eu--central', 'eu-central-'])
    assert.equal((await put({ region })).error.param, 'region', region);
  for (const bucket of ['a..b', 'a.-b', 'a-.b', '169.254.169.254'])
    assert.equal((await put({ region: 'eu-central-1', bucket })).error.param, 'bucket', bucket);
  const dotted = ['../{task_id}-{n}', './{task_id}-{n}', 'a/./{task_id}-{n}', '{task_id}-{n}/.', '{task_id}-{n}/..'];
  for (const path of ['{task_id}', '{n}', '{task_id}-{n}-{x}', ...dotted])
    assert.equal((await put({ region: 'eu-central-1', path })).error.param, 'path', path);
  assert.equal((await put({ region: 'eu-central-1' }, keys.live)).status, 403);
});

test('without a key of the operator nothing is sealed, and deliver_to is refused', async (t) => {
  const plain = await startTestService(t, { env: LOOPBACK });
  const order = { ...FOX, deliver_to: { url: 'http://127.0.0.1:1/x' } };
  const { status, error } = await plain.call(plain.keys.test, 'POST', '/v1/images', order);
  assert.equal(status, 400);
  assert.match(error.message, /DARKROOM_SECRETS_KEY/);
});
