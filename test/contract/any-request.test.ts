import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE } from '@darkroom-service/contract';
import type { Envelope } from '@darkroom-service/contract/schemas';
import { rounds } from '@darkroom-service/testing';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import sharp from 'sharp';
import type { JsonSchema } from '../helpers/json-schema.ts';
import { type Answer, type CatalogEntry, type FileAnswer, startTestService } from '../helpers/service.ts';
import { silentVoice } from '../helpers/silent-voice.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call } = service;
const { key } = await service.issueKey({ mode: 'test', readsPerMinute: 0 });
const models: readonly CatalogEntry[] = (await call(null, 'GET', '/v1/catalog')).data.items.filter(
  ({ status }) => status !== 'retired',
);
const quick = { simulate: { outcome: 'content_policy' } };
const data = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#456' } })
  .png()
  .toBuffer();
const uploaded = await fetch(`${service.url}/v1/files`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
  body: new Uint8Array(data),
});
const picture = `upload:${((await uploaded.json()) as Envelope<FileAnswer>).data.file_id}`;
const parent = await service.make(key, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });

const post = <Path extends string>(path: Path, body: object) => call(key, 'POST', path, body);
/** A body of a model's defaults, with a prompt if it takes one. */
const anyBody = ({ default_config, model_id, parameters }: CatalogEntry) => ({
  ...default_config,
  model_id,
  ...('prompt' in parameters ? { prompt: 'a red fox' } : {}),
});
const takesPromptAlone = (model: CatalogEntry) =>
  model.required.some((list: readonly string[]) => list.join() === 'prompt');

/** Whatever is refused is refused with a code of the contract, in its shape; nothing breaks. */
function assertSound(answer: Answer, request: unknown): void {
  const seen = `${JSON.stringify(request)?.slice(0, 2_000)} -> ${JSON.stringify(answer.body).slice(0, 800)}`;
  assert.ok(answer.status < 500, seen);
  if (answer.status < 300) return;
  assert.ok(answer.error.code in ERROR_TABLE, seen);
  assert.equal(answer.error.status, answer.status, seen);
  assert.ok(answer.error.message.length > 10, seen);
}

test('the defaults of a model and a prompt are a valid order of every model that needs no reference', async () => {
  let tried = 0;
  for (const model of models) {
    const body = anyBody(model);
    const quoted = await post('/v1/prices', body);
    assert.equal(quoted.status, 200, `${model.model_id}: ${JSON.stringify(quoted.body)}`);
    if (!takesPromptAlone(model)) continue;
    tried++;
    const created = await post(`/v1/${model.type}s`, { ...body, ...quick });
    assert.equal(created.status, 201, `${model.model_id}: ${JSON.stringify(created.body)}`);
    assert.equal(created.data.cost.quoted, quoted.data.amount, model.model_id);
    assert.deepEqual(created.data.input, quoted.data.input, model.model_id);
  }
  assert.ok(tried > 60, `${tried} models`);
});

test('a model that needs a reference takes its defaults, a prompt and that reference', async () => {
  const film = await service.make(key, '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', duration: 6 });
  const video = film.outputs[0]?.url;
  const references: Readonly<Record<string, unknown>> = {
    image_urls: [picture],
    video_url: video,
    video_urls: [video, video],
    audio_url: silentVoice(3),
  };
  const others = models.filter((model) => !takesPromptAlone(model));
  assert.ok(others.length >= 3);
  for (const model of others) {
    const body = anyBody(model);
    const missing = await post(`/v1/${model.type}s`, { ...body, ...quick });
    assert.deepEqual([missing.status, missing.error.code], [400, 'missing_reference'], model.model_id);
    const needed = model.required.map((names) => names.filter((name) => name !== 'prompt'));
    const [names] = needed.filter((list) => list.every((name) => name in references));
    const sent = Object.fromEntries(names?.map((name) => [name, references[name]]) ?? []);
    const created = await post(`/v1/${model.type}s`, { ...body, ...sent, ...quick });
    assert.equal(created.status, 201, `${model.model_id}: ${JSON.stringify(created.body)}`);
  }
});

test('one value of one parameter over the defaults is taken or refused by name, in quote and order alike', async () => {
  for (const model of models.filter(takesPromptAlone)) {
    for (const [name, parameter] of Object.entries(model.parameters)) {
      for (const value of new Set([
        parameter.enum?.at(0),
        parameter.enum?.at(-1),
        parameter.minimum,
        parameter.maximum,
      ])) {
        if (value === undefined) continue;
        const body = { ...anyBody(model), [name]: value };
        const quoted = await post('/v1/prices', body);
        assertSound(quoted, body);
        assert.notEqual(quoted.error?.code, 'unsupported_field', JSON.stringify(body));
        // A constraint may forbid the value beside another default, and says so.
        if (quoted.status !== 200) assert.equal(quoted.error.code, 'unsupported_value', JSON.stringify(quoted.error));
        else assert.deepEqual(quoted.data.input[name], value);
      }
    }
  }
});

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    '',
    ' ',
    'a',
    '0x0',
    '1:1',
    [],
    {},
    [null],
    [[]],
    [{}],
  ),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
);
const medium = fc.constantFrom(
  picture,
  `task:${parent.task_id}`,
  'upload:nothing',
  'task:img_nothing',
  'data:image/png;base64,AAAA',
  'data:,',
  'ftp://example.com/a.png',
  'http://169.254.169.254/latest',
  'http://[::1]/a.png',
  'http://2130706433/',
  'not an address',
  '',
);

