import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@darkroom-service/contract';
import fc from 'fast-check';
import { brokenRules } from '../console/src/api/constraints.ts';
import type { CatalogModel, Values } from '../console/src/api/model.ts';
import { startTestService } from './helpers/service.ts';
import { wholeFile } from './helpers/whole-file.ts';

const service = await startTestService(wholeFile);
const { data } = await service.call(service.keys.test, 'GET', '/v1/models');
const models = data.items as readonly unknown[] as readonly CatalogModel[];

const PICTURE = 'https://pictures.example/a.png';

/** A few values for one parameter, those at the ends of its range among them. */
function someValues(model: CatalogModel, name: string): JsonValue[] {
  const schema = model.parameters[name];
  if (schema?.enum !== undefined) return [...schema.enum];
  if (schema?.type === 'boolean') return [true, false];
  if (schema?.type === 'integer') return [schema.minimum, schema.maximum].filter((end) => end !== undefined);
  if (schema?.format === 'uri' && schema['x-media'] === 'image') return [PICTURE];
  if (schema?.items?.format === 'uri' && schema.items['x-media'] === 'image') return [[PICTURE]];
  return [];
}

const order = fc.constantFrom(...models).chain((model) => {
  const names = Object.keys(model.parameters).filter((name) => someValues(model, name).length > 0);
  const fields = Object.fromEntries(names.map((name) => [name, fc.constantFrom(...someValues(model, name))]));
  return fc.record(fields, { requiredKeys: [] }).map((values) => ({ model, values: values as Values }));
});

test('the service refuses whatever the form blocks', async () => {
  let heldBack = 0;
  await fc.assert(
    fc.asyncProperty(order, async ({ model, values }) => {
      const broken = brokenRules(model, values);
      if (broken.length === 0) return;
      heldBack += 1;
      const body = { model_id: model.model_id, prompt: 'a fox', ...values };
      const { status } = await service.call(service.keys.test, 'POST', '/v1/prices', body);
      assert.equal(status, 400, `${broken[0]?.message} ${JSON.stringify(body)}`);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(heldBack > 50, `${heldBack} orders were held back`);
});

test('the defaults of a model violate none of its constraints', () => {
  for (const model of models) assert.deepEqual(brokenRules(model, {}), [], model.model_id);
});

test('the offered fix satisfies the constraint', () => {
  const model = models.find(({ model_id: id }) => id === 'veo-3.1-fast');
  assert.ok(model !== undefined);
  const [rule] = brokenRules(model, { resolution: '4k', duration: 4 });
  assert.deepEqual(rule?.fix, { name: 'duration', value: 8 });
  assert.deepEqual(brokenRules(model, { resolution: '4k', duration: 8 }), []);
});
