import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import sharp from 'sharp';
import { readProviders } from '../src/additions/data-rules/provider-facts.ts';
import { ADDITIONS } from '../src/additions/list.ts';
import { loadCatalog } from '../src/catalog/catalog.ts';
import { createProgram } from '../src/cli/command-line.ts';
import { addServiceCommands } from '../src/cli/operator-commands.ts';
import { loadConfig } from './helpers/load-config.ts';

/**
 * Samples of the pages that no other test runs: indented blocks, and fenced ones of JSON and of the packages. Commands
 * are parsed as a shell would hand them over; `advice-runs.test.ts`, `documents.test.ts` and `guide-examples.test.ts`
 * carry out those that a reader meets first.
 */

const ROOT = join(import.meta.dirname, '..');
const TASK = 'img_01kafx2r5gq3v8m1t0z6y4n7wd';
const PAGES = globSync(
  ['*.md', 'docs/*.md', 'deploy/README.md', 'deploy/cells/README.md', 'catalog/README.md', 'packages/*/README.md'],
  { cwd: ROOT },
).filter((path) => path !== 'CHANGELOG.md');

interface Sample {
  readonly page: string;
  readonly text: string;
}

/** Blocks that cannot be run here, by a text in them, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'docker build': 'needs Docker',
  'docker compose': 'needs Docker',
  kubectl: 'needs Kubernetes',
  useradd: 'needs root and systemd; test/deploy.test.ts reads the unit',
  'systemctl enable --now darkroom-': 'needs systemd; test/deploy-tools.test.ts lets it verify the units',
  'createdb drill': 'needs a backup of a bucket',
  'map $http_authorization': 'needs NGINX; test/crash/cells.test.ts runs its rules in HAProxy',
  synchronous_mode: 'settings of Patroni',
  citus_schema_move: 'needs Citus: npm run test:citus',
  'data/darkroom.db*': 'a list of files',
  'POST /hooks/darkroom': 'a message: test/webhook-receivers.test.ts checks its signature',
  exiftool: 'needs exiftool and c2pa: test/marks.conformance.ts',
  'npm install': 'test/clients-page.test.ts and test/package.conformance.ts install the packages',
  'pip install': 'test/clients-page.test.ts installs the packages',
  'npx darkroom-types': 'test/client-types.test.ts writes such a file',
  "from './darkroom-models.ts'": 'test/client-types.test.ts imports such a file',
  'npm ci': 'documents.test.ts starts a checkout; a local model has several GB',
  'base URL': 'no command',
  IMAGE_GEN_OAI_API_KEY: 'settings of another program',
  'darkroom backup …   →': 'the order of steps, each of which has its section',
};

/** The tools and the order that the sample of an adapter takes as given, with a fake of its upstream. */
const FOR_AN_ENGINE = `
import { systemClock as clock } from '@darkroom-service/contract';
import { openFakeRecraft } from '@darkroom-service/engines/fakes';
import { inProcessPictures as pictures, silentLog as log } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
const fake = await openFakeRecraft();
const { key } = fake;
const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
const route = { engine: 'recraft', model: 'recraftv4_1', parameters: { prompt: 'prompt' }, fixed: { n: 1 } };
const output = { format: 'png', width: 48, height: 32, durationSeconds: null, fps: null, audio: false, tiles: null };
const values = { prompt: 'a fox' };
const request = { modelId: 'fox', type: 'image', action: null, values, derived: {}, output, media: [] };
const order = { taskId: 'one', mode: 'live', request, route, simulate: null, testMark: false, media: [], parent: null };
const context = { signal: AbortSignal.timeout(60_000), onProgress() {} };`;

