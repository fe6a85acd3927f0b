import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { type DataOf, startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** What receipts say of tasks and batches, to whom and when, and that others can verify it. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_RETENTION_DAYS: '2' },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, keys, make } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const DAY_MS = 86_400_000;

type Signed = DataOf<'GET', '/v1/images/id/receipt'>;

async function receiptOf(path: string, key = keys.test): Promise<Signed> {
  const { status, body, data } = await call(key, 'GET', `${path}/receipt` as '/v1/images/id/receipt');
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await verified(data.jws), data.content);
  return data;
}

const pathOf = ({ type, task_id: id }: Pick<TaskAnswer, 'type' | 'task_id'>) => `/v1/${type}s/${id}`;

async function verified(jws: string): Promise<unknown> {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { body } = await call(null, 'GET', '/.well-known/jwks.json');
  const { alg, kid } = parse(header);
  assert.equal(alg, 'EdDSA');
  const jwk = body.keys.find((key) => key.kid === kid);
  assert.ok(jwk !== undefined);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  assert.ok(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')));
  return parse(payload);
}

test('a receipt says what the task says, without its media, and names each file by its hash', async () => {
  const parent = await make(keys.test, '/v1/images', ORDER);
  const task = await make(keys.test, '/v1/images', { ...ORDER, image_urls: [`task:${parent.task_id}`] });
  const { jws, content } = await receiptOf(pathOf(task));
  const file = Buffer.from(await (await fetch(task.outputs[0]?.url ?? '')).arrayBuffer());
  assert.deepEqual(
    content.outputs?.map(({ sha256, bytes }) => [sha256, bytes]),
    [[createHash('sha256').update(file).digest('hex'), file.length]],
  );
  const { image_urls: media, ...input } = task.input;
  assert.ok(media !== undefined);
  assert.deepEqual(content.input, input);
  assert.deepEqual([content.cost.quoted, content.cost.charged], [task.cost.quoted, task.cost.amount]);
  assert.deepEqual(content.cost.lines, task.cost.lines);
  const sum = content.cost.ledger.reduce((total, { amount }) => total + Number(amount), 0);
  assert.equal(sum.toFixed(6), (-Number(task.cost.amount)).toFixed(6));
  const { issuer, account_id, mode, model_id, route, status } = content;
  assert.deepEqual(
    { issuer, account_id, mode, model_id, route, status },
    {
      issuer: service.url,
      account_id: 'default',
      mode: 'test',
      model_id: 'sketch',
      route: { engine: 'sketch', model: null, earlier: [], rule: null },
      status: 'succeeded',
    },
  );
  assert.deepEqual(
    [content.created_at, content.started_at, content.completed_at],
    [task.created_at, task.started_at, task.completed_at],
  );
  assert.equal((await receiptOf(pathOf(task))).jws, jws, 'the same state gives the same bytes');
});

test('a film has a receipt under its own path only', async () => {
  const film = await make(keys.test, '/v1/videos', {
    model_id: 'sketch-motion',
    prompt: 'a fox',
    duration: 1,
    resolution: '480p',
  });
  const { content } = await receiptOf(pathOf(film));
  assert.equal(content.outputs?.[0]?.duration_seconds, 1);
  const { error } = await call(keys.test, 'GET', `/v1/images/${film.task_id}/receipt`);
  assert.equal(error.code, 'task_not_found');
});

test('a task that has not ended has no receipt, and one that failed or was canceled costs nothing in it', async () => {
  const running = await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'stuck' } });
  const path = `/v1/images/${running.data.task_id}/receipt` as const;
  const { status, error } = await call(keys.test, 'GET', path);
  assert.deepEqual([status, error.code], [409, 'not_final']);
  const failed = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'content_policy' } });
  const { content } = await receiptOf(pathOf(failed));
  assert.deepEqual([content.status, content.cost.charged, content.outputs], ['failed', '0.00', []]);
  assert.notEqual(content.cost.quoted, '0.00');
});

test('after the retention time a receipt says only what stays true, and a deleted task has none', async () => {
  const [kept, deleted] = [await make(keys.test, '/v1/images', ORDER), await make(keys.test, '/v1/images', ORDER)];
  const before = await receiptOf(pathOf(kept));
  assert.equal((await call(keys.test, 'DELETE', `/v1/images/${deleted.task_id}`)).status, 200);
  const { status, error } = await call(keys.test, 'GET', `/v1/images/${deleted.task_id}/receipt`);
  assert.deepEqual([status, error.code], [404, 'task_not_found']);
  clock.advance(3 * DAY_MS);
  await service.service.runHousekeeping();
  const { content } = await receiptOf(pathOf(kept));
  const { erased_at: erasedAt, ...rest } = content;
  assert.ok(erasedAt !== null);
  assert.deepEqual({ ...rest, erased_at: null }, { ...before.content, input: null, outputs: null });
  await verified(before.jws);
});

