import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { startTestService, type TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { BYTECODE, openPython, type Printed } from './python.ts';

/** The programs of docs/frameworks.md, run as printed. */

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/frameworks.md'), 'utf8');
const FASTAPI_PACKAGES = ['fastapi==0.120.0', 'uvicorn==0.38.0', 'httpx==0.28.1'];
const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });

type Ask = (method: 'GET' | 'POST', path: string) => Promise<Response>;

/** The programs of a section. */
function programsOf(title: string): readonly string[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^```(?:ts|python)\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/** A page orders with one key, twice, and asks until the image is made. */
async function assertOneOrder(ask: Ask, { url, call }: TestService, key: string): Promise<void> {
  const answers = [await ask('POST', '/images'), await ask('POST', '/images')];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  );
  const [first, second] = await Promise.all(answers.map((answer): Promise<Printed> => answer.json()));
  assert.equal(first.id, second.id);
  const made = await until(
    async (): Promise<Printed> => (await ask('GET', `/images/${first.id}`)).json(),
    ({ status }) => status === 'succeeded',
  );
  assert.ok(made.url.startsWith(url));
  assert.equal((await fetch(made.url)).headers.get('content-type'), 'image/png');
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 1);
}

async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-framework-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'node_modules/@darkroom'), { recursive: true });
  await symlink(join(ROOT, 'clients/typescript'), join(folder, 'node_modules/@darkroom/client'));
  for (const name of ['express', 'hono', '@hono'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
  return folder;
}

/** Starts a program that listens on a port. */
async function serve(t: TestContext, command: string, words: readonly string[], cwd: string, key: string) {
  const port = await freePort();
  const variables = { DARKROOM_URL: service.url, DARKROOM_API_KEY: key, PORT: String(port), ...BYTECODE };
  const env = { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/src'), ...variables };
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  t.after(() => child.kill());
  const address = `http://127.0.0.1:${port}`;
  const isThere = () =>
    fetch(`${address}/`).then(
      () => true,
      () => child.exitCode !== null,
    );
  await until(isThere, (there) => there);
  assert.equal(child.exitCode, null, 'the program runs');
  const ask: Ask = (method, path) => fetch(`${address}${path}`, { method, ...(method === 'POST' ? ORDER : {}) });
  return ask;
}

const ORDER = {
  headers: { 'content-type': 'application/json', 'idempotency-key': 'from-the-page' },
  body: JSON.stringify({ prompt: 'a red fox in the snow' }),
};

async function ownKey(): Promise<string> {
  return (await service.issueKey({ mode: 'test', accountId: await service.createAccount(null) })).key;
}

for (const title of ['Express', 'Hono'])
  test(`the program for ${title} runs as printed, and a repeated request orders once`, async (t) => {
    const [code = ''] = programsOf(title);
    const key = await ownKey();
    const ask = await serve(t, process.execPath, ['server.ts'], await folderWith(t, { 'server.ts': code }), key);
    await assertOneOrder(ask, service, key);
  });

test('the program for FastAPI runs as printed, and a repeated request orders once', async (t) => {
  const [code = ''] = programsOf('FastAPI');
  const key = await ownKey();
  const { path } = await openPython(FASTAPI_PACKAGES);
  const ask = await serve(t, path, ['server.py'], await folderWith(t, { 'server.py': code }), key);
  await assertOneOrder(ask, service, key);
});

test('the handlers for Next, called as Next calls them, order once', async (t) => {
  const [create = '', read = ''] = programsOf('Next');
  const folder = await folderWith(t, { 'create.ts': create, 'read.ts': read });
  const key = await ownKey();
  t.mock.property(process, 'env', { ...process.env, DARKROOM_URL: service.url, DARKROOM_API_KEY: key });
  const [{ POST }, { GET }] = await Promise.all([import(join(folder, 'create.ts')), import(join(folder, 'read.ts'))]);
  const ask: Ask = async (method, path) => {
    if (method === 'POST') return await POST(new Request('http://here/images', { method, ...ORDER }));
    return await GET(new Request(`http://here${path}`), { params: Promise.resolve({ id: path.split('/')[2] }) });
  };
  await assertOneOrder(ask, service, key);
});
