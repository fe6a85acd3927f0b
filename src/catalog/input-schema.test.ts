import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Model, Schema } from '@darkroom-service/contract/catalog';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadSampleCatalog, loadShippedCatalog, modelOf } from './fixtures/sample-catalog.ts';
import { inputSchema } from './input-schema.ts';
import { resolveRequest } from './resolve-request.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const sample = await loadSampleCatalog();
const shipped = await loadShippedCatalog();

/** Values worth trying: what is allowed, the ends of what is allowed, and what is not. */
function trials(name: string, schema: Schema): JsonValue[] {
  if (name === 'prompt') return ['a fox', ' ', 5];
  if (schema['x-media'] !== undefined) return ['https://a.b/c', 5];
  if (schema.items?.['x-media'] !== undefined) return [['https://a.b/c'], [], 'https://a.b/c'];
  const values: JsonValue[] = [...(schema.enum ?? [])];
  if (schema.type === 'boolean') values.push(true, false);
  for (const bound of [schema.minimum, schema.maximum])
    if (bound !== undefined) values.push(bound - 1, bound, bound + 1);
  if (name === 'duration') values.push(...values.map(String));
  return [...values, null, 'nonsense', {}];
}

function* bodiesOf(model: Model): Generator<JsonObject> {
  const names = Object.keys(model.parameters);
  for (const base of [{}, { prompt: 'a fox' }]) {
    for (const [place, name] of names.entries()) {
      const neighbour = names[(place + 1 + (name.length % 5)) % names.length] as string;
      for (const value of trials(name, model.parameters[name] as Schema)) {
        yield { ...base, [name]: value };
        for (const other of trials(neighbour, model.parameters[neighbour] as Schema))
          yield { ...base, [name]: value, [neighbour]: other };
      }
    }
  }
}

test("every model's schema accepts what the service accepts, and refuses what a schema can refuse", () => {
  let count = 0;
  for (const model of [...sample.models, ...shipped.models]) {
    const validate = ajv.compile(inputSchema(model));
    for (const body of bodiesOf(model)) {
      count++;
      const found = resolveRequest(model, body, { purpose: 'create' });
      const taken = validate({ model_id: model.model_id, ...body });
      const shown = `${model.model_id} ${JSON.stringify(body)}`;
      if (found.ok) assert.ok(taken, `${shown}: ${JSON.stringify(validate.errors)}`);
      else if (found.faults.some(({ code }) => code !== 'unsupported_value'))
        assert.ok(!taken, `${shown}: ${JSON.stringify(found.faults)}`);
    }
  }
  assert.ok(count > 5000);
});

test('the schema contains the constraints over parameters and respects defaults', () => {
  const validate = ajv.compile(inputSchema(modelOf(sample, 'sample-film')));
  const takes = (body: object) => validate({ model_id: 'sample-film', prompt: 'a', ...body });
  assert.ok(takes({ resolution: '1080p' }));
  assert.ok(takes({ resolution: '1080p', duration: '8' }));
  assert.ok(!takes({ resolution: '1080p', duration: 4 }));
  assert.ok(takes({ duration: 4 }));
  const still = ajv.compile(inputSchema(modelOf(sample, 'sample-image')));
  const draws = (body: object) => still({ model_id: 'sample-image-latest', prompt: 'a', ...body });
  assert.ok(draws({ size: '512x512', resolution: '1K' }));
  assert.ok(!draws({ size: '512x512', resolution: '2K' }));
  assert.ok(!draws({ mask_url: 'https://a.b/c' }));
  assert.ok(
    draws({
      mask_url: 'https://a.b/c',
      image_urls: ['https://a.b/c'],
      metadata: { order: '7' },
      end_user: 'me',
      max_price: '0.10',
    }),
  );
  assert.ok(!draws({ metadata: { order: 7 } }));
  assert.ok(!draws({ dogs: 1 }));
});
