import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
/** The machine's own Node, which may be older than the one that runs the tests. */
const SYSTEM_NODE = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath;
const PROGRAM = `
import { Darkroom, isDarkroomError } from '@darkroom/client';
const client = new Darkroom();
const fox = await client.images.generate({ model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' });
await fox.save('fox.png');
const error = await client.images.create({ model_id: 'sketch' }).catch((thrown) => thrown);
console.log(JSON.stringify({ node: process.versions.node, bytes: fox.output.bytes, refused: isDarkroomError(error, 'missing_prompt') }));
`;
const PROVIDER_PROGRAM = `
import { darkroom } from '@darkroom/ai-sdk-provider';
import { generateImage } from 'ai';
const providerOptions = { darkroom: { resolution: '0.5K' } };
const { image, providerMetadata } = await generateImage({ model: darkroom.image('sketch'), prompt: 'a red fox', providerOptions });
console.log(image.mediaType, providerMetadata.darkroom.images[0].taskId);
`;
const TYPED_PROGRAM = `
import { Darkroom, type Task } from '@darkroom/client';
import type { Models } from './darkroom-models.ts';
const client = new Darkroom<Models>();
export const task: Promise<Task> = client.images.create({ model_id: 'sketch', prompt: 'a fox', resolution: '1K' }).then((one) => one.task);
// @ts-expect-error the catalog of the service does not have this value
export const refused = client.images.create({ model_id: 'sketch', prompt: 'a fox', resolution: '9K' });
`;

const service = await startTestService(wholeFile);
const folder = await mkdtemp(join(tmpdir(), 'darkroom-packed-'));
wholeFile.after(() => rm(folder, { recursive: true, force: true }));
await run(process.execPath, [join(ROOT, 'packaging/pack-clients.ts'), folder], { env: environment() });
const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
const [client, provider] = ['client', 'provider'].map(
  (part) => packed.find((name) => name.includes(part)) ?? assert.fail(),
);
await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, client ?? '')], {
  cwd: folder,
  env: environment(),
});

test('the packed client has no dependency and orders, waits and saves under the Node of the machine', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@darkroom/client/package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  await writeFile(join(folder, 'order.js'), PROGRAM);
  const env = { ...environment(), DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
  const { stdout } = await run(SYSTEM_NODE, ['order.js'], { cwd: folder, env });
  const said = JSON.parse(stdout);
  assert.equal((await stat(join(folder, 'fox.png'))).size, said.bytes);
  assert.equal(said.refused, true);
  assert.ok(Number(said.node.split('.')[0]) >= 20, said.node);
});

test('darkroom-types writes the models of a running service, and the compiler checks orders with them', async () => {
  const command = join(folder, 'node_modules/.bin/darkroom-types');
  const env = { ...environment(), DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
  const { stdout } = await run(SYSTEM_NODE, [command], { cwd: folder, env });
  assert.match(stdout, /^darkroom-models\.ts: \d+ models\n$/);
  await writeFile(join(folder, 'typed.ts'), TYPED_PROGRAM);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  for (const lib of [
    ['--lib', 'esnext,dom,dom.iterable'],
    ['--lib', 'es2022,dom', '--exactOptionalPropertyTypes'],
  ])
    await run(process.execPath, [compiler, ...options, ...lib, 'typed.ts'], { cwd: folder });
});

test('the packed provider of the AI SDK holds the client that it needs, and orders alone', async (t) => {
  const alone = await mkdtemp(join(tmpdir(), 'darkroom-provider-'));
  t.after(() => rm(alone, { recursive: true, force: true }));
  const target = join(alone, 'node_modules/@darkroom/ai-sdk-provider');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, provider ?? ''), '--strip-components=1', '-C', target]);
  // Its dependencies come from this checkout, so that the test needs no registry.
  for (const name of ['ai', '@ai-sdk', 'zod'])
    await symlink(join(ROOT, 'node_modules', name), join(alone, 'node_modules', name));
  const { dependencies, bundleDependencies, peerDependencies } = JSON.parse(
    await readFile(join(target, 'package.json'), 'utf8'),
  );
  assert.deepEqual(Object.keys(peerDependencies), ['ai', 'zod']);
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => name.startsWith('@darkroom/')),
    bundleDependencies,
  );
  await writeFile(join(alone, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(alone, 'provider.js'), PROVIDER_PROGRAM);
  const env = { ...environment(), DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
  const { stdout } = await run(process.execPath, ['provider.js'], { cwd: alone, env });
  assert.match(stdout, /^image\/png img_\w+\n$/);
});

/** Without what npm and the test runner set for this process. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|NODE_COMPILE_CACHE$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
