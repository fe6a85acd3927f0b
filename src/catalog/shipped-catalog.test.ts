import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Model, Schema } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { LONGEST_PLAIN_TEXT } from '../base/long-texts.ts';
import { loadSampleCatalog, loadShippedCatalog } from './fixtures/sample-catalog.ts';
import { measureRequest } from './measure-request.ts';
import { resolveAction } from './resolve-action.ts';
import { resolveRequest } from './resolve-request.ts';

const sample = await loadSampleCatalog();
const shipped = await loadShippedCatalog();
const models = [...shipped.models, ...sample.models];

/** Media whose picture the output is made from. */
const WORKED_ON = ['reference', 'first_frame', 'first_and_last_frame'];

test('the shipped catalog loads without a fault', () => {
  assert.ok(shipped.models.length > 0);
});

test('default_config with a prompt is a valid create of every model that needs no reference', () => {
  for (const model of models) {
    const { defaults } = model.compiled.fields;
    if (!model.required.some((list) => list.every((name) => name === 'prompt' || defaults[name] !== null))) continue;
    const found = resolveRequest(model, { ...defaults, prompt: 'a fox in the snow' }, { purpose: 'create' });
    assert.ok(found.ok, `${model.model_id}: ${found.ok ? '' : JSON.stringify(found.faults)}`);
    const bare = resolveRequest(model, { prompt: 'a fox in the snow' }, { purpose: 'create' });
    assert.deepEqual(found.ok && found.request, bare.ok && bare.request, model.model_id);
  }
});

test('without a chosen ratio, every model that works on pictures takes the ratio of the first', () => {
  for (const model of shipped.models) {
    const { aspect_ratio: ratio } = model.parameters as Readonly<Record<string, { enum?: string[]; default?: string }>>;
    const works = Object.values(model.limits).some(({ role = '' }) => WORKED_ON.includes(role));
    if (works && ratio?.enum !== undefined) assert.match(ratio.default ?? '', /^(auto|adaptive)$/, model.model_id);
  }
});

test('every field that takes a text refuses one of more than a body may have beside its media', () => {
  const text = `data:image/png;base64,${'A'.repeat(LONGEST_PLAIN_TEXT)}`;
  for (const model of models) {
    const { fields } = model.compiled;
    const media = fields.media.map(({ name }) => name);
    for (const name of [...fields.parameters.keys()].filter((each) => !media.includes(each))) {
      const found = resolveRequest(model, { prompt: 'a fox', [name]: text }, { purpose: 'create' });
      const refused = found.ok ? [] : found.faults.map(({ param }) => param?.split(/[.[]/)[0]);
      assert.ok(refused.includes(name), `${model.model_id} takes ${name}`);
    }
  }
});

test('every body is either accepted or refused with a reason; the checks never throw', () => {
  const anything = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(bodyArbitrary(anything), ({ model, body }) => {
      for (const purpose of ['create', 'quote'] as const) {
        const found = resolveRequest(model, body, { purpose });
        if (found.ok) {
          assert.doesNotThrow(() => JSON.stringify(found.request));
          measureRequest(
            model,
            found.request,
            found.request.media.map(({ field, index }) => ({
              field,
              index,
              width: 9,
              height: 900,
              durationSeconds: 3,
            })),
          );
        } else {
          assert.ok(found.faults.length > 0);
          for (const fault of found.faults) assert.ok(fault.message.length > 10 && fault.message.isWellFormed());
        }
        resolveAction(model, body, null, { purpose });
      }
    }),
    { numRuns: 1500 },
  );
});

test('the deepest body that the parser accepts overflows no stack', () => {
  let deep: JsonValue = 'x';
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];
  for (const model of models) {
    for (const name of Object.keys(model.parameters)) {
      assert.equal(resolveRequest(model, { prompt: 'a', [name]: deep }, { purpose: 'create' }).ok, false);
    }
  }
});

/** Bodies of a model's own fields with likely and unlikely values. */
function bodyArbitrary(anything: fc.Arbitrary<JsonValue>): fc.Arbitrary<{ model: Model; body: JsonObject }> {
  return fc.constantFrom(...models).chain((model) => {
    const names = Object.keys(model.parameters);
    const field = fc.constantFrom(...names, 'action', 'dogs', '__proto__').chain((name) => {
      const schema = (Object.hasOwn(model.parameters, name) ? model.parameters[name] : {}) as Schema;
      const likely: JsonValue[] = [
        ...(schema.enum ?? []),
        schema.minimum ?? 1,
        schema.maximum ?? '8',
        true,
        null,
        '1024x768',
        ['https://a.b/c'],
        'upload:f_1',
        ...model.actions,
      ];
      const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, { weight: 1, arbitrary: anything });
      return fc.tuple(fc.constant(name), value);
    });
    return fc
      .array(field, { maxLength: 6 })
      .map((fields) => ({ model, body: Object.fromEntries(fields) as JsonObject }));
  });
}
