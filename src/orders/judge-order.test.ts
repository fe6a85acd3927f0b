import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Model, Schema } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { kernelOf } from '../../test/helpers/kernel.ts';
import { createScriptedEngine } from '../../test/helpers/scripted-engine.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { judgeBatchOrder } from '../additions/batches/judge-batch-order.ts';
import { changedModel, loadShippedCatalog, modelOf } from '../catalog/fixtures/sample-catalog.ts';
import { createRouting } from '../routing/routing.ts';
import { judgeOrder } from './judge-order.ts';

const catalog = await loadShippedCatalog();
const URL = 'https://example.com/medium';

/** A value that the schema names, or one that it refuses. */
function anyValue(schema: Schema): fc.Arbitrary<JsonValue> {
  const named: JsonValue[] = [...(schema.enum ?? [])];
  for (const bound of [schema.minimum, schema.maximum]) if (bound !== undefined) named.push(bound);
  if (schema.type === 'boolean') named.push(true, false);
  if (schema.format === 'uri') named.push(URL, 'http://127.0.0.1/');
  if (schema.type === 'array') named.push([schema.items?.format === 'uri' ? URL : 'text'], []);
  return fc.constantFrom(...(named.length === 0 ? ['text'] : named), 'no such value');
}

const anyOrder = fc.constantFrom(...catalog.models).chain((model) => {
  const { prompt: _, ...parameters } = model.parameters;
  const values = Object.entries(parameters).map(([name, schema]) => [name, anyValue(schema as Schema)] as const);
  return fc
    .subarray(values, { maxLength: Math.min(values.length, 4) })
    .chain((some) => fc.record({ ...Object.fromEntries(some), prompt: fc.constantFrom('a fox', '', null) }))
    .map((fields) => ({ type: model.type, body: { ...fields, model_id: model.model_id } as JsonObject }));
});

/** What is judged, or the texts of the faults. */
async function outcomeOf<T>(judging: Promise<T>): Promise<{ readonly accepted: T } | { readonly refused: string[] }> {
  try {
    return { accepted: await judging };
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    // The details of a model that is not offered are settings, not faults of the order.
    const faults = error.code === 'model_not_offered' ? [] : error.details;
    return { refused: faults.map((fault) => JSON.stringify(fault)) };
  }
}

test('any order costs its price, a price is refused only for faults that the order would have with any prompt, and in a batch it is judged the same', async (t) => {
  const { services: opened, clock } = await openTestServices(t);
  const engines = new Map(['fal', 'sketch', 'ark'].map((name) => [name, createScriptedEngine({ name })]));
  const routing = createRouting(
    engines,
    { of: () => null, pausedSince: () => null },
    { live: null, now: () => clock.now() },
  );
  const services = { ...opened, routing };
  const keys = { live: await insertKey(opened, { mode: 'live' }), test: await insertKey(opened, { mode: 'test' }) };
  const earlier = { named: () => 'none', planned: () => undefined };
  const seen = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(anyOrder, fc.constantFrom('live', 'test'), async ({ type, body }, mode) => {
      const key = keys[mode];
      const order = await outcomeOf(judgeOrder(services, key, { operation: type, body, simulate: null }));
      const price = await outcomeOf(judgeOrder(services, key, { operation: 'price', body, simulate: null }));
      const context = { earlier, now: clock.now() };
      const line = await outcomeOf(judgeBatchOrder(kernelOf(services), key, `${type}s`, body, context));
      if ('accepted' in order) {
        seen.accepted++;
        assert.ok('accepted' in price && 'accepted' in line);
        assert.deepEqual(price.accepted.quote, order.accepted.quote);
        assert.deepEqual(line.accepted.draft.quote, order.accepted.quote);
        assert.deepEqual(price.accepted.judged.request, order.accepted.judged.request);
        return;
      }
      assert.deepEqual('refused' in line && line.refused, order.refused);
      const whole = { ...body, prompt: body.prompt || 'a prompt' };
      const later = await outcomeOf(judgeOrder(services, key, { operation: type, body: whole, simulate: null }));
      const lasting = 'refused' in later ? later.refused : [];
      if ('refused' in price) {
        seen.refused++;
        // A model that is not live has a price, so its media are judged too.
        if (lasting.length === 0 && order.refused.length === 0) return;
        const known = [...order.refused, ...lasting];
        for (const fault of price.refused) assert.ok(known.includes(fault), fault);
      } else {
        const isComplete = !lasting.some((fault) => fault.includes(' requires '));
        assert.ok(lasting.length === 0 || !isComplete, lasting.join());
      }
    }),
    { numRuns: 400 },
  );
  assert.ok(seen.accepted > 20 && seen.refused > 20, JSON.stringify(seen));
});

test('a price reads each field once', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services, { mode: 'live' });
  let reads = 0;
  const model = counting(modelOf(catalog, 'sketch'), 'aspect_ratio', () => reads++);
  const one = { ...catalog, find: () => model };
  const body = { model_id: 'sketch', aspect_ratio: '16:9' };
  await judgeOrder({ ...services, catalog: () => one }, key, { operation: 'price', body, simulate: null });
  assert.equal(reads, 1);
});

function counting(model: Model, name: string, count: () => void): Model {
  const { fields } = model.compiled;
  const parameter = fields.parameters.get(name);
  assert.ok(parameter !== undefined);
  const check: typeof parameter.check = (...values) => {
    count();
    return parameter.check(...values);
  };
  const parameters = new Map([...fields.parameters, [name, { ...parameter, check }]]);
  return { ...changedModel(model, {}), compiled: { ...model.compiled, fields: { ...fields, parameters } } };
}
