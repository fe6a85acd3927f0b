import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, setPriority, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { buildStaleGuide } from './build-stale-guide.ts';
import { bundleModules } from './bundled-modules.ts';
import { SUITES, type Suite } from './suites.ts';

/**
 * Runs a part of the tests: `node test/run-tests.ts <suite of suites.ts> [part of a path]…`. A
 * single file is best run by `node --env-file=test/quick.env --test <file>`.
 *
 * Most files share a process with others, since loading the service takes longer than their tests do. A file that
 * takes long, or that changes its own process, such as its variables or its modules, gets a process to itself.
 */
const ROOT = join(import.meta.dirname, '..');
const PROCESS_TIMEOUT_MS = 1_800_000;
const SILENCE_MS = 900_000;
const MEMORY_FOLDER = '/dev/shm';
const ROOM_NEEDED_BYTES = 4 * 2 ** 30;
const MOST_REPEATED = 8;
const LISTED = 20;

const [kind = 'embedded', ...parts] = process.argv.slice(2);
const suite = SUITES[kind];
if (suite === undefined) throw new Error(`expected one of ${Object.keys(SUITES).join(', ')}, found "${kind}"`);
if (kind === 'citus' && process.env.DARKROOM_TEST_POSTGRES_URL === undefined)
  throw new Error('expected the coordinator of a cluster in DARKROOM_TEST_POSTGRES_URL: postgres://user@host/database');
const isIn = (rooms: readonly string[], file: string) => rooms.some((room) => file.startsWith(room));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const found = (patterns: readonly string[] = []) =>
  globSync([...patterns], { cwd: ROOT, exclude: [...(suite.except ?? [])] });
const files = [
  ...found(suite.patterns),
  ...found(suite.ifText?.of).filter((file) => suite.ifText?.has.test(textOf(file))),
]
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
const beginningOf = (file: string) => suite.first.find((beginning) => file.startsWith(beginning));
const early = suite.first.flatMap((beginning) => files.filter((file) => beginningOf(file) === beginning));
const others = files.filter((file) => !early.includes(file));
const alone = others.filter((file) => isIn(suite.alone, file) || suite.aloneIf?.test(textOf(file)) === true);
const folder = await mkdtemp(join(tmpdir(), 'darkroom-tests-'));
const together = await writeGroups(others.filter((file) => !alone.includes(file)));

// What these modules prepare, such as packed clients, is there before the first process, and is prepared once.
for (const path of suite.imports) await import(pathToFileURL(join(import.meta.dirname, path)).href);

buildStaleGuide(ROOT);

// The priority of painters and media processes: beside busy tests of a higher one, these would wait for minutes.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
const { hook, compileCache, emptyDatabase } = await bundleModules(ROOT);
const results = run({
  files: [...early, ...together, ...alone].map((file) => resolve(ROOT, file)),
  cwd: ROOT,
  concurrency: suite.atOnce,
  timeout: PROCESS_TIMEOUT_MS,
  execArgv: [
    `--test-timeout=${suite.testTimeoutMs}`,
    // Loading hundreds of modules makes garbage so fast that collecting it takes a fifth of the loading.
    '--min-semi-space-size=16',
    // Processors are fewer than processes: threads that collect and compile beside a test cost more than they give.
    '--single-threaded',
    ...suite.imports.map((path) => `--import=${pathToFileURL(join(import.meta.dirname, path)).href}`),
  ],
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    DARKROOM_TEST_EMPTY_DATABASE: emptyDatabase,
    NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', `--import=${hook}`].join(' ').trim(),
    TMPDIR: fastFolder(),
    ...(suite.database === undefined ? {} : { DARKROOM_TEST_DATABASE: suite.database }),
    ...(suite.rounds === undefined ? {} : { DARKROOM_TEST_ROUNDS: `${suite.rounds}` }),
    ...(kind === 'citus' ? { DARKROOM_TEST_SCHEMAS: 'true' } : {}),
  },
});
// A file that a failed test keeps open must not keep the whole run.
let watch = endIfSilent();
results.on('data', () => {
  clearTimeout(watch);
  watch = endIfSilent();
});
const seconds = new Map<string, number>();
const failed = new Set<string>();
/** Of each process, the places of failures in tests that a helper defines. The end of a file tells whose they were. */
const inHelpers = new Map<string, string[]>();
results.on('test:fail', (event) => {
  process.exitCode = 1;
  const { file = '', details } = event;
  // A suite whose tests fail fails with them, and has the place of what wraps it.
  const { failureType } = details.error as Error & { readonly failureType?: string };
  if (details.type === 'suite' && failureType === 'subtestsFailed') return;
  const name = relative(ROOT, file);
  const entry = entryOf(event);
  if (files.includes(name)) failed.add(name);
  else if (files.includes(entry)) failed.add(entry);
  else inHelpers.set(entry, [...(inHelpers.get(entry) ?? []), name]);
});
results.on('test:pass', (event) => {
  const entry = entryOf(event);
  if (event.nesting > 0 || !inHelpers.has(entry)) return;
  const ended = files.find((file) => event.name === `the end of ${file}`);
  if (ended === undefined) return;
  failed.add(ended);
  inHelpers.delete(entry);
});
for (const event of ['test:pass', 'test:fail'] as const)
  results.on(
    event,
    ({ file, nesting, details }: { file?: string; nesting: number; details: { duration_ms: number } }) => {
      const name = relative(ROOT, file ?? '');
      if (nesting > 0 || !files.includes(name)) return;
      seconds.set(name, (seconds.get(name) ?? 0) + details.duration_ms / 1_000);
    },
  );
