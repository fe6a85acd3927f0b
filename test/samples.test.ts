import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import sharp from 'sharp';
import { ADDITIONS } from '../src/additions/list.ts';
import { loadCatalog } from '../src/catalog/catalog.ts';
import { createProgram } from '../src/cli/command-line.ts';
import { loadConfig } from './load-config.ts';

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
    const program = createProgram(ADDITIONS, true);
    withoutActions(program);
    await program.parseAsync(words, { from: 'user' }).catch((error: Error) => {
      refused.push(`${page}: ${words.join(' ')}: ${error.message}`);
    });
  }
  assert.deepEqual(refused, []);
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

  const [engines] = fencedIn('docs/engines.md', 'json');
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
      .replaceAll("'notes.db'", `'${join(directory, 'notes.db')}'`)
      .replaceAll("'./data'", `'${join(directory, 'data')}', DARKROOM_LOG_LEVEL: 'fatal'`);
  const runs: readonly (readonly [page: string, language: string, check: string, found: string])[] = [
    ['packages/contract/README.md', 'ts', 'console.log(Task.$id, formatMicros(40_000))', 'Task 0.04'],
    ['packages/files/README.md', 'ts', 'console.log(sha256.length, fox.length)', '64 5'],
    ['packages/media/README.md', 'ts', 'console.log(width, height); await media.close(); await close()', '8 6'],
    ['packages/store/README.md', 'ts', 'console.log(notes[0]?.text)', 'a fox'],
    ['packages/illustrator/README.md', 'ts', "console.log('painted')", 'painted'],
    [
      'docs/operating.md',
      'js',
      "const answer = await app.request('https://app.example.com/pictures/healthz'); await answer.text(); console.log(answer.status); await darkroom.close()",
      '200',
    ],
  ];
  await Promise.all(
    runs.map(async ([page, language, check, found]) => {
      const [{ text } = { text: '' }] = fencedIn(page, language);
      const program = ['--input-type=module-typescript', '--eval', `${replaced(text)}\n${check};`];
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
