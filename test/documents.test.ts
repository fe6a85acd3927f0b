import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ERROR_TABLE, TASK_FAILURE_CODES } from '@darkroom-service/contract';
import { FEATURES, MEDIA_ROLES, PRICE_UNITS } from '@darkroom-service/contract/catalog';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { STYLES } from '@darkroom-service/illustrator';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import * as rooms from '../docs/architecture-drawing.ts';
import { drawingInPage, drawingOfTable } from '../docs/lifecycle-drawing.ts';
import { wordsInPage, wordsKnown } from '../docs/sketch-words.ts';
import { runDarkroom } from './helpers/run-darkroom.ts';
import { startTestService } from './helpers/service.ts';
import { ROOMS } from './rooms.ts';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const INDEX = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
const PLACES_OF_PAGES = [
  '*.md',
  'docs/**/*.md',
  'bench/README.md',
  'catalog/README.md',
  'packaging/*.md',
  '{packages,additions}/*/*.md',
  'packages/engines/fakes/README.md',
  'test/clients/README.md',
];

test('no two examples order under the same idempotency key, so whoever follows one page can follow the next', () => {
  const keys = globSync(PLACES_OF_PAGES, { cwd: ROOT }).flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(/idempotency[-_]?key['"]?\s*[:=]\s*['"]?([a-z]+(?:-\w+)+)/gi)].map(([, key]) => key);
  });
  assert.ok(keys.length >= 3, 'the examples are found');
  assert.deepEqual(keys, [...new Set(keys)]);
});

test('the first orders of the README work word for word', async (t) => {
  const blocks = bashBlocks(README);
  assert.equal(blocks[0], 'npm ci && npm start');
  assert.equal(blocks.at(-1), 'npm ci && npm test');
  // As `npm ci` does.
  await promisify(execFile)(process.execPath, [join(ROOT, 'packaging', 'pack-clients.ts')], {
    env: cleanEnvironment(),
  });
  const checkout = await makeCheckout(t);
  const port = await freePort();
  await startAsWritten(t, checkout, port);

  const commands = blocks.slice(1, -1).join('\n').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const stdout = await runBash(commands, checkout, { DARKROOM_URL: `http://127.0.0.1:${port}` });
  assert.match(stdout, /"status":"succeeded"/);

  const picture = await sharp(join(checkout, 'fox.png')).metadata();
  assert.deepEqual([picture.format, picture.width, picture.height], ['png', 1024, 1024]);
  const wide = await sharp(join(checkout, 'lighthouse.png')).metadata();
  assert.ok(wide.width > wide.height, `${wide.width}x${wide.height}`);
  const byClient = await sharp(join(checkout, 'first-app', 'owl.png')).metadata();
  assert.deepEqual([byClient.width, byClient.height], [1024, 1024]);
  const film = new Input({
    source: new BufferSource(await readFile(join(checkout, 'boat.mp4'))),
    formats: ALL_FORMATS,
  });
  const track = await film.getPrimaryVideoTrack();
  assert.ok(track);
  assert.equal(await film.getMimeType().then((type) => type.split(';')[0]), 'video/mp4');
  assert.equal(Math.round(await track.computeDuration()), 3);
});