/** The pages and languages of fenced samples, by the test that runs them; those of `here` are run below. */
const FENCED: Readonly<Record<string, readonly string[]>> = {
  here: [
    'docs/engines.md json',
    'docs/local.md json',
    'docs/mcp.md json',
    'docs/operating.md js',
    'docs/operating.md json',
    'packages/contract/README.md ts',
    'packages/engines/README.md ts',
    'packages/files/README.md ts',
    'packages/illustrator/README.md ts',
    'packages/media/README.md ts',
    'packages/store/README.md ts',
  ],
  'test/documents.test.ts': ['README.md bash', 'docs/additions.md bash'],
  'test/guide-examples.test.ts': [
    'docs/api.md http',
    'docs/api.md sh',
    'docs/SKILL.md sh',
    'docs/webhooks.md http',
    'docs/webhooks.md bash',
  ],
  'test/clients/documented-samples.test.ts': [
    'docs/cli.md jsonl',
    'docs/cli.md sh',
    'docs/client-python.md python',
    'docs/coming-from.md python',
    'docs/coming-from.md ts',
    'docs/coming-from.md yaml',
    'docs/replicate.md python',
    'docs/replicate.md ts',
  ],
  'test/clients/typescript/samples.test.ts': ['docs/client-typescript.md ts', 'docs/openai.md ts'],
  'test/clients/frameworks.test.ts': ['docs/frameworks.md ts', 'docs/frameworks.md python'],
  'test/clients/gemini/gemini.test.ts': ['docs/gemini.md python'],
  'test/clients/receipts.test.ts': ['docs/receipts.md python', 'docs/receipts.md ts'],
  'additions/mcp/test/access.test.ts': ['docs/mcp.md sh'],
  'test/own-engine.test.ts': ['packages/engines/README.md js'],
  'drawings, which a program writes': ['docs/architecture.md mermaid', 'docs/lifecycle.md mermaid'],
  'shapes of answers': ['docs/api.md json', 'docs/errors.md json'],
  'bodies of orders, which additions/tools/test places': ['docs/tools.md json'],
};

