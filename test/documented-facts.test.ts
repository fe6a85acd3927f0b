import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonSchema } from './helpers/json-schema.ts';
import type { OpenApiDocument } from './helpers/openapi-document.ts';
import { startTestService } from './helpers/service.ts';
import { createSwiftEngine } from './helpers/swift-engine.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** Numbers of pages that no table is made of, each beside the constant that it comes from, and rules for all routes. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

const bodies = (name: string) => constant('src/http/bodies/read-body.ts', `\\b${name}`, ': ');
const many = (name: string) => constant('src/http/bodies/read-body.ts', `MANY_ORDERS: .*${name}`, ': ');
const batch = (name: string) => constant('src/additions/batches/read-batch.ts', name);
const contract = (name: string) => constant('packages/contract/src/parts.ts', `\\b${name}`, ': ');
const postgres = (name: string) => constant('packages/store/src/postgres-database.ts', name);
const restarts = (name: string) => constant('additions/local/src/servers/restarts.ts', name);

/** The facts of an addition; none if its folder is taken out. */
const factsOf = (folder: string, facts: () => readonly string[]) => (existsSync(join(ROOT, folder)) ? facts() : []);

const FACTS: Readonly<Record<string, readonly string[]>> = {
  'docs/api.md': [
    `of which ${bodies('bytesOutsideData') / KILOBYTE} KB outside \`data:\` strings`,
    ...factsOf('src/additions/batches', () => [
      `| body of a batch; one order in it | ${batch('MOST_BYTES') / MEGABYTE} MB; ${bodies('bytesOutsideData') / KILOBYTE} KB |`,
      `| orders of a batch | ${shown(constant('src/additions/batches/read-entry.ts', 'MOST_ORDERS'))} |`,
      `| batches of a key in progress | ${constant('src/additions/batches/place-batch.ts', 'MOST_OPEN_BATCHES')} |`,
    ]),
    ...factsOf('additions/mcp', () => [
      `| message to \`/mcp\`; bodies to compare | ${constant('additions/mcp/src/endpoint/mcp-routes.ts', 'MOST_BODY_BYTES') / MEGABYTE} MB`,
    ]),
    `of each ${many('bytesOutsideData') / MEGABYTE} MB outside \`data:\` strings, and ${shown(many('values'))} values`,
    `| any other JSON body | ${constant('src/http/bodies/check-shape.ts', 'SHAPED_BODY_BYTES') / KILOBYTE} KB |`,
    `(objects, arrays, strings, numbers, …) | ${shown(bodies('values'))} |`,
    `| names in one object; nesting of objects and arrays | ${bodies('names')}; ${bodies('depth')} levels |`,
    `| URL of a request | ${shown(constant('src/http/client-errors.ts', 'MAX_URL_LENGTH'))} characters |`,
    `where it is read | ${shown(contract('header'))} characters |`,
    ...factsOf('src/additions/tags', () => [
      `A task has at most ${constant('src/additions/tags/tag-wire.ts', 'MOST_TAGS')} tags`,
    ]),
  ],
  'docs/mcp.md': factsOf('additions/mcp', () => [
    `to \`/mcp\` has at most ${constant('additions/mcp/src/endpoint/mcp-routes.ts', 'MOST_BODY_BYTES') / MEGABYTE} MB`,
    `(at most and by default ${constant('packages/contract/src/words.ts', 'LONGEST_WAIT_SECONDS')})`,
  ]),
  'docs/local.md': factsOf('additions/local', () => [
    `After ${restarts('LOAD_FAILURES')} failed loads or ${restarts('CRASHES')} crashes in a row`,
  ]),
  'docs/privacy.md': factsOf('additions/privacy', () => [
    `can be downloaded for ${constant('additions/privacy/src/data-requests.ts', 'EXPORT_DAYS')} days`,
    `names ${constant('additions/privacy/src/data-requests.ts', 'MOST_SHOWN')} (\`undecided_uploads\`)`,
  ]),
  'docs/production.md': [
    `${postgres('READERS')} to read, ${postgres('SHORT_REPORTS') + 1} for reports, 2 for searches, 2 to write, 1 to listen, 1 for`,
  ],
  'CONTRIBUTING.md': [
    `at most ${constant('test/architecture.test.ts', 'MAX_LINES')} lines (tests: ${constant('test/architecture.test.ts', 'MAX_TEST_LINES')})`,
  ],
};

for (const [page, facts] of Object.entries(FACTS))
  test(`the limits of ${page} are those of the program`, () => {
    const text = read(page);
    assert.deepEqual(
      facts.filter((fact) => !text.includes(fact)),
      [],
    );
  });

