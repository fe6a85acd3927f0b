import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { connectOverHttp } from '../mcp-clients.ts';
import { startTestService } from '../service.ts';
import { unboundedPlaces } from '../unbounded.ts';
import { wholeFile } from '../whole-file.ts';

/** Whatever a request can fill has a limit: work over a customer's texts is bounded before it begins. */

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
