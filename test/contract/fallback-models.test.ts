import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { filmEntry, fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Orders that name several models, at the doors of the service: the first model's upstream refuses all of them. */

const picky = createScriptedEngine({ name: 'picky' });
picky.onStart = () => {
  throw new EngineError('invalid_input', 'picky takes no such order', { took: 'no' });
};
const priced = (amount: string, engine: string) => ({
  pricing: { components: [{ per: 'image', amount }] },
  routes: [{ engine }],
});
const overlay = await openCatalogOverlay(wholeFile, [
  fromPictureEntry({ model_id: 'first', ...priced('0.01', 'picky') }),
  fromPictureEntry({ model_id: 'second', ...priced('0.03', 'swift') }),
  plainEntry({ model_id: 'plain', ...priced('0.02', 'swift') }),
  filmEntry({ model_id: 'film', routes: [{ engine: 'swift' }] }),
  plainEntry({ model_id: 'unsold', ...priced('0.02', 'fal') }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine(), createSwiftEngine({ name: 'swift', repeatable: false }), picky] },
});
const { call, keys } = service;
const key = keys.live;
const PICTURE = `data:image/png;base64,${Buffer.from(await smallPicture).toString('base64')}`;
const ORDER = { model_id: 'first', prompt: 'a fox', fallback_models: ['second'] };
const create = (fields: object) => call(key, 'POST', '/v1/images', { ...ORDER, ...fields });
const balance = async () => Number((await call(key, 'GET', '/v1/account')).data.balance);

async function ended(id: string) {
  return await until(
    async () => (await call(key, 'GET', `/v1/images/${id}`)).data,
    ({ status }) => status !== 'queued' && status !== 'processing',
  );
}

test('an order that its first model does not make goes to the next, whose price is charged once', async () => {
  const before = await balance();
  const { status, data } = await create({ image_urls: [PICTURE], metadata: { shop: '7' } });
  assert.equal(status, 201);
  assert.deepEqual([data.model_id, data.requested_model_id, data.cost.quoted], ['first', 'first', '0.03']);
  const task = await ended(data.task_id);
  assert.deepEqual([task.status, task.model_id, task.requested_model_id], ['succeeded', 'second', 'first']);
  assert.deepEqual(task.tried_models, [{ model_id: 'first', reason: 'An upstream of first did not take the order.' }]);
  assert.deepEqual([task.input.model_id, task.input.prompt], ['second', 'a fox']);
  assert.deepEqual(task.input.image_urls, data.input.image_urls);
  assert.deepEqual([task.cost.state, task.cost.amount, task.cost.quoted], ['charged', '0.03', '0.03']);
  assert.equal(Math.round((before - (await balance())) * 1e6), 30_000);
  const { content } = (await call(key, 'GET', `/v1/images/${data.task_id}/receipt` as '/v1/images/id/receipt')).data;
  assert.deepEqual([content.model_id, content.requested_model_id, content.route.engine], ['second', 'first', 'swift']);
  assert.deepEqual(content.tried_models, task.tried_models);
  const seen = (await call(keys.admin, 'GET', `/admin/v1/tasks/${data.task_id}`)).data;
  assert.deepEqual(seen.left_routes[0].model_id, 'first');
});

test('an order that its first model makes pays its price, and the rest of the hold is released', async () => {
  const before = await balance();
  const { data } = await create({ model_id: 'plain' });
  const task = await ended(data.task_id);
  assert.deepEqual([task.model_id, task.cost.quoted, task.cost.amount], ['plain', '0.03', '0.02']);
  assert.deepEqual(task.tried_models, []);
  assert.equal(Math.round((before - (await balance())) * 1e6), 20_000);
});

test('orders of a batch, also those that wait for others of it, go to their next models', async () => {
  const before = await balance();
  const orders = [
    { name: 'hero', operation: 'images', body: ORDER },
    { operation: 'images', body: { ...ORDER, image_urls: ['order:hero'] } },
  ];
  const quote = (await call(key, 'POST', '/v1/batches/prices', { orders })).data;
  assert.equal(quote.amount, '0.06');
  const { status, data, error } = await call(key, 'POST', '/v1/batches', { orders });
  assert.equal(status, 201, JSON.stringify(error));
  const batch = await until(
    async () => (await call(key, 'GET', data.urls.self)).data,
    (one) => one.status !== 'processing',
  );
  assert.deepEqual([batch.status, batch.cost.charged], ['succeeded', '0.06']);
  assert.equal(Math.round((before - (await balance())) * 1e6), 60_000);
});

test('OpenAI clients may name further models', async () => {
  const body = { model: 'first', prompt: 'a fox', fallback_models: ['plain'], response_format: 'url' };
  const answer = await call(key, 'POST', '/openai/v1/images/generations', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test('a refusal names the further model and what is wrong with it', async () => {
  const refused = async (fields: object) => {
    const { status, error } = await create(fields);
    return [status, error.code, error.param, error.message];
  };
  const fallback = (...fallback_models: unknown[]) => refused({ fallback_models });
  for (const wrong of ['second', [7], [''], ['a', 'b', 'c', 'd', 'e'], ['first'], ['second', 'second']])
    assert.deepEqual((await refused({ fallback_models: wrong })).slice(0, 2), [400, 'invalid_request']);
  assert.deepEqual((await refused({ fallback_on_content_policy: 'yes' })).slice(0, 3), [
    400,
    'invalid_request',
    'fallback_on_content_policy',
  ]);
  assert.equal((await refused({ fallback_models: [], fallback_on_content_policy: true }))[0], 400);
  assert.deepEqual((await fallback('nobody')).slice(0, 3), [404, 'model_not_found', 'fallback_models[0]']);
  assert.deepEqual((await fallback('second', 'film')).slice(0, 3), [404, 'model_not_found', 'fallback_models[1]']);
  assert.deepEqual((await fallback('unsold')).slice(0, 2), [422, 'model_not_offered']);
  const [status, code, param, message] = await refused({ image_urls: [PICTURE], fallback_models: ['plain'] });
  assert.deepEqual([status, code, param], [400, 'unsupported_field', 'image_urls']);
  assert.match(String(message), /^fallback_models\[0\] \(plain\): .*image_urls/);
  assert.deepEqual((await refused({ max_price: '0.02' })).slice(0, 2), [409, 'price_exceeded']);
  const action = { parent_task_id: 'img_x', action: 'reroll', fallback_models: ['plain'] };
  const { error } = await call(key, 'POST', '/v1/images/actions', action);
  assert.deepEqual([error.code, error.param], ['unsupported_field', 'fallback_models']);
});