/** A value that a parameter may take, one at its edge or beyond, or anything. */
function valueFor(parameter: JsonSchema): fc.Arbitrary<unknown> {
  const fitting: fc.Arbitrary<unknown>[] = [fc.constant(parameter.default)];
  if (parameter.enum !== undefined) fitting.push(fc.constantFrom(...parameter.enum));
  if (parameter.type === 'boolean') fitting.push(fc.boolean());
  if (parameter.type === 'integer' || parameter.type === 'number') {
    const { minimum = -10, maximum = 100 } = parameter;
    fitting.push(fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, String(minimum)));
    fitting.push(fc.integer({ min: Math.floor(minimum), max: Math.ceil(maximum) }));
  }
  if (parameter['x-media'] !== undefined || parameter.format === 'uri') fitting.push(medium);
  if (parameter.type === 'array') fitting.push(fc.array(valueFor(parameter.items ?? {}), { maxLength: 4 }));
  if (parameter.type === 'object')
    fitting.push(
      fc.record(
        Object.fromEntries(Object.entries(parameter.properties ?? {}).map(([name, inner]) => [name, valueFor(inner)])),
        { requiredKeys: [] },
      ),
    );
  if (parameter.type === 'string' && parameter.enum === undefined)
    fitting.push(fc.constantFrom('a fox', '16:9', '1024x1024', '99999x1', '#aabbcc', 'x'.repeat(12_000)));
  return fc.oneof({ weight: 6, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: junk });
}

const serviceFields = {
  metadata: fc.oneof(fc.constant({ a: 'b' }), junk),
  end_user: fc.oneof(fc.constant('ann'), junk),
  max_price: fc.oneof(fc.constantFrom('0.01', 5, '99'), junk),
  nonsense: junk,
};
const order = fc.constantFrom(...models).chain((model) => {
  const fields = Object.entries(model.parameters).map(([name, parameter]): Field => [name, valueFor(parameter)]);
  const prompt = fc.constantFrom({ prompt: 'a fox' }, { prompt: 'a fox' }, { prompt: 'a fox' }, {});
  // A handful of fields: with more, nearly every order would be refused.
  return fc.tuple(someOf(fields, 5), someOf(Object.entries(serviceFields), 1), prompt).map(([own, more, text]) => ({
    type: model.type,
    body: { model_id: model.model_id, ...text, ...own, ...more },
  }));
});

type Field = [name: string, value: fc.Arbitrary<unknown>];

function someOf(fields: Field[], most: number): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(fields, { maxLength: Math.min(most, fields.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)));
}

test('no request breaks the service, and what is ordered costs what was quoted', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(order, async ({ type, body }) => {
      const [quoted, created] = [await post('/v1/prices', body), await post(`/v1/${type}s`, { ...body, ...quick })];
      assertSound(quoted, body);
      assertSound(created, body);
      if (created.status === 201) {
        taken++;
        assert.equal(quoted.status, 200, JSON.stringify([body, quoted.error]));
        assert.equal(created.data.cost.quoted, quoted.data.amount, JSON.stringify(body));
        assert.deepEqual(created.data.cost.lines, quoted.data.lines);
      } else if (quoted.status === 200) {
        const codes = [created.error, ...created.error.details].map((fault: { code: string }) => fault.code);
        const known = ['missing_prompt', 'missing_reference', 'price_exceeded'];
        assert.ok(
          codes.some((code) => known.includes(code)),
          JSON.stringify([body, created.error]),
        );
      }
    }),
    { numRuns: 250 },
  );
  assert.ok(taken >= 25, `only ${taken} of 250 orders were taken`);
});

test('no follow-up action breaks the service', async () => {
  const names = ['upscale', 'variation', 'reroll', 'remix', 'pan', 'zoom_out', 'vary_region', 'make_square', 'fly'];
  const follow = fc.record(
    {
      parent_task_id: fc.oneof({ weight: 5, arbitrary: fc.constant(parent.task_id) }, junk),
      action: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, junk),
      model_id: fc.oneof(fc.constantFrom('sketch-grid', 'sketch'), junk),
      index: fc.oneof(fc.integer({ min: -1, max: 5 }), junk),
      prompt: fc.oneof(fc.constant('an owl'), junk),
      ratio: fc.oneof(fc.double({ min: 0, max: 3 }), junk),
      direction: fc.oneof(fc.constantFrom('left', 'up', 'north'), junk),
      strength: fc.oneof(fc.constantFrom('subtle', 'strong'), junk),
      mask_url: fc.oneof(medium, junk),
    },
    { requiredKeys: ['parent_task_id', 'action'] },
  );
  await fc.assert(
    fc.asyncProperty(follow, async (body) => {
      assertSound(await post('/v1/images/actions', { ...body, ...quick }), body);
      assertSound(await post('/v1/prices', body), body);
    }),
    { numRuns: rounds(100) },
  );
});

test('no address, query or header breaks the service', async () => {
  const names = ['limit', 'offset', 'page', 'status', 'model_id', 'end_user', 'created_after', 'after', 'type', 'x'];
  const segment = fc.oneof(
    fc.constantFrom('v1', 'images', 'videos', 'models', 'files', 'account', parent.task_id),
    fc.string(),
  );
  const address = fc.tuple(
    fc.array(segment, { maxLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(fc.string(), fc.integer().map(String))), { maxLength: 3 }),
  );
  const header = fc.tuple(
    fc.constantFrom(
      'prefer',
      'if-none-match',
      'range',
      'idempotency-key',
      'x-request-id',
      'darkroom-simulate',
      'accept',
    ),
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'),
      address,
      header,
      async (method, parts, pair) => {
        const [segments, query] = parts;
        const path = `/${segments.map(encodeURIComponent).join('/')}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
        const answer = await call(key, method, path, undefined, { [pair[0]]: pair[1].trim() });
        assert.ok(answer.status < 500, `${method} ${path} ${pair}: ${JSON.stringify(answer.body)}`);
      },
    ),
    { numRuns: rounds(150) },
  );
});
