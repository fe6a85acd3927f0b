import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { solidPng, until } from '@darkroom-service/testing';
import { childEnvironment } from '../../../../test/helpers/child-environment.ts';
import { createPostgresDatabase } from '../../../../test/helpers/postgres-server.ts';
import { runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { openLocalBench } from '../local-bench.ts';

/** A service whose program files are away for a while, as during an upgrade by hand. */

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** What a service runs from besides its packages from elsewhere. */
const PARTS = ['src', 'packages', 'additions', 'catalog', 'docs', 'console/dist', 'clients/dist', 'package.json'];
const OWN_PACKAGES = '@darkroom-service';
/** What these answer lies in files that are read, or in parts that are loaded, when somebody first asks. */
const PAGES = [
  '/docs',
  '/docs/webhooks',
  '/docs/webhooks/receiver.ts',
  '/clients/',
  '/openapi.json',
  '/',
  '/v1/models',
  '/v1/account/usage?group_by=model_id',
  '/v1/images?search=fox',
  '/metrics',
];

/** Copies the installation. Packages from elsewhere are linked. */
async function copyProgram(t: TestContext): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'darkroom-program-')));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  for (const part of PARTS) await cp(join(ROOT, part), join(root, part), { recursive: true, verbatimSymlinks: true });
  const modules = join(ROOT, 'node_modules');
  await mkdir(join(root, 'node_modules'));
  for (const name of await readdir(modules))
    if (name === OWN_PACKAGES)
      await cp(join(modules, name), join(root, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
    else await symlink(join(modules, name), join(root, 'node_modules', name));
  return root;
}

/** Starts the service of a copy, and waits until it is ready. @param settings further variables, as of a database */
async function serve(t: TestContext, root: string, settings: Readonly<Record<string, string>> = {}) {
  const data = join(root, 'data');
  const variables = { DARKROOM_DATA_DIR: data, ...settings };
  const url = `http://127.0.0.1:${await freePort()}`;
  const service = spawn(process.execPath, [join(root, 'src', 'main.ts'), 'serve'], {
    cwd: root,
    // Without the hook of test runs, which leads imports of packages to those of this checkout.
    env: { ...childEnvironment(), NODE_OPTIONS: '', ...variables, DARKROOM_PORT: new URL(url).port },
    stdio: 'ignore',
  });
  t.after(async () => {
    service.kill('SIGKILL');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
  });
  await until(
    async () => await fetch(`${url}/readyz`).catch(() => null),
    (response) => response?.ok === true,
  );
  const keys: Record<string, string> = {};
  for (const mode of ['test', 'live', 'admin'])
    keys[mode] = (await runDarkroom(['keys', 'create', '--mode', mode, '--plain'], variables, root)).stdout.trim();
  return async (path: string, options: { readonly key?: string; readonly body?: object | Buffer } = {}) => {
    const { key = 'test', body } = options;
    const isFile = body instanceof Buffer;
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${keys[key]}`,
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  };
}

test('while its program files are away, a service blames nobody, names no path, and makes its orders once they are back', async (t) => {
  const root = await copyProgram(t);
  const ask = await serve(t, root);
  const away = join(root, 'away');
  await mkdir(away);
  const parts = ['src', 'packages', 'additions', 'catalog', 'docs', 'console', 'clients', 'node_modules'];
  for (const part of parts) await rename(join(root, part), join(away, part));

  const png = solidPng({ width: 8, height: 8, value: 1 });
  const upload = await ask('/v1/files', { body: png });
  // A media process of the start, which has loaded what it needs, may still be there.
  const isExamined = upload.status === 201;
  assert.ok(isExamined || (upload.status === 503 && upload.retryAfter !== null), upload.text);
  const picture = `data:image/png;base64,${png.toString('base64')}`;
  const withPicture = await ask('/v1/images', { body: { model_id: 'sketch', prompt: 'a fox', image_urls: [picture] } });
  assert.ok(withPicture.status === 503 || (isExamined && withPicture.status === 201), withPicture.text);
  const ordered = await ask('/v1/images', { body: { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' } });
  assert.equal(ordered.status, 201, ordered.text);
  const { urls } = JSON.parse(ordered.text).data;
  const task = async () => JSON.parse((await ask(new URL(urls.self).pathname)).text).data;
  const pages = [];
  for (const path of PAGES) {
    const key = path === '/metrics' ? 'admin' : 'test';
    pages.push({ path, key, ...(await ask(path, { key })) });
  }
  assert.deepEqual(
    pages.filter(({ status }) => ![200, 503].includes(status)).map(({ path, status, text }) => [path, status, text]),
    [],
  );
  for (const { text } of [upload, withPicture, ordered, ...pages]) assert.ok(!text.includes(root), text);
  assert.ok(['queued', 'processing'].includes((await task()).status));

  for (const part of parts) await rename(join(away, part), join(root, part));
  const made = await until(task, ({ status }) => status !== 'queued' && status !== 'processing');
  assert.deepEqual([made.status, made.error], ['succeeded', null]);
  for (const { path, key } of pages) assert.equal((await ask(path, { key })).status, 200, path);
  assert.equal((await ask('/v1/files', { body: png })).status, 201);
});

test('a search whose part of the program is replaced just then is refused for now, and made once the part is whole', async (t) => {
  const root = await copyProgram(t);
  const ask = await serve(t, root, { DARKROOM_DATABASE_URL: await createPostgresDatabase(t) });
  const part = join(root, 'packages/store/src/postgres-reports.ts');
  const whole = await readFile(part, 'utf8');
  await writeFile(part, `${whole}\nexport const {`);
  const refused = await ask('/v1/images?search=fox');
  assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [503, 'service_unavailable']);
  assert.ok(refused.retryAfter !== null && !refused.text.includes(root), refused.text);
  await writeFile(part, whole);
  const found = await ask('/v1/images?search=fox');
  assert.equal(found.status, 200, found.text);
});

test('an order of a local model waits while the program that runs its server is away, and does not fail', async (t) => {
  const root = await copyProgram(t);
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const ask = await serve(t, root, bench.env);
  const keeper = join(root, 'additions/local/src/servers/keeper.ts');
  const whole = await readFile(keeper, 'utf8');
  const starts = join(root, 'starts');
  await writeFile(starts, '');
  const counted = `(await import('node:fs')).appendFileSync(${JSON.stringify(starts)}, '.')`;
  await writeFile(keeper, `${counted};\nawait import('../../../../test/none.ts');\nexport {};\n`);
  const ordered = await ask('/v1/images', { key: 'live', body: { model_id: 'local-fox', prompt: 'a fox' } });
  assert.equal(ordered.status, 201, ordered.text);
  const { urls } = JSON.parse(ordered.text).data;
  const task = async () => JSON.parse((await ask(new URL(urls.self).pathname, { key: 'live' })).text).data;
  // The orders of a server that could not be loaded three times are refused.
  await until(
    () => readFile(starts, 'utf8'),
    ({ length }) => length > 3,
  );
  const waiting = await task();
  assert.ok(['queued', 'processing'].includes(waiting.status), JSON.stringify(waiting.error));
  assert.deepEqual(await fox.happened(), []);
  await writeFile(keeper, whole);
  const made = await until(task, ({ status }) => status !== 'queued' && status !== 'processing');
  assert.deepEqual([made.status, made.error], ['succeeded', null]);
});
