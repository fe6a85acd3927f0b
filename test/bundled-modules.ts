import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packageFiles } from '../packaging/package-files.ts';
import { type Entry, writeBundle } from './write-bundle.ts';

/** The packages of many small files that nearly every test process loads. What they import is bundled with them. */
const PACKAGES = [
  '@fastify/cors',
  '@fastify/multipart',
  '@fastify/swagger',
  '@fastify/type-provider-typebox',
  'ajv',
  'canonicalize',
  'commander',
  'fast-check',
  'fastify',
  'ipaddr.js',
  'kysely',
  'mediabunny',
  'pg',
  'pino',
  'prom-client',
  'typebox',
  'undici',
];
const IMPORTED = /from '([^']+)'/g;
/** Tests themselves are loaded once, and files under `test/clients` must find the packages that a customer has. */
const SOURCES = [
  '{src,additions/*/src,packages/*/{src,fakes,conformance}}/**/*.ts',
  'test/{,helpers/}*.ts',
  'test/{chaos,contract,crash,fakes,fuzz,hostile,siege,soak}/**/*.ts',
];
const OUTSIDE =
  /\.(?:test|conformance)\.ts$|\/fixtures\/|^test\/(?:bundled-modules|run-tests|suites|write-[a-z-]+|[a-z-]+-types)\.ts$/;
const run = promisify(execFile);
const EMPTY_DATABASE = 'empty.db';
/** Looks for the list of checked catalog files beside its folder. */
const READER_OF_CHECKED = 'src/catalog/checked-files.ts';
const FOLDER = 'test-modules-';
const TABLE = 'addresses.json';
/** Modules that run in threads. */
const THREAD = /-thread\.ts$/;
const KEPT_MS = 24 * 3_600_000;
/** What a service loads when it starts. */
const SERVICE = ['service', 'start-http', 'start-worker'].map((name) => `src/service/${name}.ts`);

/** How a test process loads modules: the address of a module to import before any other, and Node's compile cache. */
export interface BundledModules {
  readonly hook: string;
  readonly compileCache: string;
  /** An embedded database with the schema of these sources. */
  readonly emptyDatabase: string;
}

/**
 * Bundles the sources, the helpers of tests and these packages, once for each state of them. A test run starts some
 * 1,500 processes, and loading 1,000 modules one by one would take most of their processor time. The installed package
 * is bundled as well.
 */
export async function bundleModules(root: string): Promise<BundledModules> {
  const cache = join(root, 'node_modules', '.cache');
  const paths = globSync(SOURCES, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !OUTSIDE.test(path))
    .sort();
  const state = createHash('sha256');
  const own = ['bundled-modules.ts', 'write-bundle.ts', 'shared-chunks.ts'].map((name) => `test/${name}`);
  const texts = [...own, ...paths].map((path) => readFileSync(join(root, path), 'utf8'));
  for (const text of [readFileSync(join(root, 'package-lock.json'), 'utf8'), ...texts]) state.update(text);
  state.update(paths.join());
  const specifiers = findSpecifiers(root);
  state.update(specifiers.join());
  const folder = join(cache, `${FOLDER}${state.digest('hex').slice(0, 12)}`);
  // The last thing that is made.
  if (!existsSync(join(folder, EMPTY_DATABASE))) await write(folder, { root, cache, paths, specifiers });
  utimesSync(folder, new Date(), new Date());
  return {
    hook: hookOf(folder),
    compileCache: join(folder, 'compiled'),
    emptyDatabase: join(folder, EMPTY_DATABASE),
  };
}

function hookOf(folder: string): string {
  return pathToFileURL(join(folder, 'use-bundles.mjs')).href;
}

/** Every address in these packages that a file imports, such as `typebox/value`. */
function findSpecifiers(root: string): string[] {
  const found = new Set<string>();
  for (const file of globSync('{src,packages,additions,test}/**/*.ts', { cwd: root }))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED))
      if (PACKAGES.some((one) => name === one || name.startsWith(`${one}/`))) found.add(name);
  return [...found].sort();
}

