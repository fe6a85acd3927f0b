import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { connectOverHttp } from '../helpers/mcp-clients.ts';
import { startTestService } from '../helpers/service.ts';
import { unboundedPlaces } from '../helpers/unbounded.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Whatever a request can fill has a limit: work over a customer's texts is bounded before it begins. */

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly minLength?: number; readonly maxLength?: number; readonly pattern?: string };
}

const routes: RouteOptions[] = [];
const components = new Map<string, unknown>();
channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    routes.push(route);
    for (const [id, schema] of Object.entries(fastify.getSchemas())) components.set(`${id}#`, schema);
  });
});

const { call, keys, url } = await startTestService(wholeFile);

test('every part of a request that a route describes has a limit', () => {
  const found = routes.flatMap(({ method, url: path, schema }) =>
    (['params', 'querystring', 'headers', 'body'] as const).flatMap((part) =>
      unboundedPlaces(schema?.[part], (reference) => components.get(reference))
        // The route names its parameters, and what other headers say is not read.
        .filter((place) => part === 'body' || place !== '(all): object')
        .map((place) => `${method} ${path} ${part} ${place}`),
    ),
  );
  assert.ok(routes.length > 150);
  assert.deepEqual(found, []);
});

test('so has every part that the OpenAPI document describes', async () => {
  const { body: document } = await call(null, 'GET', '/openapi.json');
  const resolve = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => [
      ...parameters.flatMap(({ name, schema }) =>
        unboundedPlaces(schema, resolve).map((place) => `${method} ${path} ${name} ${place}`),
      ),
      ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
        unboundedPlaces(schema, resolve).map((place) => `${method} ${path} ${type} ${place}`),
      ),
    ]),
  );
  assert.deepEqual(found, []);
});

test('a request whose parts are all as long as the document allows is not too long as a whole', async () => {
  const { body: document } = await call(null, 'GET', '/openapi.json');
  const parts = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => {
      const lengths = (places: readonly string[]) =>
        (parameters as readonly Parameter[])
          .filter((parameter) => places.includes(parameter.in))
          .reduce((sum, { name, schema }) => sum + name.length + 2 + (schema.maxLength ?? 20), 0);
      return {
        route: `${method} ${path}`,
        address: path.length + lengths(['path', 'query']),
        headers: lengths(['header']),
      };
    }),
  );
  assert.ok(parts.length > 100);
  assert.deepEqual(
    parts.filter(({ address, headers }) => address > 8_000 || headers > 15_000),
    [],
  );
});

test('a header as long as the document allows is accepted, and a longer one is refused by name', async () => {
  const ask = (length: number) =>
    call(keys.test, 'GET', '/v1/models', undefined, { 'if-none-match': `"${'x'.repeat(length - 2)}"` });
  assert.equal((await ask(2_000)).status, 200);
  const { status, error } = await ask(2_001);
  assert.deepEqual([status, error.param], [400, 'if-none-match']);
});

test('the document says of lists of words, of pages and of headers what the service accepts', async () => {
  const { body: document } = await call(null, 'GET', '/openapi.json');
  const cases: readonly [string, string, Record<string, boolean>][] = [
    ['/v1/images', 'status', { failed: true, 'canceled, failed': true, done: false, 'failed,': false }],
    ['/v1/account/usage', 'group_by', { 'day,model_id': true, ' status': true, week: false }],
    ['/v1/images', 'after', { [`img_${'0'.repeat(26)}`]: true, [`vid_${'0'.repeat(26)}`]: false }],
    ['/v1/videos', 'after', { [`vid_${'0'.repeat(26)}`]: true, [`img_${'0'.repeat(26)}`]: false }],
    ['/v1/images', 'tag', { ' a fox ': true, '  ': false, 'a\u0085b': false, 'a\u2028b': false }],
  ];
  for (const [path, name, values] of cases) {
    const parameters = document.paths[path]?.get?.parameters as readonly Parameter[];
    const { pattern = '' } = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
    for (const [value, isGood] of Object.entries(values)) {
      const { status } = await call(keys.test, 'GET', `${path}?${new URLSearchParams({ [name]: value })}`);
      assert.deepEqual([status === 200, new RegExp(pattern, 'u').test(value)], [isGood, isGood], `${name}=${value}`);
    }
  }
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const { name, schema } of parameters as readonly Parameter[])
        if (name === 'idempotency-key' || name === 'darkroom-simulate')
          assert.deepEqual([schema.minLength, schema.maxLength, schema.pattern], [1, 255, '^[\\x20-\\x7e]*$'], path);
});

test('so has every argument of every tool of the MCP server', async (t) => {
  const client = await connectOverHttp(t, { url, key: keys.test });
  const { tools } = await client.listTools();
  const found = tools.flatMap(({ name, inputSchema }) =>
    unboundedPlaces(inputSchema, () => undefined).map((place) => `${name} ${place}`),
  );
  assert.ok(tools.length >= 9);
  assert.deepEqual(found, []);
});

test('so has every field of every model', async () => {
  const { data } = await call(keys.test, 'GET', '/v1/models');
  assert.ok(data.items.length > 50);
  for (const { model_id: id } of data.items) {
    const { data: model } = await call(keys.test, 'GET', `/v1/models/${id}`);
    assert.deepEqual(
      unboundedPlaces(model.input_schema, () => undefined),
      [],
      id,
    );
  }
});
