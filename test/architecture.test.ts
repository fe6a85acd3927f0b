import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const CONTRACTS = ['engines/engine.ts', 'storage/storage.ts'];

/** Who may import what under `src/`: a folder, or one file of it. Everything may import `base` and its own folder. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  net: [],
  database: [],
  storage: [],
  catalog: [],
  pricing: ['catalog'],
  media: ['net', 'storage/storage.ts'],
  engines: ['catalog/model.ts', 'catalog/route-map.ts', 'catalog/route-values.ts', 'media', 'net'],
  accounts: ['database'],
  events: ['database', 'net'],
  tasks: ['catalog', 'pricing', 'accounts', 'events', 'media', 'net', 'database', ...CONTRACTS],
  http: ['tasks', 'catalog', 'pricing', 'accounts', 'events', 'media', 'storage/storage.ts'],
  cli: [
    ...['service.ts', 'config.ts', 'first-start.ts', 'diagnosis.ts', 'database', 'accounts', 'catalog'],
    'engines/sketch/read-prompt.ts',
  ],
  'config.ts': ['engine-variables.ts', 'config-variables.ts', 'nearest-name.ts', 'net', 'storage'],
  'config-variables.ts': ['engine-variables.ts', 'net', 'storage'],
  'engine-variables.ts': [],
  'nearest-name.ts': [],
};

/** Every other file directly under `src/` joins parts: it may import all but the command line and the inside of an engine. */
const JOINS = (target: string) => !target.startsWith('cli/') && !/^engines\/.+\//.test(target);

/** The composition root opens and joins all parts in one place. */
const LONG_FILES = ['src/service.ts'];
const MAX_LINES = 300;
/** Tests say the same kind of thing many times over. */
const MAX_TEST_LINES = 450;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const texts = new Map(
  globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);
const programs = [...texts.keys()].filter((path) => path.startsWith('src/') && !isForTests(path));
const imports = programs.flatMap((path) => importsOf(path));

test('the imports of the sources are found at all', () => {
  assert.ok(programs.length > 100, `${programs.length} files`);
  assert.ok(imports.length > programs.length, `${imports.length} imports of ${programs.length} files`);
  assert.ok(imports.some(({ from, to }) => from === 'src/service.ts' && to === 'src/http/server.ts'));
});

test('every import under src follows an arrow of the table', () => {
  assert.deepEqual(
    imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} may not import ${to}`),
    [],
  );
});

test('every folder of src is in the table, and every folder of the table is there', () => {
  const folders = new Set(programs.map(partOf).filter((part) => !part.endsWith('.ts')));
  assert.deepEqual(
    [...folders].sort(),
    Object.keys(ARROWS)
      .filter((part) => !part.endsWith('.ts'))
      .sort(),
  );
});

test('no part of src depends on itself by way of others', () => {
  const between = imports.filter(({ from, to }) => partOf(from) !== partOf(to));
  assert.equal(findCycle(between.map(({ from, to }) => [partOf(from), partOf(to)])), null);
});

test('no file needs itself to be loaded first', () => {
  const needed = imports.filter(({ typeOnly }) => !typeOnly);
  assert.equal(findCycle(needed.map(({ from, to }) => [from, to])), null);
});

test('what the service runs imports nothing that is there for tests', () => {
  assert.deepEqual(
    imports.filter(({ to }) => isForTests(to) || !to.startsWith('src/')),
    [],
  );
});

test('every import names a file that is there', () => {
  assert.deepEqual(
    imports.filter(({ to }) => !existsSync(join(ROOT, to))),
    [],
  );
});

test('the environment is read in one place', () => {
  const readers = programs.filter((path) => /\bprocess\s*\.\s*env\b/.test(texts.get(path) ?? ''));
  assert.deepEqual(readers, ['src/config.ts']);
});

test('no file exports by default, and none only passes on what others export', () => {
  const faulty = [...texts].filter(
    ([path, text]) =>
      (!path.endsWith('.d.ts') && /^export default\b|^export \{[^}]*\bas default\b/m.test(text)) ||
      /^export \*/m.test(text) ||
      /^index\.ts$/.test(basename(path)),
  );
  assert.deepEqual(
    faulty.map(([path]) => path),
    [],
  );
});

test(`no file is longer than ${MAX_LINES} lines, no test than ${MAX_TEST_LINES}, but for those that are listed`, () => {
  const long = [...texts]
    .filter(([path, text]) => text.split('\n').length - 1 > (isForTests(path) ? MAX_TEST_LINES : MAX_LINES))
    .map(([path]) => path);
  assert.deepEqual(
    long.filter((path) => !LONG_FILES.includes(path)),
    [],
  );
  assert.deepEqual(
    LONG_FILES.filter((path) => !texts.has(path)),
    [],
  );
});

test('the console and the client speak HTTP and import nothing of the service', () => {
  const clients = globSync('{console,sdk}/**/*.{ts,tsx,mts,js}', {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist/.test(path),
  });
  const faulty = clients
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((path) => importsOf(path, readFileSync(join(ROOT, path), 'utf8')))
    .filter(({ to }) => /^(?:src|test|bench)\//.test(to));
  assert.deepEqual(faulty, []);
});

test('files are named in small letters with hyphens', () => {
  const odd = [...texts.keys()].filter(
    (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.conformance|\.d)?\.ts$/.test(basename(path)),
  );
  assert.deepEqual(odd, []);
});

function importsOf(path: string, text = texts.get(path) ?? ''): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|\bnew URL\(\s*'(\.[^']+\.ts)'/gm,
  );
  return [...found].map(([, type, statically, dynamically, byAddress]) => ({
    from: path,
    to: posix.join(dirname(path), statically ?? dynamically ?? byAddress ?? ''),
    // A module that is loaded later, or in a process of its own, is not needed for this one to load.
    typeOnly: type !== undefined || statically === undefined,
  }));
}

function isForTests(path: string): boolean {
  return /\.(test|conformance)\.ts$/.test(path) || path.includes('/fixtures/');
}

/** The folder under `src/`, or the file that lies there directly. */
function partOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isAllowed({ from, to }: Import): boolean {
  const part = partOf(from);
  const target = to.replace(/^src\//, '');
  if (partOf(to) === part || partOf(to) === 'base') return true;
  const arrows = ARROWS[part];
  if (arrows === undefined) return JOINS(target);
  return arrows.some((arrow) => (arrow.endsWith('.ts') ? target === arrow : target.startsWith(`${arrow}/`)));
}

/** One way round, such as `a -> b -> a`; null where there is none. */
function findCycle(arrows: readonly (readonly [string, string])[]): string | null {
  const next = Map.groupBy(arrows, ([from]) => from);
  const done = new Set<string>();
  const walk = (at: string, way: readonly string[]): string | null => {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at].join(' -> ');
    if (done.has(at)) return null;
    for (const [, to] of next.get(at) ?? []) {
      const cycle = walk(to, [...way, at]);
      if (cycle !== null) return cycle;
    }
    done.add(at);
    return null;
  };
  for (const at of next.keys()) {
    const cycle = walk(at, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