const samples = PAGES.flatMap(indentedIn);
const isListed = ({ text }: Sample) => Object.keys(NOT_RUN).some((part) => text.includes(part));
const isCommand = ({ text }: Sample) => /^(?!\{).*\bdarkroom /m.test(text);
const isSettings = ({ text }: Sample) => /^[A-Z_]+=\S/.test(text) && !text.includes('darkroom serve');
const isJson = ({ text }: Sample) => /^[{"]/.test(text);

test('every indented sample is run, parsed, or listed here with the reason', () => {
  assert.ok(samples.length > 45, `${samples.length} samples`);
  const unknown = samples.filter((one) => ![isListed, isCommand, isSettings, isJson].some((kind) => kind(one)));
  assert.deepEqual(unknown, []);
  const texts = samples.map(({ text }) => text);
  assert.deepEqual(
    Object.keys(NOT_RUN).filter((part) => !texts.some((text) => text.includes(part))),
    [],
  );
});

test('every fenced sample is of a page and a language that a test runs or reads', () => {
  const found = new Set(
    PAGES.flatMap((page) => {
      const fences = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*).*\n(?:.*\n)*?```$/gm);
      return [...fences].map(([, language = '']) => `${page} ${language}`.trim());
    }),
  );
  assert.deepEqual([...found].sort(), Object.values(FENCED).flat().sort());
});

test('every command of the pages is one that the program takes, with its arguments, options and values', async () => {
  const lines = samples
    .filter((one) => !isListed(one) && isCommand(one))
    .flatMap(({ page, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .flatMap((line) => {
          const [, words] = /\bdarkroom ((?:-- )?[a-z].*)$/.exec(line.replace(/\)$/, '')) ?? [];
          return words === undefined ? [] : [{ page, words: wordsOf(words) }];
        }),
    );
  assert.ok(lines.length > 90, `${lines.length} commands`);
  const refused: string[] = [];
  for (const { page, words } of lines) {
    const program = createProgram(ADDITIONS, true, addServiceCommands);
    withoutActions(program);
    await program.parseAsync(words, { from: 'user' }).catch((error: Error) => {
      refused.push(`${page}: ${words.join(' ')}: ${error.message}`);
    });
  }
  assert.deepEqual(refused, []);
});

/** Sections of docs/cli.md, and whether their commands call the service. */
const CALLS_THE_SERVICE = {
  'Manage keys, accounts and backups': false,
  'Order and download': true,
  'Receive webhooks on your own machine': true,
};
/** Commands that ask another machine, or need a folder of a batch, before they read where the service is. */
const READS_LATER = ['migrate', 'batch -o out --cancel'];

test('the commands that docs/cli.md shows for a running service read its address, and those for its data do not', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-sample-'));
  t.after(() => rm(directory, { recursive: true }));
  t.mock.property(process, 'env', {
    ...process.env,
    DARKROOM_URL: 'nowhere',
    DARKROOM_DATA_DIR: join(directory, 'none'),
  });
  await Promise.all(['fox.png', 'erasures.jsonl'].map((name) => writeFile(join(directory, name), '')));
  const there = (line: string) => line.replace(/^(whence|privacy repeat) /, `$1 ${directory}/`);
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const parts = page.split(/^## /m).map((part) => part.split('\n### ')[0] ?? '');
  for (const [title, calls] of Object.entries(CALLS_THE_SERVICE)) {
    const lines = [...(parts.find((part) => part.startsWith(title)) ?? '').matchAll(/^ {4}darkroom (.+)$/gm)];
    assert.ok(lines.length >= 3, title);
    for (const [, line = ''] of lines) {
      const words = wordsOf(there(line));
      if (READS_LATER.some((one) => words.join(' ').startsWith(one))) continue;
      const said = await createProgram(ADDITIONS, true, addServiceCommands)
        .parseAsync(words, { from: 'user' })
        .then(() => '', String);
      assert.equal(said.includes('DARKROOM_URL'), calls, `${line}: ${said}`);
    }
  }
});

test('every sample of settings is accepted', () => {
  const settings = samples.filter((one) => !isListed(one) && isSettings(one));
  assert.ok(settings.length >= 4, `${settings.length} samples`);
  for (const { page, text } of settings) {
    const pairs = text.split('\n').map((line) => line.trim().replace('…', 'secret0123456789').split(/=(.*)/s));
    const values = Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
    assert.doesNotThrow(() => loadConfig({ DARKROOM_PUBLIC_URL: 'https://pictures.example.com', ...values }), page);
  }
});

test('every sample of JSON can be read, and those of the catalog make an entry', async (t) => {
  const indented = samples.filter((one) => !isListed(one) && isJson(one));
  const fenced = ['docs/engines.md', 'docs/local.md', 'docs/mcp.md', 'docs/operating.md'].flatMap((page) =>
    fencedIn(page, 'json'),
  );
  for (const { page, text } of [...indented, ...fenced])
    assert.doesNotThrow(() => parseSample(text), `${page}: ${text}`);
  assert.ok(indented.length >= 7 && fenced.length >= 6, `${indented.length}, ${fenced.length}`);

  const directory = await mkdtemp(join(tmpdir(), 'darkroom-sample-'));
  t.after(() => rm(directory, { recursive: true }));
  const [sample, batch] = indented
    .filter(({ page }) => page === 'docs/catalog.md')
    .map(({ text }) => parseSample(text));
  const [model] = sample.models;
  const models = [model, { ...model, ...batch, model_id: 'example-batch' }];
  await writeFile(join(directory, 'own.json'), JSON.stringify({ ...sample, models }));
  const { models: loaded } = await loadCatalog({ directories: [join(ROOT, 'catalog'), directory] });
  assert.ok(['example-pro', 'example-batch'].every((id) => loaded.some(({ model_id }) => model_id === id)));

  const [providers, engines] = fencedIn('docs/engines.md', 'json');
  const own = join(directory, 'providers');
  await mkdir(own);
  await writeFile(join(own, 'data-treatment.json'), providers?.text ?? '');
  assert.deepEqual((await readProviders([own])).get('vertex-eu')?.country, ['NL']);
  await writeFile(join(directory, 'engines.json'), engines?.text ?? '');
  const variables = { DARKROOM_ENGINES_FILE: 'engines.json', FAL_KEY: 'a:b', FAL_EU_KEY: 'c:d', AZURE_KEY: 'e' };
  assert.equal(loadConfig(variables, { directory }).engineInstances.length, 5);
  for (const { text } of fencedIn('docs/mcp.md', 'json'))
    assert.match(text, /"args": \["mcp"\]|"url": "https:\/\/pictures\.example\.com\/mcp"/);
});

test('the samples of the packages, and of a program around the service, run', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-sample-'));
  t.after(() => rm(directory, { recursive: true }));
  const picture = join(directory, 'picture.webp');
  await sharp({ create: { width: 8, height: 6, channels: 3, background: '#367' } })
    .webp()
    .toFile(picture);
  await copyFile(picture, join(directory, 'copy.webp'));
  const replaced = (text: string) =>
    text
      .replaceAll('/var/lib/files', join(directory, 'files'))
      .replaceAll('/tmp/picture.webp', picture)
      .replaceAll("'fox.png'", `'${join(directory, 'fox.png')}'`)
      .replaceAll('{ key, url: null', '{ key, url: fake.url')
      .replaceAll("'notes.db'", `'${join(directory, 'notes.db')}'`)
      .replaceAll("'./data'", `'${join(directory, 'data')}', DARKROOM_LOG_LEVEL: 'fatal'`);
  const runs: readonly (readonly [page: string, language: string, check: string, found: string, before?: string])[] = [
    ['packages/contract/README.md', 'ts', 'console.log(Task.$id, formatMicros(40_000))', 'Task 0.04'],
    ['packages/files/README.md', 'ts', 'console.log(sha256.length, fox.length)', '64 5'],
    ['packages/media/README.md', 'ts', 'console.log(width, height); await media.close(); await close()', '8 6'],
    ['packages/store/README.md', 'ts', 'console.log(notes[0]?.text)', 'a fox'],
    ['packages/illustrator/README.md', 'ts', "console.log('painted')", 'painted'],
    [
      'packages/engines/README.md',
      'ts',
      "console.log(started.done.outputs.length, new EngineError('busy', 'why', { took: 'no' }).took); await close(); await fake.stop()",
      '1 no',
      FOR_AN_ENGINE,
    ],
    [
      'docs/operating.md',
      'js',
      "const answer = await app.request('https://app.example.com/pictures/healthz'); await answer.text(); console.log(answer.status); await darkroom.close()",
      '200',
    ],
  ];
  await Promise.all(
    runs.map(async ([page, language, check, found, before = '']) => {
      const [{ text } = { text: '' }] = fencedIn(page, language);
      const program = ['--input-type=module-typescript', '--eval', `${before}\n${replaced(text)}\n${check};`];
      const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT, timeout: 60_000 });
      assert.equal(stdout.trim(), found, page);
    }),
  );
});

/** Blocks that are indented by four, or by three more than the item of a list that they belong to. */
function indentedIn(page: string): Sample[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/(?:^|\n)\n((?: {4}.*\n(?:\n(?= {4}))?)+)/g)].map(([, block = '']) => ({
    page,
    text: block.replaceAll(/^ {4}/gm, '').trim(),
  }));
}

function fencedIn(page: string, language: string): Sample[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block = '']) => ({ page, text: block }));
}

/** Reads JSON with `…` in place of what a reader fills in. Fields without an object belong into one. */
function parseSample(text: string) {
  const whole = text.startsWith('"') ? `{${text}}` : text;
  return JSON.parse(whole.replaceAll(', … }', ' }').replaceAll('{ … }', '{}'));
}

/** Splits as a shell does, up to a comment, a pipe or a column of explanation. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.replace(/^-- /, '').split(/ {2,}| #| >| \|/);
  const filled = command
    .replaceAll(/<[a-z]*task_id>/g, TASK)
    .replaceAll(/<([a-z_]+)>/g, '$1')
    .replace(/ \[[a-z]+…\]/, '');
  return [...filled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

function withoutActions(command: Command): void {
  command.action(() => {}).exitOverride();
  for (const inner of command.commands) withoutActions(inner);
}