test('the page about additions, followed word for word, counts the orders of the example and passes its test', async (t) => {
  const [install = '', order = '', tried = ''] = bashBlocks(readFileSync(join(ROOT, 'docs', 'additions.md'), 'utf8'));
  const [copy = '', start] = install.split('\n');
  assert.equal(start, 'DARKROOM_ADDITIONS_DIR=../my-additions npm start');
  const checkout = await makeCheckout(t);
  await runBash(copy.replace('npm ci && ', ''), checkout);
  const port = await freePort();
  await startAsWritten(t, checkout, port, { DARKROOM_ADDITIONS_DIR: '../my-additions' });
  const stdout = await runBash(order.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`), checkout);
  assert.match(stdout, /"brand":"acme","status":"failed","orders":1/);
  assert.match(stdout, /"brand":"acme","status":"succeeded","orders":1/);
  assert.match(await runBash(tried, checkout), /^. pass 1$/m);
});

test('each point of the interface that docs/architecture.md names is there, and its example has it', () => {
  const types = ['service/addition.ts', 'http/http-options.ts'].map((path) =>
    readFileSync(join(ROOT, 'src', path), 'utf8'),
  );
  const rows = rowsOf('docs/architecture.md', 'The points of the interface');
  const points = rows.flatMap(([names = '', , file = '']) => names.split(', ').map((point) => ({ point, file })));
  assert.ok(points.length > 20, `${points.length} points`);
  const isThere = ({ point, file }: (typeof points)[0]) =>
    types.some((text) => text.includes(`  readonly ${point}?:`)) &&
    new RegExp(`^ +(?:async )?${point}[:(,]`, 'm').test(readFileSync(join(ROOT, file), 'utf8'));
  assert.deepEqual(
    points.filter((one) => !isThere(one)),
    [],
  );
});

test('every link between the pages leads to a file that is there', () => {
  const dead = pages().flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path} links to ${target}`),
  );
  assert.deepEqual(dead, []);
});

test('every file of this repository that a page names is there', () => {
  const named = pages().flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /`((?:bench|catalog|console|docs|packages|src|test)\/[\w./-]+)`/g,
      ),
    ].map(([, target = '']) => ({ path, target })),
  );
  assert.ok(named.length > 50, `${named.length} files are named`);
  assert.deepEqual(
    named.filter(({ target }) => !existsSync(join(ROOT, target))),
    [],
  );
});

test('the README leads to the index of the pages, and the index to every page', () => {
  assert.ok(README.includes('(docs/README.md)'));
  const unlinked = globSync('*.md', { cwd: join(ROOT, 'docs') }).filter(
    (path) => path !== 'README.md' && !INDEX.includes(`(${path})`),
  );
  assert.deepEqual(unlinked, []);
});

test('every word by which the index describes a page stands in that page', () => {
  const rows = [...INDEX.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \| (.+) \|$/gm)];
  assert.ok(rows.length >= 19, `${rows.length} pages`);
  for (const [, path = '', content = ''] of rows) {
    const page = readFileSync(join(ROOT, 'docs', path), 'utf8').toLowerCase();
    // Other forms of a word have the same beginning.
    const unsaid = (content.toLowerCase().match(/\p{L}{5,}/gu) ?? []).filter(
      (word) => !page.includes(word.slice(0, 5)),
    );
    assert.deepEqual(unsaid, [], path);
  }
});

test('no page says that something is not built yet', () => {
  const said = [...pages(), 'deploy/README.md', 'clients/typescript/README.md', 'clients/ai-sdk/README.md'].filter(
    (path) =>
      path !== 'CHANGELOG.md' &&
      /\b(?:is|are) not (?:yet (?:built|there|supported|implemented)|(?:built|implemented) yet)\b/i.test(
        readFileSync(join(ROOT, path), 'utf8'),
      ),
  );
  assert.deepEqual(said, []);
});

test('pages name the packed clients as the service serves them', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'clients/typescript/package.json'), 'utf8'));
  const served = [
    `darkroom-client-${version}.tgz`,
    `darkroom-ai-sdk-provider-${version}.tgz`,
    `darkroom_client-${version}-py3-none-any.whl`,
    `darkroom_client-${version}.tar.gz`,
    `n8n-nodes-darkroom-${version}.tgz`,
  ];
  const named = pages().flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\/clients\/([\w.-]+\.(?:tgz|whl|tar\.gz))/g)].map(
      ([, name = '']) => name,
    ),
  );
  assert.deepEqual(
    [...new Set(named)].filter((name) => !served.includes(name)),
    [],
  );
  assert.deepEqual(
    served.slice(0, 3).filter((name) => !named.includes(name)),
    [],
  );
});

