import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE } from '@darkroom-service/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiAnswer } from '../helpers/openapi-document.ts';
import { type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The interface's own documents: what they list, and that answers are what they say (contract §8). */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys, make } = service;
const document = (await call(null, 'GET', '/openapi.json')).body;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const CONTRACT_ROUTES = `
get /v1/catalog
get /v1/models
get /v1/models/{model_id}
post /v1/prices
post /v1/images
get /v1/images
get /v1/images/{task_id}
delete /v1/images/{task_id}
post /v1/images/{task_id}/cancel
get /v1/images/{task_id}/content
post /v1/images/actions
post /v1/videos
get /v1/videos
get /v1/videos/{task_id}
delete /v1/videos/{task_id}
post /v1/videos/{task_id}/cancel
get /v1/videos/{task_id}/content
get /v1/account
get /v1/account/usage
get /v1/account/ledger
post /v1/files
get /v1/files/{file_id}
delete /v1/files/{file_id}
get /healthz
get /readyz
get /metrics
get /admin/v1/accounts
post /admin/v1/accounts
get /admin/v1/accounts/{account_id}
patch /admin/v1/accounts/{account_id}
post /admin/v1/accounts/{account_id}/credit
get /admin/v1/keys
post /admin/v1/keys
post /admin/v1/keys/{key_id}/rotate
post /admin/v1/keys/{key_id}/revoke
get /admin/v1/engines
post /admin/v1/engines/{name}/pause
post /admin/v1/engines/{name}/resume
get /admin/v1/models
post /admin/v1/models/{name}/pause
post /admin/v1/models/{name}/resume
get /admin/v1/tasks
get /admin/v1/tasks/{task_id}
post /admin/v1/catalog/reload
get /admin/v1/audit
get /admin/v1/audit/export
get /admin/v1/reconciliation
post /admin/v1/reconciliation/{id}/resolve
post /admin/v1/reconciliation/resolve
`
  .trim()
  .split('\n');

test('openapi.json is OpenAPI 3.1 at version 1.0.0, not enveloped, and lists every route of the contract', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.equal(document.info.version, '1.0.0');
  assert.ok(document.info.title.includes('Darkroom'));
  const listed = operations.map(({ method, path }) => `${method} ${path}`);
  for (const route of CONTRACT_ROUTES) assert.ok(listed.includes(route), route);
});

test('every operation has a summary, answers, a name for each place in its path, and a way of authentication', () => {
  const { securitySchemes } = document.components;
  assert.deepEqual(
    Object.values(securitySchemes).map((scheme) => scheme.scheme),
    Object.values(securitySchemes).map(() => 'bearer'),
  );
  for (const { path, method, operation } of operations) {
    const where = `${method} ${path}`;
    assert.ok(operation.summary, where);
    assert.ok(Object.keys(operation.responses).length > 0, where);
    for (const status of Object.keys(operation.responses)) assert.match(status, /^([1-5]\d\d|[1-5]XX|default)$/, where);
    for (const answer of Object.values(operation.responses)) assert.ok(sharedOr(answer).description, where);
    const places = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(named.map((parameter) => parameter.name).sort(), places.sort(), where);
    assert.ok(
      named.every((parameter) => parameter.required === true),
      where,
    );
    const security = operation.security ?? document.security;
    const open = /^\/(v1\/catalog|\.well-known|healthz|readyz|files|shares|examples|openapi|docs|console)/.test(path);
    assert.equal(security === undefined || security.length === 0, open, `${where} ${JSON.stringify(security)}`);
  }
});

test('every schema in the document is one of draft 2020-12 and every reference leads somewhere', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi.json');
  const seen = new Set<string>();
  walk(document, (node) => {
    if (typeof node.$ref === 'string') seen.add(node.$ref);
  });
  assert.ok(seen.size > 3);
  for (const ref of seen) {
    assert.match(ref, /^#\/components\//);
    const target = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Readonly<Record<string, unknown>> | undefined)?.[name], document);
    assert.ok(target, ref);
    if (ref.startsWith('#/components/schemas/')) ajv.compile({ $ref: `openapi.json${ref}` });
  }
  for (const { operation } of operations) {
    for (const parameter of operation.parameters ?? []) assert.ok(ajv.validateSchema(parameter.schema));
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      if (media.schema !== undefined) assert.ok(ajv.validateSchema(media.schema), ajv.errorsText());
  }
});

