import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { GENERATION, IMAGE, VIDEO } from '@darkroom-service/contract/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { OPERATIONS } from './core-operations.ts';
import { BODY_EXAMPLES } from './examples.ts';

const { app, as, issue } = await openTestHttp(wholeFile);

test('every example of the document fits its schema', async () => {
  const document = (await app.inject('/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'document', ...document });
  const check = (pointer: string, example: unknown) => {
    const validate = ajv.compile({ $ref: `document#${pointer}` });
    assert.ok(validate(example), `${pointer}: ${ajv.errorsText(validate.errors)}`);
  };
  let checked = 0;
  for (const [name, { examples = [] }] of Object.entries<{ examples?: unknown[] }>(document.components.schemas)) {
    for (const example of examples) {
      check(`/components/schemas/${name}`, example);
      checked++;
    }
  }
  for (const [path, operations] of Object.entries<Record<string, { requestBody?: Body }>>(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      for (const [type, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
        for (const { value } of Object.values(examples)) {
          const place = [path, method, 'requestBody', 'content', type, 'schema'].map(escapePointer).join('/');
          check(`/paths/${place}`, value);
          checked++;
        }
      }
    }
  }
  assert.ok(checked > 15, `${checked} examples`);
});

test('the orders of the examples can be ordered', async () => {
  const { key } = await issue();
  for (const id of ['createImage', 'createVideo', 'quotePrice']) {
    for (const [name, { value }] of Object.entries(BODY_EXAMPLES[id] ?? {})) {
      const answer = await as(key, { method: 'POST', url: '/v1/prices', payload: value });
      assert.equal(answer.statusCode, 200, `${id} ${name}: ${answer.body}`);
    }
  }
});

test('a repeated create answers as documented after its task was deleted', async () => {
  const { paths, components } = (await app.inject('/openapi.json')).json();
  const { data } = paths['/v1/images'].post.responses['201'].content['application/json'].schema.properties;
  assert.deepEqual(data.anyOf, [{ $ref: '#/components/schemas/Task' }, { $ref: '#/components/schemas/DeletedTask' }]);
  assert.deepEqual(components.schemas.DeletedTask.required, ['task_id', 'status', 'deleted_at']);
});

test('every operation that reads a body documents how it refuses one', async (t) => {
  const strict = await openTestHttp(t, { maxBodyBytes: 1000 });
  const { key } = await strict.issue();
  const { paths } = (await app.inject('/openapi.json')).json();
  const unusable = [
    { payload: `"${'a'.repeat(200_000)}"`, headers: { 'content-type': 'application/json' } },
    { payload: '{', headers: { 'content-type': 'application/json' } },
    { payload: 'a', headers: { 'content-type': 'text/csv' } },
  ];
  for (const [path, operations] of Object.entries<Record<string, { responses: object }>>(paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const [method, { responses }] of Object.entries(operations)) {
      if (method === 'get') continue;
      const url = path.replace(/\{[^}]+\}/g, 'unknown');
      for (const body of unusable) {
        const { statusCode } = await strict.as(key, { method: method.toUpperCase() as 'POST', url, ...body });
        assert.ok(Object.hasOwn(responses, statusCode), `${method} ${path}: ${statusCode} is not documented`);
      }
    }
  }
});

test('the list of operations names no operation that is not there', async () => {
  const { paths } = (await app.inject('/openapi.json')).json();
  const there = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(
    Object.keys(OPERATIONS).filter((name) => !there.includes(name)),
    [],
  );
});

test('a client that has only the document can verify a webhook', async () => {
  const { webhooks } = (await app.inject('/openapi.json')).json();
  const { parameters, requestBody, description } = webhooks.taskEvent.post;
  assert.deepEqual(
    parameters.map(({ name }: { name: string }) => name),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  );
  assert.equal(requestBody.content['application/json'].schema.$ref, '#/components/schemas/WebhookEvent');
  assert.match(description, /HMAC-SHA256/);
});

test('the shared fields of orders have the types that the catalog gives them', async () => {
  const catalog = await loadCatalog({ directories: [join(import.meta.dirname, '..', '..', '..', 'catalog')] });
  const types = (type: 'image' | 'video') => {
    const found = new Map<string, Set<string>>();
    for (const model of catalog.models.filter((each) => each.type === type))
      for (const [name, { type: kind }] of Object.entries(model.parameters))
        found.set(name, (found.get(name) ?? new Set()).add(kind));
    return found;
  };
  for (const [type, declared] of [
    ['image', { ...GENERATION, ...IMAGE }],
    ['video', { ...GENERATION, ...VIDEO }],
  ] as const) {
    const inCatalog = types(type);
    for (const [name, schema] of Object.entries(declared)) {
      const kinds = inCatalog.get(name);
      if (name === 'model_id' || kinds === undefined) continue;
      const text = JSON.stringify(schema);
      for (const kind of kinds)
        assert.ok(
          text.includes(`"type":"${kind}"`) || (kind === 'integer' && text.includes('"type":"number"')),
          `${type} ${name} is declared as ${text}; the catalog has ${kind}`,
        );
    }
  }
});

interface Body {
  readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { value: unknown }>> }>>;
}

function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}