test('docs/errors.md has every code of errors under its status, and no other', () => {
  const told = rowsOf('docs/errors.md', 'Request errors').flatMap(([status, codes = '']) =>
    codes.split(', ').map((code) => [code.replaceAll('`', ''), Number(status)]),
  );
  assert.deepEqual(
    told,
    Object.entries(ERROR_TABLE).map(([code, { status }]) => [code, status]),
  );
});

test('docs/errors.md has every code of failed tasks, and no other', () => {
  const told = rowsOf('docs/errors.md', 'Task errors').map(([code]) => code);
  assert.deepEqual(told, [...TASK_FAILURE_CODES]);
});

test('docs/catalog.md lists every feature, price unit and media role, and no other', () => {
  const listed = (section: string) => rowsOf('docs/catalog.md', section).map(([name]) => name);
  assert.deepEqual(listed('Features'), [...FEATURES]);
  assert.deepEqual(listed('Prices'), [...PRICE_UNITS]);
  assert.deepEqual(listed('Roles of media'), [...MEDIA_ROLES]);
});

test('packaging/dependencies.md lists every package of every package.json under its own licence, and no other', () => {
  const packages = globSync('{packages,additions}/*', { cwd: ROOT });
  const needed = new Set<string>();
  for (const [section, workspaces, field] of [
    ['What the service runs on', ['.', ...packages], 'dependencies'],
    ['What a checkout adds', ['runtime'], 'optionalDependencies'],
    ['For development', ['.'], 'devDependencies'],
    ['For the console', ['console'], 'devDependencies'],
    ['For the AI SDK provider', ['clients/ai-sdk'], 'dependencies'],
  ] as const) {
    const manifests = workspaces.map((one) => JSON.parse(readFileSync(join(ROOT, one, 'package.json'), 'utf8')));
    // Neither our own, nor what the packages need and the root only develops with.
    const names = new Set(manifests.flatMap((manifest) => Object.keys(manifest[field] ?? {})));
    const expected = [...names].filter(
      (name) => !name.startsWith('@darkroom-service/') && (section !== 'For development' || !needed.has(name)),
    );
    const rows = rowsOf('packaging/dependencies.md', section);
    assert.deepEqual(rows.map(([name]) => name).sort(), expected.sort(), section);
    if (needed.size === 0) for (const name of expected) needed.add(name);
    for (const [name = '', licence] of rows) {
      const path = join(ROOT, 'node_modules', name, 'package.json');
      // Packages of other platforms are not installed.
      if (existsSync(path)) assert.equal(licence, JSON.parse(readFileSync(path, 'utf8')).license, name);
    }
  }
});

