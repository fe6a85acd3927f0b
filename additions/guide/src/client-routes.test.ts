import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { isUnchanged } from '../../../src/http/bodies/packed.ts';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { CLIENTS_MARK, findGuide } from './built-guide.ts';
import { clientRoutes } from './client-routes.ts';

const guide = { text: async () => `<h1>Clients</h1>${CLIENTS_MARK}` };

async function serve(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-clients-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  clientRoutes(app, (_request, _reply, done) => done(), {
    answers: { isUnchanged },
    guide,
    publicUrlFor: () => 'https://pictures.example.com/dr',
    folder,
  });
  return app;
}

test('the service lists its clients with the command that installs each, and serves them', async (t) => {
  const app = await serve(t, {
    'one-1.0.0.tgz': 'packed',
    'two-1.0.0-py3-none-any.whl': 'wheel',
    'nodes.py': 'print()',
    'notes.txt': 'no',
    'darkroom-ai-sdk-provider-1.0.0.tgz': 'provider',
  });
  const { body, statusCode } = await app.inject('/clients/');
  assert.equal(statusCode, 200);
  assert.ok(body.includes('npm install https://pictures.example.com/dr/clients/one-1.0.0.tgz'));
  assert.ok(body.includes('pip install https://pictures.example.com/dr/clients/two-1.0.0-py3-none-any.whl'));
  assert.ok(body.includes('/clients/darkroom-ai-sdk-provider-1.0.0.tgz ai@7 zod</code>'));
  assert.ok(body.includes('Node 20') && body.includes('Python 3.10'));
  assert.ok(body.includes('curl -sSO https://pictures.example.com/dr/clients/nodes.py'));
  assert.ok(!body.includes('notes.txt'));
  const file = await app.inject({ url: '/clients/one-1.0.0.tgz', headers: { 'accept-encoding': 'br, gzip' } });
  assert.deepEqual(
    [file.statusCode, file.body, file.headers['content-type'], file.headers['content-encoding']],
    [200, 'packed', 'application/gzip', undefined],
  );
  const again = await app.inject({
    url: '/clients/one-1.0.0.tgz',
    headers: { 'if-none-match': String(file.headers.etag) },
  });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});

test('only packed clients are served, and nothing outside their folder', async (t) => {
  const app = await serve(t, { 'one-1.0.0.tgz': 'packed', 'notes.txt': 'no' });
  for (const path of ['notes.txt', 'two.tgz', '..%2fone-1.0.0.tgz', '%2e%2e', 'one-1.0.0.tgz%00'])
    assert.equal((await app.inject(`/clients/${path}`)).statusCode, 404, path);
});

test('a service without packed clients says how they are packed', async () => {
  const folder = join(tmpdir(), 'darkroom-without-clients');
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  clientRoutes(app, (_request, _reply, done) => done(), {
    answers: { isUnchanged },
    guide,
    publicUrlFor: () => 'http://here',
    folder,
  });
  assert.match((await app.inject('/clients/')).body, /npm run pack:clients/);
});

test('a service without a built guide says how it is built', async () => {
  assert.equal(findGuide(join(tmpdir(), 'darkroom-without-guide')), null);
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  clientRoutes(app, (_request, _reply, done) => done(), {
    answers: { isUnchanged },
    guide: null,
    publicUrlFor: () => 'http://here',
  });
  assert.match((await app.inject('/clients/')).body, /The guide is not built.*npm run prepare/s);
});

test('the page of clients has the policy of the guide, and a file that is not there is an error of the interface', async (t) => {
  const { app } = await openTestHttp(t);
  const page = await app.inject('/clients/');
  assert.equal(page.statusCode, 200);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  const missing = await app.inject('/clients/nothing.tgz');
  assert.deepEqual([missing.statusCode, missing.json().error.code], [404, 'not_found']);
});
