import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { SECRET_MARK } from '@darkroom-service/contract/parts';
import fc from 'fast-check';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { loggedLines } from '../helpers/logged-lines.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Fields of requests that carry a secret are marked, so that no message quotes them. */

/** Fields whose names sound so, and why they hold no secret. */
const NO_SECRET: readonly string[] = [
  // Names a request.
  'idempotency-key',
  'x-idempotency-key',
  // Names an API key.
  'key_id',
  'key_ids',
];

const routes: RouteOptions[] = [];
const components = new Map<string, unknown>();
channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    routes.push(route);
    for (const [id, schema] of Object.entries(fastify.getSchemas())) components.set(`${id}#`, schema);
  });
});

const { log, lines } = loggedLines();
const { call, keys } = await startTestService(wholeFile, { service: { log } });

/** The names of all properties that sound secret and are not marked. */
function unmarked(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Readonly<Record<string, unknown>>;
  if (typeof node.$ref === 'string') return unmarked(components.get(node.$ref), name);
  if (node[SECRET_MARK] === true) return [];
  const own = /secret|key|password|token/i.test(name) && typeof node.type === 'string' ? [name] : [];
  const named = Object.entries((node.properties ?? {}) as object).flatMap(([key, part]) => unmarked(part, key));
  const inner = [node.items, node.additionalProperties].flatMap((part) => unmarked(part, name));
  const choices = [node.anyOf, node.oneOf, node.allOf].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((part) => unmarked(part, name)) : [],
  );
  return [...own, ...named, ...inner, ...choices];
}

test('every field of a request that carries a secret is marked', () => {
  const found = routes.flatMap(({ method, url, schema }) =>
    (['params', 'querystring', 'headers', 'body'] as const).flatMap((part) =>
      unmarked(schema?.[part])
        .filter((name) => !NO_SECRET.includes(name.toLowerCase()))
        .map((name) => `${method} ${url} ${part} ${name}`),
    ),
  );
  assert.ok(routes.length > 150);
  assert.deepEqual([...new Set(found)], []);
});

test('no odd value of a marked field is in the answer or in the log', async () => {
  const marked = ['/console/session', '/v1/account/upstream_keys/fal'] as const;
  const fields = { '/console/session': 'token', '/v1/account/upstream_keys/fal': 'secret' } as const;
  const text = fc.string({ minLength: 8, maxLength: 64, unit: fc.constantFrom(...'abcdefXYZ0189-_ é\t"') });
  const value = fc.oneof(
    text.map((secret) => ({ secret, sent: secret as unknown })),
    text.map((secret) => ({ secret, sent: [secret] as unknown })),
    text.map((secret) => ({ secret, sent: { [secret]: secret } as unknown })),
    fc.integer({ min: 10_000_000_000, max: 9e15 }).map((sent) => ({ secret: String(sent), sent: sent as unknown })),
    text.map((secret) => ({ secret: secret.repeat(600), sent: secret.repeat(600) as unknown })),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...marked), value, async (path, { secret, sent }) => {
      const method = path === '/console/session' ? 'POST' : 'PUT';
      const quoted = JSON.stringify(`zz${secret}zz`).slice(3, -3);
      const before = lines.length;
      const answer = await call(keys.live, method, path, { [fields[path]]: sent });
      assert.ok(answer.status >= 400, `${answer.status}`);
      assert.ok(!JSON.stringify(answer.body).includes(quoted), JSON.stringify(answer.body));
      assert.ok(!JSON.stringify(lines.slice(before)).includes(quoted), 'a log line quotes it');
    }),
    { numRuns: 60 },
  );
});

test('a secret that was sent as the name of a field is not quoted; a misspelt name is', async () => {
  const secret = 'sk-live-0123456789abcdefghijkl';
  for (const [method, path, name] of [
    ['PUT', '/v1/account/upstream_keys/fal', 'secret'],
    ['POST', '/console/session', 'token'],
  ] as const) {
    const before = lines.length;
    const answer = await call(keys.live, method, path, { [secret]: 'a value', [`${name}s`]: 'another' });
    assert.equal(answer.status, 400);
    const text = JSON.stringify(answer.body);
    assert.ok(!text.includes(secret), text);
    assert.ok(!JSON.stringify(lines.slice(before)).includes(secret));
    assert.match(text, new RegExp(`'${name}s' is not accepted. Did you mean '${name}'`));
  }
});