test('the receipt of a batch has each task with its charge and its hashes, and waits for the last one', async () => {
  const orders = [ORDER, { ...ORDER, simulate: { outcome: 'content_policy' } }];
  const { data } = await call(keys.test, 'POST', '/v1/batches', {
    orders: orders.map((body) => ({ operation: 'images', body })),
  });
  const batch = await until(
    async () => (await call(keys.test, 'GET', `/v1/batches/${data.batch_id}`)).data,
    ({ status }) => status !== 'processing',
  );
  const { data: signed } = await call(keys.test, 'GET', `/v1/batches/${batch.batch_id}/receipt`);
  const { content } = signed;
  assert.deepEqual(await verified(signed.jws), content);
  const { items } = (await call(keys.test, 'GET', `/v1/batches/${batch.batch_id}/tasks`)).data;
  assert.deepEqual(
    content.tasks,
    items.map(({ task_id, status, cost, outputs }) => ({
      task_id,
      status,
      charged: cost.amount,
      sha256: outputs.map(({ sha256 }) => sha256),
    })),
  );
  assert.deepEqual([content.status, content.cost.charged], [batch.status, batch.cost.charged]);
  const single = await receiptOf(pathOf({ type: 'image', task_id: items[0]?.task_id ?? '' }));
  assert.equal(single.content.batch_id, batch.batch_id);

  const open = await call(keys.test, 'POST', '/v1/batches', {
    orders: [{ operation: 'images', body: { ...ORDER, simulate: { outcome: 'stuck' } } }],
  });
  const { status, error } = await call(keys.test, 'GET', `/v1/batches/${open.data.batch_id}/receipt`);
  assert.deepEqual([status, error.code], [409, 'not_final']);
});

test('after a rotation by the command receipts have another key, and those before it still verify', async () => {
  const task = await make(keys.test, '/v1/images', ORDER);
  const before = await receiptOf(pathOf(task));
  const { dataDirectory, databaseUrl } = service.config;
  const variables = {
    DARKROOM_DATA_DIR: dataDirectory,
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
  };
  const words = ['receipts', 'rotate', '--idempotency-key', 'once', '--json'];
  const rotated = await runDarkroom(words, variables, dataDirectory);
  assert.deepEqual([rotated.code, rotated.stderr], [0, '']);
  const after = await receiptOf(pathOf(task));
  assert.notEqual(after.jws, before.jws);
  assert.deepEqual(after.content, before.content);
  assert.deepEqual(await verified(before.jws), before.content);
  const again = await runDarkroom(words, variables, dataDirectory);
  assert.deepEqual([again.code, again.stdout], [0, rotated.stdout]);
  assert.equal((await receiptOf(pathOf(task))).jws, after.jws, 'a repetition rotates nothing');
  const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=1');
  assert.deepEqual([data.items[0]?.act, data.items[0]?.detail], ['receipt_keys.rotate', JSON.parse(rotated.stdout)]);
});

test('the ledger lines of a receipt add up to its charge, also of an order of a batch', async () => {
  const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const { data } = await call(keys.live, 'POST', '/v1/batches', {
    orders: [1, 2].map(() => ({ operation: 'images', body })),
  });
  await until(
    async () => (await call(keys.live, 'GET', `/v1/batches/${data.batch_id}`)).data,
    ({ status }) => status !== 'processing',
  );
  const { items } = (await call(keys.live, 'GET', `/v1/batches/${data.batch_id}/tasks`)).data;
  const single = await service.make(keys.live, '/v1/images', body);
  for (const { task_id: id } of [...items, single]) {
    const { cost } = (await receiptOf(`/v1/images/${id}`, keys.live)).content;
    const sum = cost.ledger.reduce((total, { amount }) => total + (parseMicros(amount) ?? 0), 0);
    assert.deepEqual(
      [cost.ledger.map(({ kind }) => kind).sort(), -sum],
      [['charge', 'hold', 'release'], parseMicros(cost.charged)],
      JSON.stringify(cost),
    );
  }
});
