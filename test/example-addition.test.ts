import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createDarkroom } from '../src/create-darkroom.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import { runDarkroom } from './helpers/run-darkroom.ts';
import type { TaskAnswer } from './helpers/service.ts';

const EXAMPLE = join(import.meta.dirname, '..', 'docs', 'example-addition');
const ORIGIN = 'https://app.example';

/** The parts of answers that this test reads. */
interface Answer {
  readonly data: TaskAnswer & {
    readonly batch_id: string;
    readonly input_schema: { readonly properties: { readonly brand: { readonly description: string } } };
    readonly gate: string;
    readonly items: readonly {
      readonly type: string;
      readonly brand: string;
      readonly status: string;
      readonly orders: number;
    }[];
  };
  readonly error: { readonly details: readonly { readonly param: string }[] };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The service with the example in a folder outside of the checkout. */
async function open(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'example-addition-'));
  await cp(EXAMPLE, join(directory, 'additions'), { recursive: true });
  const isPostgres = process.env.DARKROOM_TEST_DATABASE === 'postgres';
  const variables = {
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_MEDIA_PROCESSES: '1',
    DARKROOM_PORT: '1',
    DARKROOM_DATA_DIR: join(directory, 'data'),
    DARKROOM_PUBLIC_URL: ORIGIN,
    DARKROOM_DATABASE_URL: isPostgres ? await createPostgresDatabase(t) : undefined,
    DARKROOM_ADDITIONS_DIR: join(directory, 'additions'),
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    BRANDS: 'acme,globex,initech',
  };
  const darkroom = await createDarkroom(variables);
  t.after(async () => {
    await darkroom.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const keys = await readFile(join(directory, 'data', 'first-keys.txt'), 'utf8');
  const [, key = ''] = /DARKROOM_TEST_KEY=(\S+)/.exec(keys) ?? [];
  const run = (...words: string[]) =>
    runDarkroom(
      words,
      Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      directory,
    );
  const call = async (method: string, path: string, body?: object, wait = 60) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: `wait=${wait}` };
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const answer = await (await darkroom.fetch(new Request(`${ORIGIN}${path}`, request))).json();
    return answer as Answer;
  };
  return { call, run };
}

test('the example addition, outside of the checkout, reads its field, refuses, counts, and forgets with the order', async (t) => {
  const { call } = await open(t);
  const order = async (fields: object) => (await call('POST', '/v1/images', { model_id: 'sketch', ...fields })).data;

  const fox = await order({ prompt: 'a fox', brand: 'acme' });
  assert.deepEqual([fox.status, fox.input.brand], ['succeeded', 'acme']);
  const foreign = await order({ prompt: 'a fox with a Globex cap', brand: 'acme' });
  assert.deepEqual(
    [foreign.status, foreign.error.code, foreign.error.message],
    ['failed', 'content_policy', 'A picture for acme must not show globex.'],
  );
  const plain = await order({ prompt: 'a fox with a Globex cap' });
  assert.deepEqual([plain.status, 'brand' in plain.input], ['succeeded', false]);

  const { error } = await call('POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox', brand: 5, size: 'huge' });
  assert.deepEqual(error.details.map(({ param }) => param).sort(), ['brand', 'size']);
  const { data: model } = await call('GET', '/v1/models/sketch');
  assert.equal(model.input_schema.properties.brand.description, 'The brand that the picture is for.');

  const orders = ['initech', 'initech', 'acme'].map((brand, index) => ({
    name: `order-${index}`,
    operation: 'images',
    body: { model_id: 'sketch', prompt: 'a fox', brand },
  }));
  const { data: batch } = await call('POST', '/v1/batches', { orders });
  const ended = await until(
    async () => (await call('GET', `/v1/batches/${batch.batch_id}`)).data,
    ({ status }) => status !== 'processing',
  );
  assert.equal(ended.status, 'succeeded');

  assert.deepEqual(await counted(call), ['acme failed 1', 'acme succeeded 2', 'initech succeeded 2']);
  await call('DELETE', `/v1/images/${fox.task_id}`);
  assert.deepEqual(await counted(call), ['acme failed 1', 'acme succeeded 1', 'initech succeeded 2']);
});

test('the example addition holds an order back until it is approved, tells its receiver, and counts on the command line', async (t) => {
  const { call, run } = await open(t);
  const reviewed = { model_id: 'sketch', prompt: 'a fox', brand: 'acme', brand_review: true };
  const { data: order } = await call('POST', '/v1/images', { ...reviewed, webhook_url: 'http://127.0.0.1:9/hook' }, 0);
  assert.equal(order.status, 'queued');
  const approve = async (id: string) => (await call('PUT', `/v1/brands/approvals/${id}`)).data.gate;
  assert.equal(await approve('img_none'), 'none');
  await until(
    () => approve(order.task_id),
    (gate) => gate === 'opened',
  );
  assert.equal((await call('GET', `/v1/images/${order.task_id}`)).data.status, 'succeeded');
  assert.equal(await approve(order.task_id), 'open');
  const { data: deliveries } = await call('GET', '/v1/account/webhooks/deliveries');
  assert.deepEqual(deliveries.items.map(({ type }) => type).sort(), ['brands.approved', 'task.succeeded']);
  const { code, stdout } = await run('brands');
  assert.deepEqual([code, stdout], [0, 'acme succeeded 1\n']);
});

async function counted(call: Opened['call']): Promise<string[]> {
  const { data } = await call('GET', '/v1/brands');
  return data.items.map(({ brand, status, orders }) => `${brand} ${status} ${orders}`).sort();
}
