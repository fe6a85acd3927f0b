import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const { call, keys, issueKey, createAccount } = await startTestService(wholeFile);
const create = (body: object, key = keys.test) => call(key, 'POST', '/v1/images', body);

test('an unknown model is answered with the one that was most likely meant, in the message and as a detail', async () => {
  const { error } = await create({ model_id: 'flux2-pro', prompt: 'a fox' });
  assert.deepEqual([error.code, error.param], ['model_not_found', 'model_id']);
  assert.match(error.message, /Did you mean 'flux-2-pro'\?/);
  assert.deepEqual(
    error.details.map(({ param, suggestion }: Record<string, unknown>) => [param, suggestion]),
    [['model_id', 'flux-2-pro']],
  );
});

test('a model that the key cannot order is not suggested', async () => {
  const { key } = await issueKey({ mode: 'test', accountId: await createAccount(null), models: ['sketch*'] });
  const { error } = await create({ model_id: 'flux2-pro', prompt: 'a fox' }, key);
  assert.equal(error.code, 'model_not_found');
  assert.doesNotMatch(error.message, /Did you mean/);
  assert.match((await create({ model_id: 'sketsh', prompt: 'a fox' }, key)).error.message, /Did you mean 'sketch'\?/);
});

test('an unknown field is answered with the one that was most likely meant', async () => {
  const { error } = await create({ model_id: 'sketch', prompt: 'a fox', image_url: 'https://example.com/a.png' });
  assert.match(error.message, /^sketch does not accept 'image_url', .* Did you mean 'image_urls'\? It takes media in /);
  assert.equal(error.details[0].suggestion, 'image_urls');
  const misspelled = (await create({ model_id: 'sketch', prompt: 'a fox', sed: 1 })).error;
  assert.match(misspelled.message, /^sketch does not accept 'sed'\. Did you mean 'seed'\? Accepted fields: /);
  const strange = (await create({ model_id: 'sketch', prompt: 'a fox', camera: 'pan' })).error;
  assert.equal('suggestion' in strange.details[0], false);
});

test('model instead of model_id is reported with the right name', async () => {
  const { error } = await create({ model: 'sketch', prompt: 'a fox' });
  assert.equal(error.param, 'model_id');
  assert.match(error.message, /Did you mean 'model_id' instead of 'model'\?/);
  const quote = await call(keys.test, 'POST', '/v1/prices', { model: 'sketch' });
  assert.match(quote.error.message, /Did you mean 'model_id' instead of 'model'\?/);
});

test('an unknown query parameter is answered with the one that was most likely meant', async () => {
  for (const [query, meant] of [
    ['statuses=failed', 'status'],
    ['page=2', 'offset'],
  ]) {
    const { error } = await call(keys.test, 'GET', `/v1/images?${query}`);
    assert.match(error.message, new RegExp(`Did you mean '${meant}'\\?`));
    assert.equal(error.details[0].suggestion, meant);
  }
});
