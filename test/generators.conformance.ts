import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { startTestService } from './helpers/service.ts';

const run = promisify(execFile);
/** The tools import packages of their own, not those of the tests, and the machine's Node may be older. */
const MACHINE = { ...process.env, NODE_OPTIONS: '' };
const TOOLS = {
  redocly: ['@redocly', 'cli', 'bin', 'cli.js'],
  spectral: ['@stoplight', 'spectral-cli', 'dist', 'index.js'],
  heyApi: ['@hey-api', 'openapi-ts', 'bin', 'run.js'],
  orval: ['orval', 'dist', 'bin', 'orval.js'],
  compiler: ['typescript', 'bin', 'tsc'],
} as const;
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

test('linters find nothing in the document, and generated clients compile and work', async (t) => {
  const service = await startTestService(t);
  const directory = await install(t);
  const { body } = await service.call(null, 'GET', '/openapi.json');
  await writeFile(join(directory, 'openapi.json'), JSON.stringify(body));
  const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#367' } })
    .png()
    .toBuffer();
  const env = {
    ...MACHINE,
    REDOCLY_TELEMETRY: 'off',
    DARKROOM_URL: service.url,
    DARKROOM_API_KEY: service.keys.test,
    PICTURE: `data:image/png;base64,${picture.toString('base64')}`,
  };
  const node = async (file: string, ...words: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [file, ...words], { cwd: directory, env }).catch((error) => {
      throw new Error(`${file} ${words.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    });
    return `${stdout}\n${stderr}`;
  };
  const use = (tool: keyof typeof TOOLS, ...words: string[]) =>
    node(join(directory, 'node_modules', ...TOOLS[tool]), ...words);

  await t.test('redocly', async () => {
    assert.doesNotMatch(await use('redocly', 'lint', 'openapi.json', '--config', 'redocly.yaml'), /warning|error/i);
  });
  await t.test('spectral', async () => {
    await use('spectral', 'lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint');
  });
  await t.test('both generators generate, and what they generate compiles under strict', async () => {
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
    await use('heyApi', '-i', 'openapi.json', '-o', 'hey-api', '-p', ...plugins);
    await use('orval', '--config', 'orval.config.cjs');
    await use('compiler', '-p', '.');
  });
  await t.test('oapi-codegen generates Go by its own options, and it compiles', { skip: await lacksGo() }, async () => {
    const folder = join(directory, 'go');
    await mkdir(folder);
    const go = (...words: string[]) => run('go', words, { cwd: folder, env: { ...MACHINE, GOFLAGS: '-mod=mod' } });
    await go('mod', 'init', 'darkroom');
    await go('get', '-tool', OAPI_CODEGEN);
    await writeFile(join(folder, 'main.go'), 'package main\n\nfunc main() {}\n');
    const made = ['-generate', 'types,client', '-package', 'main', '-o', 'darkroom.go'];
    await go('tool', 'oapi-codegen', ...made, join('..', 'openapi.json'));
    await go('mod', 'tidy');
    await go('build', './...');
  });
  for (const name of ['hey-api', 'orval'])
    await t.test(`the client of ${name} works`, async () => {
      await node(join(directory, 'compiled', `use-${name}.js`));
    });
});

async function lacksGo(): Promise<false | string> {
  return await run('go', ['version']).then(
    () => false,
    () => 'needs Go',
  );
}

/** The tools need an older compiler than this project, so they have a folder of their own. */
async function install(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-generators-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, 'generators'), directory, { recursive: true });
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory, env: MACHINE });
  return directory;
}
