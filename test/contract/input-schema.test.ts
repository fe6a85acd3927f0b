import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '@darkroom-service/testing';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fastCheck from 'fast-check';
import type { JsonSchema } from '../helpers/json-schema.ts';
import { type CatalogEntry, startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The JSON Schema of each model's create body, held against what the service really takes (contract §4). */

const service = await startTestService(wholeFile);
const models: readonly CatalogEntry[] = (await service.call(service.keys.test, 'GET', '/v1/models')).data.items;
const schemas = new Map<string, { readonly schema: JsonSchema; readonly validate: ValidateFunction }>();
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false });
ajv.addVocabulary(['x-media']);
for (const { model_id } of models) {
  const { input_schema: schema } = (await service.call(service.keys.test, 'GET', `/v1/models/${model_id}`)).data;
  schemas.set(model_id, { schema, validate: ajv.compile(schema) });
}

const PICTURE = 'https://pictures.example.com/a.png';
const schemaOf = (modelId: string) => schemas.get(modelId) ?? assert.fail(modelId);
const quote = (body: object) => service.call(service.keys.test, 'POST', '/v1/prices', body);
const takes = (body: Body): boolean => schemaOf(body.model_id).validate(body);

interface Body {
  readonly model_id: string;
  readonly [field: string]: unknown;
}

/** What of a model's required list has to be sent. */
function needed(model: CatalogEntry, list: readonly string[] = model.required[0]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of list) {
    const { type, format, items, minItems = 1, enum: values } = model.parameters[name]!;
    if (values !== undefined) fields[name] = values[0];
    else if (type === 'object') fields[name] = { scene: 'a fox' };
    else if (type === 'array')
      fields[name] = Array(minItems).fill(items?.type === 'object' ? { prompt: 'a fox', duration: 5 } : PICTURE);
    else fields[name] = format === 'uri' ? PICTURE : 'a fox';
  }
  return fields;
}

test('every model has one schema of draft 2020-12 for its create body, which ajv compiles', () => {
  for (const { model_id, parameters } of models) {
    const { schema } = schemaOf(model_id);
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    for (const name of ['model_id', 'metadata', 'end_user', 'webhook_url', 'max_price', ...Object.keys(parameters)])
      assert.ok(name in (schema.properties ?? {}), `${model_id} ${name}`);
    assert.deepEqual(schema.required, ['model_id']);
    assert.equal(schema.additionalProperties, false);
  }
});

test('the schema of a model with constraints has if and then', () => {
  const { allOf } = schemaOf('veo-3.1-fast').schema;
  assert.ok(allOf?.some((rule) => rule.if !== undefined && rule.then !== undefined));
});

test('the defaults of every model with what it requires are taken, by the schema and by the service', async () => {
  for (const model of models) {
    const body = { ...model.default_config, model_id: model.model_id, ...needed(model) };
    assert.ok(takes(body), `${model.model_id}: ${JSON.stringify(schemaOf(model.model_id).validate.errors)}`);
    const answer = await quote(body);
    assert.equal(answer.status, 200, `${model.model_id}: ${JSON.stringify(answer.error)}`);
  }
});

test('what is required is required, by the schema and by a create', async () => {
  for (const model of models) {
    const { model_id } = model;
    const body = { ...model.default_config, model_id, simulate: { outcome: 'stuck' } };
    assert.ok(!takes(body), model_id);
    const path = `/v1/${model.type}s`;
    const { status, error } = await service.call(service.keys.test, 'POST', path, body);
    assert.equal(status, 400, model_id);
    assert.match(error.code, /^missing_(prompt|reference)$/, model_id);
    for (const list of model.required) {
      const full = { ...body, ...needed(model, list) };
      assert.ok(takes(full), `${model_id} ${list}`);
    }
  }
});

test('a field that the model does not take is refused by the schema and by the service, which names it', async () => {
  for (const model of models) {
    const body = { model_id: model.model_id, ...needed(model), brush: 'fine' };
    assert.ok(!takes(body), model.model_id);
    const { status, error } = await quote(body);
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_field', 'brush'], model.model_id);
    assert.match(error.message, new RegExp(`prompt|${model.required[0][0]}`), 'it tells what is taken');
  }
});

