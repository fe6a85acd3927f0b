import { globSync, readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { bundlePackages } from './bundled-packages.ts';

/**
 * Runs what `npm test` runs: `node test/run-tests.ts <embedded|postgres> [part of a path]…`. A single file is best run
 * by `node --env-file=test/quick.env --test <file>`.
 *
 * Most files share a process with a few others, since loading the service takes longer than their tests do. A file that
 * takes long, or that touches its own process, such as its variables, its clock or its children, gets a process to
 * itself.
 */
const ROOT = join(import.meta.dirname, '..');
const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  embedded: ['src/**/*.test.ts', 'test/*.test.ts', 'test/{chaos,contract,crash,fuzz,hostile,siege,soak}/**/*.test.ts'],
  postgres: ['test/contract/**/*.test.ts'],
};
/** These take longest. They begin first, so that none of them runs alone at the end. */
const FIRST = ['test/chaos/', 'test/siege/', 'test/crash/', 'test/hostile/', 'src/cli/', 'test/fuzz/', 'test/soak/'];
/** The threads and the memory of native libraries outlive a file. */
const NATIVE = ['src/illustrator/', 'src/engines/', 'src/media/'];
const TOUCHES_ITS_PROCESS =
  /child_process|worker_threads|registerHooks|process\.(?:chdir|env|execPath|on|once|umask)\b|\bmock\b|globalThis|(?:awake|usual)-time|^before\(/m;
const FILES_TOGETHER = 6;
const AT_ONCE = 4;
const TEST_TIMEOUT_MS = 180_000;
const PROCESS_TIMEOUT_MS = 900_000;
const MEMORY_FOLDER = '/dev/shm';
const ROOM_NEEDED_BYTES = 4 * 2 ** 30;

const [kind = 'embedded', ...parts] = process.argv.slice(2);
const patterns = PATTERNS[kind];
if (patterns === undefined) throw new Error(`expected one of ${Object.keys(PATTERNS).join(', ')}, found "${kind}"`);
const files = globSync([...patterns], { cwd: ROOT })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
const isIn = (rooms: readonly string[], file: string) => rooms.some((room) => file.startsWith(room));
const early = files.filter((file) => isIn(FIRST, file));
const others = files.filter((file) => !early.includes(file));
const alone = others.filter(
  (file) => isIn(NATIVE, file) || TOUCHES_ITS_PROCESS.test(readFileSync(join(ROOT, file), 'utf8')),
);
const folder = await mkdtemp(join(tmpdir(), 'darkroom-tests-'));
const together = await writeGroups(others.filter((file) => !alone.includes(file)));

const results = run({
  files: [...early, ...together, ...alone].map((file) => resolve(ROOT, file)),
  cwd: ROOT,
  concurrency: AT_ONCE,
  timeout: PROCESS_TIMEOUT_MS,
  execArgv: [`--test-timeout=${TEST_TIMEOUT_MS}`],
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
    NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', `--import=${await bundlePackages(ROOT)}`].join(' ').trim(),
    TMPDIR: fastFolder(),
    ...(kind === 'postgres' ? { DARKROOM_TEST_DATABASE: 'postgres' } : {}),
  },
});
results.on('test:fail', () => {
  process.exitCode = 1;
});
results.on('end', () => void rm(folder, { recursive: true }));
results.compose(spec).pipe(process.stdout);

/** Files under `test/` first, since they take longer. */
async function writeGroups(shared: readonly string[]): Promise<string[]> {
  const ordered = shared.toSorted((a, b) => Number(b.startsWith('test')) - Number(a.startsWith('test')));
  const groups = Array.from({ length: Math.ceil(ordered.length / FILES_TOGETHER) }, (_, index) =>
    ordered.slice(index * FILES_TOGETHER, (index + 1) * FILES_TOGETHER),
  );
  return await Promise.all(groups.map(writeGroup));
}

async function writeGroup(group: readonly string[], index: number): Promise<string> {
  const [first = '', last = ''] = [group[0], group.at(-1)];
  const name = `${index}-${basename(dirname(first))}-${basename(first, '.test.ts')}-to-${basename(last)}`;
  const program = pathToFileURL(join(import.meta.dirname, 'run-files-together.ts')).href;
  const paths = group.map((file) => join(ROOT, file));
  const file = join(folder, name);
  await writeFile(
    file,
    `import { runFilesTogether } from '${program}';\nawait runFilesTogether(${JSON.stringify(paths, null, 2)});\n`,
  );
  return file;
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