test('docs/operating.md names every reason for which a media process ends', () => {
  const [, union = ''] = /^type EndReason = (.+);$/m.exec(read('packages/media/src/process/media-process.ts')) ?? [];
  const [, sentence = ''] =
    /`media process ended .*?` gives the reason: ([^.]+)\./.exec(read('docs/operating.md')) ?? [];
  const namesIn = (text: string) => [...text.matchAll(/['`](\w+)['`]/g)].map(([, name]) => name);
  assert.deepEqual(namesIn(sentence), namesIn(union));
});

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys } = service;
const document = (await call(null, 'GET', '/openapi.json')).body as OpenApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, { content = {} }]) => ({ path, method, operation, types: Object.keys(content), data: dataOf(content) })),
  ),
);

test('docs/api.md names every answer that has no envelope', () => {
  const [, sentence = ''] =
    /A failure carries `error`.*?\. (Files,.*?) do not use this envelope/s.exec(read('docs/api.md')) ?? [];
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const words = {
    'event streams': /^text\/event-stream$/,
    archives: /^application\/zip$/,
    'JSON lines': /^application\/jsonl$/,
  };
  const kinds = [...Object.entries(words), ['Files', /^(?:image|video|audio)\/|octet-stream$/] as const].filter(
    ([word]) => sentence.replaceAll(/\s+/g, ' ').includes(word),
  );
  const plain = operations.filter(({ data, types }) => types.length > 0 && data === null);
  assert.ok(plain.length > 15, `${plain.length} answers`);
  assert.deepEqual(
    plain
      .filter(({ path }) => !named.some((one) => path.startsWith(one)))
      .filter(({ types }) => !types.every((type) => kinds.some(([, kind]) => kind.test(type))))
      .map(({ path, types }) => [path, types]),
    [],
  );
});

/** Lists that do not grow with orders, customers or time, or whose size something else bounds. */
const SHORT_LISTS = [
  '/v1/catalog',
  '/v1/models',
  '/v1/models/{model_id}/examples',
  '/v1/examples',
  '/v1/account/webhooks/secret',
  '/v1/account/upstream_keys',
  '/v1/account/data_rules',
  '/admin/v1/accounts/{account_id}/data_rules',
  '/v1/models/{model_id}/data',
  '/v1/account/invitations',
  '/v1/account/keys',
  '/v1/destinations',
  '/admin/v1/engines',
  '/admin/v1/engines/hours',
  '/admin/v1/models',
  '/admin/v1/local/models',
  '/admin/v1/processes',
  '/admin/v1/invitations',
  // Groups of what another list has.
  '/admin/v1/keys/usage',
  '/admin/v1/failures/causes',
  '/admin/v1/reconciliation/causes',
  // Of the last day, up to `limit`.
  '/admin/v1/failures',
];

test('lists that grow take `limit` and `after`, as docs/api.md says', () => {
  assert.match(read('docs/api.md'), /Lists that grow take `limit` and `after`/);
  const lists = operations.filter(({ method, data }) => method === 'get' && data?.properties?.items !== undefined);
  const isPaged = ({ operation: { parameters = [] } }: (typeof lists)[number]) =>
    ['limit', 'after'].every((name) => parameters.some((one) => one.name === name));
  assert.ok(lists.filter(isPaged).length > 20);
  assert.deepEqual(
    lists
      .filter((one) => !isPaged(one))
      .map(({ path }) => path)
      .sort(),
    [...SHORT_LISTS].sort(),
  );
});

test('docs/operating.md says where operators see orders of test keys', async () => {
  const [, said = '', metrics = ''] =
    /(Engines, failures.*?includes them)\. Of the metrics,\s(.*?) name the mode/s.exec(read('docs/operating.md')) ?? [];
  assert.equal(
    said.replaceAll(/\s+/g, ' '),
    'Engines, failures and unknown outcomes exclude test keys; `?mode=test` or `?mode=all` includes them',
  );
  const simulate = { outcome: 'outcome_unknown', seconds: 0 } as const;
  await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', simulate });
  for (const list of ['failures', 'failures/causes', 'reconciliation', 'reconciliation/causes'])
    for (const [mode, count] of [
      ['', 0],
      ['?mode=test', 1],
      ['?mode=all', 1],
    ] as const) {
      const { data } = await call(keys.admin, 'GET', `/admin/v1/${list}${mode}`);
      assert.equal((data as { items: unknown[] }).items.length, count, `${list}${mode}`);
    }
  for (const [mode, count] of [
    ['', 0],
    ['?mode=test', 1],
    ['?mode=all', 1],
  ] as const) {
    const { data } = await call(keys.admin, 'GET', `/admin/v1/engines${mode}`);
    assert.equal(data.items.find(({ name }) => name === 'sketch')?.queues.length, count, `engines${mode}`);
  }
  const samples = String((await call(keys.admin, 'GET', '/metrics')).body);
  const withMode = [...samples.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?\{(?:.*,)?mode="/gm)].map(
    ([, name = '']) => name,
  );
  assert.deepEqual(
    [...new Set(withMode)].sort(),
    [...metrics.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort(),
  );
});

/** The data of an answer with an envelope; null = it has none. */
function dataOf(content: Readonly<Record<string, { readonly schema?: JsonSchema }>>): JsonSchema | null {
  const answer = content['application/json']?.schema;
  const { code, data } = (answer === undefined ? {} : resolved(answer).properties) ?? {};
  return code === undefined || data === undefined || Object.keys(content).length > 1 ? null : resolved(data);
}

function resolved(schema: JsonSchema): JsonSchema {
  const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? [];
  const found = document.components.schemas[name];
  return found === undefined ? schema : resolved(found);
}

/** Reads a whole number that a source names, or the product of several. */
function constant(path: string, name: string, sign = ' = '): number {
  const [, product] = new RegExp(`${name}${sign}([\\d_ *]+)[;,} ]`).exec(read(path)) ?? [];
  assert.ok(product !== undefined, `${path} has ${name}`);
  return product
    .split('*')
    .map((factor) => Number(factor.replaceAll('_', '').trim()))
    .reduce((all, factor) => all * factor, 1);
}

function shown(number: number): string {
  return number.toLocaleString('en-US');
}
