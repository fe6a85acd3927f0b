import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { openCatalogOverlay } from './helpers/catalog-overlay.ts';
import { loadConfig } from './helpers/load-config.ts';
import { plainEntry } from './helpers/plain-entry.ts';
import { servePicture } from './helpers/serve-picture.ts';
import { startTestService } from './helpers/service.ts';

/** An engine outside this checkout: plain JavaScript that imports nothing of the service. */
const ACME = `
const picture = Buffer.from('PICTURE', 'base64');
let attempts = 0;
export const engine = {
  name: 'acme',
  variables: ['ACME_KEY'],
  create: ({ variables, EngineError }) => ({
    name: 'acme',
    concurrency: 2,
    async start(order) {
      if (attempts++ === 0) throw new EngineError('busy', 'come back', { took: 'no', retryAfterMs: 1 });
      return { operation: { prompt: order.request.values.prompt, key: variables.ACME_KEY } };
    },
    async check(operation) {
      if (operation.key !== 'open sesame') return { status: 'failed', error: { code: 'upstream_auth', message: 'wrong key' } };
      const output = { source: { data: picture }, seed: null, revisedPrompt: operation.prompt + ' by Acme', tiles: null };
      return { status: 'succeeded', delivery: { outputs: [output] } };
    },
  }),
};
`;

async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'own-engines-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const picture = (await smallPicture).toString('base64');
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text.replace('PICTURE', picture));
  return folder;
}

async function start(t: TestContext, files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const models = [
    plainEntry({
      model_id: 'acme-picture',
      routes: [{ engine: 'acme', model: 'a1', parameters: { prompt: 'prompt' } }],
    }),
  ];
  return await startTestService(t, {
    env: {
      DARKROOM_ENGINES_DIR: await folderWith(t, files),
      DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory,
      ...env,
    },
  });
}

test('an engine from a folder outside the checkout makes what is ordered from it', async (t) => {
  const service = await start(t, { 'acme.mjs': ACME, 'README.md': 'Not an engine.' }, { ACME_KEY: 'open sesame' });
  const order = { model_id: 'acme-picture', prompt: 'a fox' };
  const task = await service.make(service.keys.live, '/v1/images', order);
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const [output] = task.outputs;
  assert.deepEqual([output.width, output.height, output.revised_prompt], [48, 32, 'a fox by Acme']);
  assert.deepEqual([task.cost.state, task.cost.amount], ['charged', '0.01']);
  const { data } = await service.call(service.keys.admin, 'GET', '/admin/v1/engines');
  assert.ok(JSON.stringify(data).includes('"acme"'));
});

test('the engine of the page on engines is taken as it is printed, and makes what its address holds', async (t) => {
  const page = await readFile(join(import.meta.dirname, '..', 'packages', 'engines', 'README.md'), 'utf8');
  const [, sample = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? [];
  const files = { 'acme.mjs': sample.replace('https://…', await servePicture(t)) };
  const service = await start(t, files, { ACME_API_KEY: 'secret', DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' });
  const order = { model_id: 'acme-picture', prompt: 'a fox' };
  const task = await service.make(service.keys.live, '/v1/images', order);
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
});

test('an engine whose variable is not set, or whose file is no engine, keeps the service from starting, with the reason', async (t) => {
  const engine = (text: string) => `export const engine = ${text};`;
  const cases = {
    'it needs ACME_KEY, which is not set': ACME,
    'it cannot be loaded: ': 'export const engine = ;',
    'expected an export "engine" with the name "acme" and a function "create"':
      engine(`{ name: 'other', create() {} }`),
    'the engine that "create" returns has no valid "check"': engine(
      `{ name: 'acme', create: () => ({ name: 'acme', concurrency: 1, start() {} }) }`,
    ),
    'the engine that "create" returns has no valid "concurrency"': engine(
      `{ name: 'acme', create: () => ({ name: 'acme', concurrency: 0, start() {}, check() {} }) }`,
    ),
  };
  for (const [reason, text] of Object.entries(cases))
    await assert.rejects(start(t, { 'acme.js': text, 'package.json': '{ "type": "module" }' }), (error: Error) => {
      assert.ok(error.message.includes(`acme.js: ${reason}`), error.message);
      assert.ok(error.message.includes('DARKROOM_ENGINES_DIR'), error.message);
      return true;
    });
});

test('engines of a folder are named as others are: no name twice, and only those that DARKROOM_ENGINES lists are loaded', async (t) => {
  const folder = await folderWith(t, { 'acme.mjs': ACME, 'fal.mjs': ACME, 'zeta.js': 'throw new Error("loaded")' });
  const faultsOf = (environment: Record<string, string>): string => {
    try {
      loadConfig(environment);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  assert.match(faultsOf({ DARKROOM_ENGINES_DIR: folder }), /fal\.mjs: another engine has this name/);
  assert.match(faultsOf({ DARKROOM_ENGINES_DIR: join(folder, 'none') }), /cannot be read/);
  await rm(join(folder, 'fal.mjs'));
  const config = loadConfig({ DARKROOM_ENGINES_DIR: folder, DARKROOM_ENGINES: 'acme', ACME_KEY: 'a' });
  assert.deepEqual(config.ownEngines.files, [{ name: 'acme', path: join(folder, 'acme.mjs') }]);
  assert.deepEqual(config.switchedOn, [{ name: 'acme', variable: 'DARKROOM_ENGINES_DIR' }]);
  assert.match(faultsOf({ DARKROOM_ENGINES_DIR: folder, DARKROOM_ENGINES: 'acne' }), /acme, zeta, found "acne"/);
});
