import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createDarkroom } from '../src/create-darkroom.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import type { TaskAnswer } from './helpers/service.ts';

const EXAMPLE = join(import.meta.dirname, '..', 'docs', 'example-addition');
const ORIGIN = 'https://app.example';

/** The parts of answers that this test reads. */
interface Answer {
  readonly data: TaskAnswer & {
    readonly batch_id: string;
    readonly input_schema: { readonly properties: { readonly brand: { readonly description: string } } };
    readonly items: readonly { readonly brand: string; readonly status: string; readonly orders: number }[];
  };
  readonly error: { readonly details: readonly { readonly param: string }[] };
}

/** The service with the example in a folder outside of the checkout. */
async function open(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'example-addition-'));
  await cp(EXAMPLE, join(directory, 'additions'), { recursive: true });
  const isPostgres = process.env.DARKROOM_TEST_DATABASE === 'postgres';
  const darkroom = await createDarkroom({
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_MEDIA_PROCESSES: '1',
    DARKROOM_PORT: '1',
    DARKROOM_DATA_DIR: join(directory, 'data'),
    DARKROOM_PUBLIC_URL: ORIGIN,
    DARKROOM_DATABASE_URL: isPostgres ? await createPostgresDatabase(t) : undefined,
    DARKROOM_ADDITIONS_DIR: join(directory, 'additions'),
    BRANDS: 'acme,globex,initech',
  });
  t.after(async () => {
    await darkroom.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const keys = await readFile(join(directory, 'data', 'first-keys.txt'), 'utf8');
  const [, key = ''] = /DARKROOM_TEST_KEY=(\S+)/.exec(keys) ?? [];
  return async (method: string, path: string, body?: object, wait = 60) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: `wait=${wait}` };
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const answer = await (await darkroom.fetch(new Request(`${ORIGIN}${path}`, request))).json();
    return answer as Answer;
  };
}

test('the example addition, outside of the checkout, reads its field, refuses, counts, and forgets with the order', async (t) => {
  const call = await open(t);
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

async function counted(call: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const { data } = await call('GET', '/v1/brands');
  return data.items.map(({ brand, status, orders }) => `${brand} ${status} ${orders}`).sort();
}