test('docs/operating.md names only metrics that the service has, and each of these has a help text', async (t) => {
  const { call, keys } = await startTestService(t);
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  const helped = [...metrics.matchAll(/^# HELP (\w+) \S.*$/gm)].map(([, name = '']) => name);
  const real = [...metrics.matchAll(/^# TYPE (darkroom_\w+) \w+$/gm)].map(([, name = '']) => name);
  assert.ok(real.length > 30);
  assert.deepEqual(
    real.filter((name) => !helped.includes(name)),
    [],
  );
  const page = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const told = [...page.matchAll(/\b(darkroom_[a-z_]+?)(?:_bucket)?\b/g)].map(([, name = '']) => name);
  assert.deepEqual(
    told.filter((name) => !real.includes(name)),
    [],
  );
});

test('docs/cli.md has every command and no other', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-help-'));
  t.after(() => rm(directory, { recursive: true }));
  const commandsOf = async (...words: string[]) => {
    const { stdout } = await runDarkroom([...words, '--help'], {}, directory);
    const list = stdout.split('\nCommands:\n')[1] ?? '';
    return [...list.matchAll(/^ {2}([a-z]+)( \S+)?/gm)].filter(([, name]) => name !== 'help');
  };
  const nested = await Promise.all(
    (await commandsOf()).map(async ([, family = '', words]) => {
      // What takes options of its own is no family.
      const inner = words === undefined ? await commandsOf(family) : [];
      return inner.length === 0 ? [family] : inner.map(([, name]) => `${family} ${name}`);
    }),
  );
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const told = [...page.matchAll(/^ {4}darkroom ([a-z]+)(?: ([a-z]+))?/gm)].map(([, family = '', inner]) =>
    inner !== undefined && nested.flat().includes(`${family} ${inner}`) ? `${family} ${inner}` : family,
  );
  assert.deepEqual([...new Set(told)].sort(), nested.flat().sort());
});

test('docs/lifecycle.md draws the steps of a task and the decisions about it as the table has them', () => {
  assert.equal(drawingInPage(), drawingOfTable(), 'run npm run lifecycle');
});

test('docs/architecture.md draws the rooms of src and their imports as the table has them', () => {
  assert.equal(rooms.drawingInPage(), rooms.drawingOfTable(), 'run npm run rooms');
});

test('docs/architecture.md says of each room what it has', () => {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const list = page.slice(page.indexOf('<!-- end -->'), page.indexOf('## The points'));
  assert.deepEqual(
    Object.keys(ROOMS).filter((room) => !list.includes(`\`${room}\``) && !list.includes(`[${room}]`)),
    [],
  );
});

test('packages/illustrator/prompts.md has the words and styles that the illustrator knows', () => {
  assert.equal(wordsInPage(), wordsKnown(), 'run npm run sketch-words');
  const styles = /`style` takes one of these, and a prompt may name one: ([^.]+)\./.exec(
    readFileSync(join(ROOT, 'packages/illustrator/prompts.md'), 'utf8'),
  );
  const told = styles?.[1]?.replace(' (default)', '').split(', ');
  assert.deepEqual(
    told?.map((name) => name.replaceAll(' ', '_')),
    [...STYLES],
  );
});

/** The cells of the tables of a section, a row each, headings left out and code marks taken off. */
function rowsOf(path: string, section: string): string[][] {
  const text = readFileSync(join(ROOT, path), 'utf8').split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = text.split('\n').filter((line) => /^\| .*`/.test(line));
  assert.ok(rows.length > 0, `${path} has no table under ${section}`);
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

function pages(): string[] {
  return globSync(PLACES_OF_PAGES, { cwd: ROOT });
}

function bashBlocks(page: string): string[] {
  return [...page.matchAll(/^```bash\n(.*?)\n```$/gms)].map(([, block = '']) => block);
}

/** A directory that looks as the checkout does after `npm ci`, with data of its own. */
async function makeCheckout(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-readme-'));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const checkout = join(directory, 'checkout');
  await mkdir(checkout);
  for (const name of ['package.json', 'src', 'catalog', 'docs', 'node_modules'])
    await symlink(join(ROOT, name), join(checkout, name));
  return checkout;
}

/** Runs commands as a reader would. @returns what they print */
async function runBash(commands: string, cwd: string, variables: Record<string, string> = {}): Promise<string> {
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { ...cleanEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([once(bash, 'exit'), text(bash.stdout), text(bash.stderr)]);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return stdout;
}

/** `npm start`, until it says that it listens. */
async function startAsWritten(
  t: TestContext,
  checkout: string,
  port: number,
  variables: Record<string, string> = {},
): Promise<void> {
  // In a group of its own: npm ends before what it has started does.
  const npm = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...cleanEnvironment(), DARKROOM_PORT: String(port), DARKROOM_LOG_LEVEL: 'error', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(npm.stdout, 'close');
  t.after(async () => {
    const group = -(npm.pid ?? assert.fail('npm did not start'));
    process.kill(group, 'SIGTERM');
    const overdue = setTimeout(() => process.kill(group, 'SIGKILL'), 60_000);
    await ended;
    clearTimeout(overdue);
  });
  let said = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes(`listens on http://127.0.0.1:${port}`)) break;
  }
  npm.stdout.resume();
  assert.match(said, /listens on/, said);
}

/** What the environment has of npm and of Darkroom is of the outer run and not what a reader has. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|DARKROOM_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|PORT$)/.test(name),
    ),
  );
}