test('a value outside its list or bounds is refused by the schema and by the service, which names the field', async () => {
  // Many models share a field, and `src/catalog/input-schema.test.ts` goes through all of them.
  const asked = new Set<string>();
  for (const model of models) {
    for (const [name, schema] of Object.entries(model.parameters)) {
      const field = JSON.stringify([name, schema]);
      if (asked.has(field)) continue;
      asked.add(field);
      const wrong: unknown[] = [];
      if (schema.enum !== undefined) wrong.push(schema.type === 'string' ? 'no-such-value' : 9_999);
      else if (schema.maximum !== undefined) wrong.push(schema.maximum + 1, (schema.minimum ?? Number.NaN) - 1);
      if (schema.type === 'string') wrong.push(7.25);
      if (schema.type === 'boolean') wrong.push('yes');
      if (schema.type === 'integer' && schema.enum === undefined) wrong.push(1.5);
      if (schema.type === 'array') wrong.push('not a list');
      for (const value of wrong.filter((each) => !Number.isNaN(each))) {
        const body = { model_id: model.model_id, ...needed(model), [name]: value };
        const where = `${model.model_id} ${name} ${value}`;
        assert.ok(!takes(body), where);
        const { status, error } = await quote(body);
        assert.equal(status, 400, where);
        assert.ok(
          error.details.some((fault) => fault.param.startsWith(name)),
          `${where} ${error.message}`,
        );
      }
    }
  }
});

test('the schema accepts all that the service accepts, and the service refuses all that the schema refuses', async () => {
  const bodies = fastCheck.sample(fastCheck.constantFrom<CatalogEntry[]>(...models).chain(requestOf), {
    numRuns: rounds(600),
    seed: 20_261_120,
  });
  let taken = 0;
  for (const body of bodies) {
    const answer = await quote(body);
    assert.ok(answer.status === 200 || answer.status === 400, JSON.stringify(answer.body));
    if (answer.status === 200) taken++;
    if (answer.status === 200) {
      const { errors } = schemaOf(body.model_id).validate;
      assert.ok(takes(body), `${JSON.stringify(body)} ${JSON.stringify(errors)}`);
    }
  }
  assert.ok(taken > bodies.length / 4 && taken < bodies.length * 0.92, `${taken} of ${bodies.length} were taken`);
});

test('for listed values and bounds, schema and service agree exactly', async () => {
  const plain = models.filter((model) => model.constraints.length === 0 && !('size' in model.parameters));
  assert.ok(plain.length > 5);
  const bodies = fastCheck.sample(fastCheck.constantFrom<CatalogEntry[]>(...plain).chain(requestOf), {
    numRuns: rounds(150),
    seed: 7,
  });
  for (const body of bodies) {
    const { status, error } = await quote(body);
    assert.equal(takes(body), status === 200, `${JSON.stringify(body)} ${error?.message}`);
  }
});

test("constraints in the schema carry the service's message", async () => {
  const body = { model_id: 'veo-3.1-fast', prompt: 'a fox', resolution: '1080p', duration: 6 };
  assert.ok(!takes(body));
  const { status, error } = await quote(body);
  assert.deepEqual([status, error.code], [400, 'unsupported_value']);
  const { constraints } = models.find((model) => model.model_id === 'veo-3.1-fast')!;
  assert.ok(
    constraints.some((rule: { readonly message: string }) => error.message.includes(rule.message)),
    error.message,
  );
  const fine = { ...body, duration: 8 };
  assert.ok(takes(fine));
  assert.equal((await quote(fine)).data.amount, '0.96');
});

test('a ratio that a film from text alone cannot have is refused by the schema as by a quote', async () => {
  for (const ratio of ['16:9', '1:1', '4:3']) {
    for (const picture of [{}, { image_urls: [PICTURE] }, { first_frame_url: PICTURE }]) {
      const body = { model_id: 'runway-gen-4.5', prompt: 'a fox', aspect_ratio: ratio, ...picture };
      assert.equal(takes(body), (await quote(body)).status === 200, JSON.stringify(body));
    }
  }
});

test('a duration is taken as a number and as a numeric string, and compared as a number', async () => {
  const amounts = new Set<string>();
  for (const duration of [6, '6', '6.0']) {
    const body = { model_id: 'veo-3.1', prompt: 'a fox', duration };
    const answer = await quote(body);
    assert.equal(answer.status, 200, `${JSON.stringify(duration)} ${answer.error?.message}`);
    assert.equal(Number(answer.data.input.duration), 6);
    amounts.add(answer.data.amount);
  }
  assert.equal(amounts.size, 1);
  assert.ok(takes({ model_id: 'veo-3.1', prompt: 'a fox', duration: '6' }));
});