async function write(
  folder: string,
  from: {
    readonly root: string;
    readonly cache: string;
    readonly paths: readonly string[];
    readonly specifiers: readonly string[];
  },
): Promise<void> {
  const { root, cache, paths, specifiers } = from;
  await mkdir(cache, { recursive: true });
  removeOld(cache);
  const making = await mkdtemp(join(cache, 'making-'));
  const packages: Entry[] = [];
  for (const specifier of specifiers) packages.push({ specifier, exported: Object.keys(await import(specifier)) });
  const places = new Map([[READER_OF_CHECKED, join(folder, 'catalog')]]);
  await writeBundle(making, { root, paths, packages, places });
  await writeFile(join(making, TABLE), tableOf(root, paths, specifiers));
  await writeFile(join(making, 'use-bundles.mjs'), sourceOfHook(root, paths));
  await rename(making, folder).catch(async (error: unknown) => {
    // Another run was first.
    await rm(making, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  await prepare(folder, root);
}

/**
 * Makes the empty database, checks the catalog, and compiles what a start loads, so that the first processes need not
 * do so at once. A file of the catalog with a fault is not listed as checked, nor are the others then: each test that
 * reads them finds the fault.
 */
async function prepare(folder: string, root: string): Promise<void> {
  const from = (path: string) => `await import('${pathToFileURL(join(root, path)).href}')`;
  const catalog = join(root, 'catalog');
  const catalogFiles = globSync('*.json', { cwd: catalog }).filter((name) => !name.endsWith('.schema.json'));
  const path = join(folder, `making-${process.pid}.db`);
  const program = [
    ...SERVICE.map((one) => `${from(one)};`),
    `const { openDatabase } = ${from('src/database/open-database.ts')};`,
    `const { ADDITIONS } = ${from('src/additions/list.ts')};`,
    `const added = ADDITIONS.flatMap(({ tables }) => tables ?? []);`,
    `await (await openDatabase({ url: null, path: ${JSON.stringify(path)}, added })).close();`,
    `const { digestOf, loadCatalog } = ${from('src/catalog/catalog.ts')};`,
    `const { CHECKED_FILES } = ${from(READER_OF_CHECKED)};`,
    `const { readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs');`,
    `const list = ${JSON.stringify(folder)} + '/' + CHECKED_FILES;`,
    `const files = ${JSON.stringify(catalogFiles.map((name) => join(catalog, name)))};`,
    `const digests = files.map((file) => digestOf(readFileSync(file, 'utf8')));`,
    `const isFaultless = await loadCatalog({ directories: [${JSON.stringify(catalog)}] }).then(() => true, () => false);`,
    // Another run may be reading the list.
    `const making = list + '.' + process.pid;`,
    `writeFileSync(making, JSON.stringify(isFaultless ? digests.sort() : []));`,
    `renameSync(making, list);`,
  ].join('\n');
  await run(process.execPath, [`--import=${hookOf(folder)}`, '--input-type=module', '-e', program], {
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
  });
  await chmod(path, 0o600);
  await rename(path, join(folder, EMPTY_DATABASE));
}

/** Bundles of earlier states, which no run uses any more. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.startsWith(FOLDER) && Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true });
  }
}

/** Addresses that the hook reads when a module outside of the bundles imports something. */
function tableOf(root: string, paths: readonly string[], specifiers: readonly string[]): string {
  return JSON.stringify({
    sources: Object.fromEntries(paths.map((path, index) => [path, `./source-${index}.mjs`])),
    packages: Object.fromEntries(specifiers.map((name, index) => [name, `./package-${index}.mjs`])),
    own: Object.fromEntries(packageFiles(root)),
  });
}

/**
 * Leads an import of a bundled module to its bundle. Any other relative import of a test is led to its file without
 * looking at the disk. A thread of a service, of which tests start hundreds, reads no table. Lets the test runner
 * follow no promises, which took it a tenth of the processor time of tests: a rejection that nobody handles makes the
 * process fail without the name of its test.
 */
function sourceOfHook(root: string, paths: readonly string[]): string {
  const tests = pathToFileURL(join(root, 'test', '/')).href;
  const address = (path: string) => pathToFileURL(join(root, path)).href;
  const threads = paths.flatMap((path, index) => (THREAD.test(path) ? [[address(path), `./source-${index}.mjs`]] : []));
  return `import asyncHooks from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const root = ${JSON.stringify(address('/'))};
const tests = ${JSON.stringify(tests)};
const threads = new Map(${JSON.stringify(threads)});
const bundles = new URL('.', import.meta.url).href;
let table = null;
function bundleOf(name, url, isImport) {
  table ??= JSON.parse(readFileSync(new URL(${JSON.stringify(TABLE)}, import.meta.url), 'utf8'));
  const { sources, packages, own } = table;
  if (url.startsWith(root)) return sources[url.slice(root.length)];
  return sources[own[name]] ?? (isImport ? packages[name] : undefined);
}
registerHooks({
  resolve(name, context, next) {
    const isRelative = name.startsWith('.');
    const parent = context.parentURL ?? '';
    if (name.startsWith('node:') || (isRelative && parent.startsWith(bundles))) return next(name, context);
    const url = isRelative ? new URL(name, parent).href : name;
    const bundle = threads.get(url) ?? bundleOf(name, url, context.conditions.includes('import'));
    if (bundle !== undefined) return { url: new URL(bundle, import.meta.url).href, format: 'module', shortCircuit: true };
    if (isRelative && url.endsWith('.ts') && parent.startsWith(tests))
      return { url, format: 'module-typescript', shortCircuit: true };
    return next(name, context);
  },
});
`;
}