results.compose(spec).pipe(process.stdout);
await once(results, 'end');
clearTimeout(watch);
await rm(folder, { recursive: true });
for (const name of [...inHelpers.values()].flat()) failed.add(name);
printLongest();
if (mayRepeat()) process.exitCode = repeatFailed();

/** Returns the file with which the process of an event began. The types do not have it yet. */
function entryOf(event: object): string {
  const { entryFile = '' } = event as { readonly entryFile?: string };
  return relative(ROOT, entryFile);
}

function endIfSilent(): NodeJS.Timeout {
  return setTimeout(() => {
    console.error(`No test has said anything for ${SILENCE_MS / 60_000} minutes; the run is ended.`);
    process.exit(1);
  }, SILENCE_MS);
}

/** Prints the files whose tests took longest: they are where a faster run begins. */
function printLongest(): void {
  const longest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, LISTED);
  console.log('\nSeconds of the files whose tests took longest:');
  for (const [name, time] of longest) console.log(`${time.toFixed(1).padStart(7)} ${name}`);
}

/**
 * A shared machine can stand still within any test. So CI runs a few files that failed once more, alone: what fails
 * twice is broken, and what passes then is listed as red once.
 */
function mayRepeat(): boolean {
  const isKnown = [...failed].every((file) => files.includes(file));
  return process.env.CI === 'true' && isKnown && parts.length === 0 && failed.size > 0 && failed.size <= MOST_REPEATED;
}

function repeatFailed(): number {
  console.log(`\nRed once, and run again alone: ${[...failed].join(', ')}\n`);
  const program = join(import.meta.dirname, 'run-tests.ts');
  return spawnSync(process.execPath, [program, kind, ...failed], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** Writes the programs of the processes that run several files: as many for each kind as its files need. */
async function writeGroups(shared: readonly string[]): Promise<string[]> {
  const kinds = Map.groupBy(shared, (file) => suite?.together.find(({ of }) => isIn(of, file)));
  const groups = (suite?.together ?? []).map((kind) => writeProcesses(kinds.get(kind) ?? [], kind));
  return (await Promise.all(groups)).flat();
}

async function writeProcesses(
  files: readonly string[],
  { of: [beginning = ''], files: most }: Suite['together'][number],
): Promise<string[]> {
  const claims = await mkdtemp(join(folder, 'claims-'));
  const program = pathToFileURL(join(import.meta.dirname, 'run-files-together.ts')).href;
  const paths = files.map((file) => join(ROOT, file));
  const call = [paths, claims, most].map((value) => JSON.stringify(value, null, 2)).join(', ');
  const processes = Math.ceil(files.length / most);
  return await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const name = `${beginning.replaceAll('/', '-') || 'others-'}${index + 1}-of-${processes}.test.ts`;
      const file = join(folder, name);
      await writeFile(file, `import { runFilesTogether } from '${program}';\nawait runFilesTogether(${call});\n`);
      return file;
    }),
  );
}

/**
 * Where the system keeps files in memory, flushing them costs nothing; what a killed process wrote outlives it there
 * too.
 */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= ROOM_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