test('listed values are compared without case and echoed in the spelling of the entry', async () => {
  for (const [model_id, sent, echoed] of [
    ['sketch', '1k', '1K'],
    ['grok-imagine-image', '2K', '2k'],
    ['minimax-h3', '768p', '768P'],
  ]) {
    const { data, error } = await quote({ model_id, prompt: 'a fox', resolution: sent });
    assert.equal(data?.input.resolution, echoed, error?.message);
  }
});

test('two fields that say the same thing at once are refused', async () => {
  for (const [body, param] of [
    [{ model_id: 'sketch', prompt: 'a fox', size: '512x512', resolution: '2K' }, /size|resolution/],
    [{ model_id: 'sketch', prompt: 'a fox', size: '512x512', aspect_ratio: '16:9' }, /size|aspect_ratio/],
    [
      { model_id: 'sketch-motion', prompt: 'a fox', image_urls: [PICTURE], first_frame_url: PICTURE },
      /image_urls|first_frame_url/,
    ],
  ] as const) {
    const { status, error } = await quote(body);
    assert.deepEqual([status, error?.code], [400, 'unsupported_value'], JSON.stringify(body));
    assert.match(error.param, param);
    assert.ok(!takes(body), JSON.stringify(body));
  }
});

test('a value that equals its default counts as not sent beside the field that excludes it', async () => {
  const body = { model_id: 'sketch', prompt: 'a fox', size: '512x512', resolution: '1K', aspect_ratio: 'auto' };
  assert.equal((await quote(body)).status, 200);
  assert.ok(takes(body));
});

test('a seed that a double cannot hold is refused in the digits that were sent', async () => {
  const body = '{"model_id":"sketch","prompt":"a fox","seed":18446744073709551615}';
  const headers = { authorization: `Bearer ${service.keys.test}`, 'content-type': 'application/json' };
  for (const path of ['/v1/images', '/v1/prices']) {
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    const { error } = (await answer.json()) as { error: { param: string; message: string } };
    assert.deepEqual([answer.status, error.param], [400, 'seed']);
    assert.match(error.message, /found 18446744073709551615\.$/);
  }
});

test('null stands for not sent, with a default and without one, in orders, quotes and actions', async () => {
  const nothing = { style: null, seed: null, image_urls: null, resolution: null, aspect_ratio: null, num_images: null };
  const order = { model_id: 'sketch', prompt: 'a fox' };
  assert.deepEqual((await quote({ ...order, ...nothing })).data, (await quote(order)).data);
  const grid = await service.make(service.keys.test, '/v1/images', {
    ...nothing,
    model_id: 'sketch-grid',
    prompt: 'a fox',
  });
  assert.equal(grid.status, 'succeeded', JSON.stringify(grid.error));
  const action = { parent_task_id: grid.task_id, action: 'variation', index: 1, prompt: null, num_images: null };
  assert.equal((await service.call(service.keys.test, 'POST', '/v1/images/actions', action)).status, 201);
});

/** Requests of a model: each field left out, at a value of its list or bounds, or at its default. */
function requestOf(model: CatalogEntry): fastCheck.Arbitrary<Body> {
  const fields: Record<string, fastCheck.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(model.parameters)) {
    const values = valuesOf(schema);
    const left = fastCheck.constant(undefined);
    fields[name] = fastCheck.oneof({ weight: 4, arbitrary: left }, { weight: 1, arbitrary: values ?? left });
  }
  return fastCheck.record(fields).map((chosen) => {
    const sent = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
    return { model_id: model.model_id, ...sent, ...needed(model) };
  });
}

function valuesOf(schema: JsonSchema): fastCheck.Arbitrary<unknown> | null {
  if (schema.enum !== undefined) return fastCheck.constantFrom(...schema.enum, schema.default);
  if (schema.type === 'boolean') return fastCheck.boolean();
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 100 } = schema;
    return fastCheck.constantFrom(minimum, maximum, Math.floor((minimum + maximum) / 2), maximum + 1);
  }
  if (schema.type === 'array' && schema.items?.format === 'uri') {
    const media = fastCheck.constant(PICTURE);
    return fastCheck.array(media, { minLength: 1, maxLength: (schema.maxItems ?? 3) + 1 });
  }
  if (schema.format === 'uri') return fastCheck.constant(PICTURE);
  if (schema.type === 'string' && schema.pattern === undefined) return fastCheck.constantFrom('a fox', 'two foxes');
  return null;
}
