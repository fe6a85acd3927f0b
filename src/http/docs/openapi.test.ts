import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const { app } = await openTestHttp(wholeFile);

test('the document is OpenAPI 3.1 at version 1.0.0, and every reference in it leads somewhere', async () => {
  const response = await app.inject('/openapi.json');
  const document = response.json();
  assert.deepEqual([document.openapi.slice(0, 3), document.info.version], ['3.1', '1.0.0']);
  const references = [...response.body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1]!,
  );
  assert.ok(references.length > 10);
  for (const name of references) assert.ok(name in document.components.schemas, name);
  assert.doesNotMatch(response.body, /"\$ref":"(?!#)/);
});

test('every address of the interface is documented', async () => {
  const { components, paths } = (await app.inject('/openapi.json')).json();
  for (const [path, method] of [
    ['/v1/catalog', 'get'],
    ['/v1/models', 'get'],
    ['/v1/models/{model_id}', 'get'],
    ['/v1/prices', 'post'],
    ['/v1/images', 'post'],
    ['/v1/images', 'get'],
    ['/v1/images/{task_id}', 'get'],
    ['/v1/images/{task_id}', 'delete'],
    ['/v1/images/{task_id}/cancel', 'post'],
    ['/v1/images/{task_id}/content', 'get'],
    ['/v1/images/actions', 'post'],
    ['/v1/videos', 'post'],
    ['/v1/videos', 'get'],
    ['/v1/videos/{task_id}', 'get'],
    ['/v1/files', 'post'],
    ['/v1/account', 'get'],
  ] as const)
    assert.ok(paths[path]?.[method]?.summary, `${method} ${path}`);
  assert.deepEqual(paths['/v1/catalog'].get.security, []);
  assert.equal(
    paths['/v1/images'].post.requestBody.content['application/json'].schema.$ref,
    '#/components/schemas/ImageOrder',
  );
  assert.deepEqual(components.schemas.ImageOrder.required, ['model_id']);
});

test('every operation has an id of its own, and a body that may be left out is no required one', async () => {
  const { paths } = (await app.inject('/openapi.json')).json();
  const ids = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((operations) =>
    Object.values(operations).map((operation) => operation.operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ['createImage', 'getImage', 'listVideos', 'cancelImage', 'uploadFile', 'quotePrice', 'getUsage'])
    assert.ok(ids.includes(id), id);
  assert.equal(paths['/v1/images/{task_id}/cancel'].post.requestBody.required, false);
  assert.equal(paths['/v1/images'].post.requestBody.required, true);
  assert.deepEqual(Object.keys(paths['/v1/files'].post.requestBody.content), [
    'multipart/form-data',
    'application/octet-stream',
    'image/*',
    'video/*',
    'audio/*',
  ]);
});

test('the pages load nothing from elsewhere, and may not', async () => {
  for (const url of ['/docs', '/docs/reference/']) {
    const page = await app.inject(url);
    assert.equal(page.statusCode, 200, url);
    assert.doesNotMatch(page.body, /<(?!a\b)[^>]*\s(?:src|href)=["']?(?:https?:)?\/\//, url);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*/);
  }
  assert.equal((await app.inject('/docs/reference/js/scalar.js')).statusCode, 200);
  const data = await app.inject('/v1/catalog');
  assert.equal(data.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
});

test('every operation says how it answers, and every failure is JSON', async () => {
  const { components, paths, tags } = (await app.inject('/openapi.json')).json();
  const named = new Set(tags.map(({ name }: { name: string }) => name));
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, { responses, tags: own }] of Object.entries(operations)) {
      const name = `${method} ${path}`;
      const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      assert.ok(good.length > 0, `${name} has no success`);
      for (const [status, { content }] of good)
        assert.ok(status === '204' || content, `${name} ${status} has no content`);
      const bad = Object.entries(responses).filter(([status]) => /^([45]..|default)$/.test(status));
      assert.ok(bad.length > 0, `${name} has no failure`);
      assert.ok(path === '/healthz' || 'default' in responses, `${name} has no other failure`);
      for (const [status, answer] of bad) {
        const { content, headers } = components.responses[answer.$ref?.split('/').at(-1) ?? ''];
        assert.deepEqual(Object.keys(content), ['application/json'], `${name} ${status}`);
        assert.ok('X-Request-Id' in headers, `${name} ${status}`);
      }
      for (const tag of own) assert.ok(named.has(tag), `${name}: the tag ${tag} is not listed`);
    }
  }
  assert.deepEqual(contentOf(paths['/v1/images/{task_id}/events'].get), ['text/event-stream']);
  assert.deepEqual(contentOf(paths['/v1/events'].get), ['text/event-stream']);
  assert.deepEqual(contentOf(paths['/metrics'].get), ['text/plain']);
});

test('headers have the names of the guide, and files their content types', async () => {
  const { paths } = (await app.inject('/openapi.json')).json();
  const operations = Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods));
  const headers = operations.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === 'header'));
  assert.deepEqual([...new Set(headers.map(({ name }) => name))].sort(), [
    'Darkroom-Simulate',
    'Idempotency-Key',
    'If-None-Match',
    'Last-Event-ID',
    'Prefer',
    'Range',
  ]);
  const types = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)),
  );
  assert.deepEqual(
    types.filter((type) => type.includes('*')),
    [],
  );
  const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];
  assert.deepEqual(contentOf(paths['/v1/images/{task_id}/content'].get), pictures);
  const films = ['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska'];
  assert.deepEqual(contentOf(paths['/v1/videos/{task_id}/content'].get), [...films, 'image/webp']);
});

test('the bodies of creates name every field of the service', async () => {
  const { components, paths } = (await app.inject('/openapi.json')).json();
  for (const [path, name] of [
    ['/v1/images', 'ImageOrder'],
    ['/v1/videos', 'VideoOrder'],
    ['/v1/images/actions', 'ActionOrder'],
  ] as const) {
    const { $ref } = paths[path].post.requestBody.content['application/json'].schema;
    assert.equal($ref, `#/components/schemas/${name}`);
    const { properties } = components.schemas[name];
    for (const field of ['metadata', 'end_user', 'webhook_url', 'max_price', 'simulate'])
      assert.ok(field in properties, `${path} ${field}`);
  }
});

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: object; readonly $ref?: string }>>;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

function contentOf({ responses }: Operation): string[] {
  return Object.keys(responses['200']?.content ?? {});
}

test('other work runs while the document is made', async (t) => {
  const { app } = await openTestHttp(t);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  t.after(() => clearInterval(timer));
  await app.inject('/openapi.json');
  assert.ok(turns > 3, `${turns} turns`);
});