test('every answer matches its schema in the document', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi.json');
  const check = (path: string, method: string, status: number, body: unknown) => {
    const place = `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`;
    const answers = document.paths[path]?.[method]?.responses ?? {};
    const answer = sharedOr(answers[status]!);
    assert.ok(answer?.content?.['application/json']?.schema, `${method} ${path} ${status} is documented`);
    const { error } = body as { readonly error?: Refusal };
    if (error !== undefined)
      assert.ok(answer.description.includes(`\`${error.code}\``), `${method} ${path} ${error.code}`);
    const answerPlace = answers[status]?.$ref ?? `#${place}/responses/${status}`;
    const validate = ajv.compile({ $ref: `openapi.json${answerPlace}/content/application~1json/schema` });
    assert.ok(validate(body), `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`);
  };
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const task = await make(keys.test, '/v1/images', order);
  const film = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { outcome: 'timeout' } };
  const failed = await make(keys.test, '/v1/videos', film);
  for (const [method, documented, path, body] of [
    ['get', '/v1/catalog', '/v1/catalog', undefined],
    ['get', '/v1/models', '/v1/models', undefined],
    ['get', '/v1/models/{model_id}', '/v1/models/sketch', undefined],
    ['post', '/v1/prices', '/v1/prices', order],
    ['post', '/v1/images', '/v1/images', order],
    ['post', '/v1/images', '/v1/images', { ...order, brush: 1 }],
    ['get', '/v1/images', '/v1/images', undefined],
    ['get', '/v1/images', '/v1/images?limit=0', undefined],
    ['get', '/v1/images/{task_id}', `/v1/images/${task.task_id}`, undefined],
    ['get', '/v1/images/{task_id}', '/v1/images/img_1', undefined],
    ['get', '/v1/videos/{task_id}', `/v1/videos/${failed.task_id}`, undefined],
    ['get', '/v1/videos', '/v1/videos', undefined],
    ['get', '/v1/account', '/v1/account', undefined],
    ['get', '/v1/account/usage', '/v1/account/usage', undefined],
    ['get', '/v1/account/ledger', '/v1/account/ledger', undefined],
    ['delete', '/v1/videos/{task_id}', `/v1/videos/${failed.task_id}`, undefined],
  ] as const) {
    const answer = await call(keys.test, method.toUpperCase(), path, body);
    check(documented, method, answer.status, answer.body);
  }
  const headers = { 'idempotency-key': 'deleted-later', prefer: 'wait=60' };
  const made = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { outcome: 'timeout' } }, headers);
  await call(keys.test, 'DELETE', `/v1/images/${made.data.task_id}`);
  const replay = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { outcome: 'timeout' } }, headers);
  assert.ok(replay.data.deleted_at);
  check('/v1/images', 'post', replay.status, replay.body);
});

test('every route that is documented is there, and takes the method', async () => {
  for (const { path, method } of operations) {
    const filled = path.replace(/\{[^}]+\}/g, 'nothing').replace('/*', '/nothing');
    const response = await fetch(`${service.url}${filled}`, { method: method.toUpperCase(), redirect: 'manual' });
    const text = await response.text();
    assert.notEqual(response.status, 405, `${method} ${path}`);
    assert.ok(!text.includes('Nothing exists at'), `${method} ${path}`);
    assert.ok(response.status < 500, `${method} ${path}`);
  }
});

test('/docs is readable without a key, lists the addresses, and has the anchor of every error', async () => {
  const { status, headers, body } = await call(null, 'GET', '/docs');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  for (const code of Object.keys(ERROR_TABLE)) assert.ok(body.includes(`id="error-${code}"`), code);
  for (const path of ['/v1/images', '/v1/catalog', '/v1/images/actions']) assert.ok(body.includes(path), path);
});

test('docs_url of a failure leads to its anchor', async () => {
  const { error } = await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'x', brush: 1 });
  const [page = '', anchor] = error.docs_url.split('#');
  assert.equal(anchor, 'error-unsupported_field');
  const { status, body } = await call(null, 'GET', page);
  assert.equal(status, 200);
  assert.ok(String(body).includes(`id="${anchor}"`));
});

/** An answer of an operation: its own, or one that several operations share. */
function sharedOr(answer: OpenApiAnswer): OpenApiAnswer {
  return answer.$ref === undefined ? answer : document.components.responses[answer.$ref.split('/').at(-1) ?? '']!;
}

function walk(node: unknown, visit: (node: { readonly $ref?: unknown }) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node);
  for (const inner of Object.values(node)) walk(inner, visit);
}
