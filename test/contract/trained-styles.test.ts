import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Trained styles (`loras`) at the models that take them, from a fake that accepts only what fal's page lists. */

const fake = await openFakeFal(falInputs());
wholeFile.after(() => fake.stop());
const { call, keys, make } = await startTestService(wholeFile, {
  env: { FAL_KEY: fake.key, DARKROOM_FAL_URL: fake.url },
});
const STYLE = { path: 'https://styles.example.com/ink.safetensors', scale: 0.8 };
const FOX = { model_id: 'z-image-turbo', prompt: 'a fox', resolution: '2K', aspect_ratio: '1:1' };

const refusalOf = async (fields: object) => {
  const { status, error } = await call(keys.live, 'POST', '/v1/images', { ...FOX, ...fields });
  return [status, error?.code, error?.param];
};

test('an order with trained styles goes to the endpoint for them, at the price that this has by megapixels', async () => {
  const plain = await call(keys.live, 'POST', '/v1/prices', FOX);
  const quoted = await call(keys.live, 'POST', '/v1/prices', { ...FOX, loras: [STYLE] });
  assert.deepEqual([plain.data.amount, quoted.data.amount], ['0.02', '0.034']);
  const loras = [STYLE, { path: STYLE.path }];
  const made = await make(keys.live, '/v1/images', { ...FOX, resolution: '1K', loras });
  assert.deepEqual([made.status, made.cost.amount], ['succeeded', '0.0085'], JSON.stringify(made.error));
  const [job] = [...fake.jobs.values()];
  // The fake's usual endpoint of the model has no such field.
  assert.deepEqual([job?.input.loras, made.input.loras], [loras, loras]);
});

test('the address of a trained style is judged like any other: https, and never private', async () => {
  assert.deepEqual(await refusalOf({ loras: [STYLE, { path: 'https://10.0.0.1/ink' }] }), [
    400,
    'invalid_reference',
    'loras[1].path',
  ]);
  for (const path of ['http://styles.example.com/ink', 'ink', 'upload:file_1', 'file:///etc/passwd'])
    assert.deepEqual((await refusalOf({ loras: [{ path }] })).slice(0, 1), [400], path);
});

test('more styles, another scale, an unknown field and more steps than the endpoint takes are refused by name', async () => {
  assert.equal((await refusalOf({ loras: [STYLE, STYLE, STYLE, STYLE] }))[2], 'loras');
  assert.equal((await refusalOf({ loras: [{ ...STYLE, scale: 5 }] }))[2], 'loras[0].scale');
  assert.equal((await refusalOf({ loras: [{ ...STYLE, weight: 1 }] }))[2], 'loras[0].weight');
  assert.equal((await refusalOf({ loras: [{ scale: 1 }] }))[2], 'loras[0].path');
  const many = await refusalOf({ loras: [STYLE], steps: 12 });
  assert.deepEqual(many, [400, 'unsupported_value', 'steps']);
  assert.deepEqual(await refusalOf({ model_id: 'sketch', loras: [STYLE] }), [400, 'unsupported_field', 'loras']);
});
