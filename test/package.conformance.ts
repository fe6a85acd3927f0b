import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
/** What `npm pack` reads. The console is built anew, in the copy: this checkout's may be in use. */
const SOURCES = ['bin', 'catalog', 'docs', 'packaging', 'src', 'package.json', 'tsconfig.json', 'README.md', 'LICENSE'];

test('a package that is installed in an empty folder holds the console and the guide, starts, and makes a picture', async (t) => {
  const folder = await installPackage(t);
  const url = await startInstalled(t, folder);

  const page = await (await fetch(url)).text();
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
  for (const path of [script, 'docs', 'docs/reference/', 'docs/reference/js/scalar.js', 'openapi.json'])
    assert.equal((await fetch(new URL(path, `${url}/`))).status, 200, path);

  const { stdout: key } = await darkroom(folder, ['keys', 'create', '--mode', 'test', '--plain']);
  const file = join(folder, 'fox.png');
  const words = ['image', 'a red fox in the snow at dawn', '-m', 'sketch', '-o', file];
  await darkroom(folder, words, { DARKROOM_URL: url, DARKROOM_API_KEY: key.trim() });
  const { format, width, height } = await sharp(file).metadata();
  assert.deepEqual([format, width, height], ['png', 1024, 1024]);
});

/** Packs a copy of this checkout and installs the tarball without development dependencies. Needs the npm registry. */
async function installPackage(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-package-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const [copy, folder] = [join(directory, 'checkout'), join(directory, 'installed')];
  for (const name of SOURCES) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  const isSource = (path: string) => !/[\\/](?:dist|node_modules)$/.test(path);
  await cp(join(ROOT, 'console'), join(copy, 'console'), { recursive: true, filter: isSource });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', directory], { cwd: copy, env: environment(), maxBuffer: 2 ** 24 });
  const { name, version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  const tarball = join(directory, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, tarball], { cwd: folder, env: environment(), maxBuffer: 2 ** 24 });
  return folder;
}

/** Starts the service of the package. @returns its address, once it answers there. */
async function startInstalled(t: TestContext, folder: string): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [program(folder), 'serve'], {
    cwd: folder,
    env: { ...environment(), DARKROOM_PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const lines = createInterface(child.stdout);
  for await (const [line] of on(lines, 'line', { close: ['close'] }))
    if (line.includes(`listens on ${url}`)) return url;
  return assert.fail('the service ended before it listened');
}

async function darkroom(folder: string, words: readonly string[], variables: Record<string, string> = {}) {
  return await run(process.execPath, [program(folder), ...words], {
    cwd: folder,
    env: { ...environment(), ...variables },
  });
}

function program(folder: string): string {
  return join(folder, 'node_modules', '.bin', 'darkroom');
}

/** Without what npm and the test runner set for this process. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|PORT$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
