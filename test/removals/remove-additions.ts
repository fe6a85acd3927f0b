import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testsBuiltOn } from './built-on.ts';
import { copyCheckout, LIST, SCOPE } from './copy-checkout.ts';
import { nearTests } from './near-tests.ts';

/**
 * Takes additions out of a copy of this checkout, one at a time: `npm run additions:remove [-- [--types] <name>…]`.
 * `<name>+<name>` takes out both at once. Without names it takes out all workspaces at once, then each addition, with
 * those that depend on it, and with the tests elsewhere that import it. The rest must compile, the tests that name what
 * the addition has must pass, and an order must be placed, made and charged. `--types` only compiles.
 *
 * Prints a line for each. Ends with 1 if anything failed.
 */
const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['additions', 'src/additions'];
/** What all additions share: the others do not start without it. */
const SHARED = 'common';
const ORDERS = ['test/contract/first-order.test.ts', 'test/contract/money.test.ts'];
const MOST_SHOWN = 40;
/** What the compiler knows of the whole checkout, so that it reads again only what a removal changes. */
const KNOWN = 'types.tsbuildinfo';
const FIRST_KNOWN = 'types-of-all.tsbuildinfo';

/** An addition's folder, from the root. */
type Folder = string;

const all: readonly Folder[] = FOLDERS.flatMap((folder) =>
  globSync('*/', { cwd: join(ROOT, folder) })
    .sort()
    .map((name) => `${folder}/${name.replace(/\W$/, '')}`),
).filter((folder) => nameOf(folder) !== SHARED);
const onlyTypes = process.argv.includes('--types');
const names = process.argv.slice(2).filter((word) => word !== '--types');
const unknown = names.flatMap((name) => name.split('+')).filter((name) => !all.some((one) => nameOf(one) === name));
if (unknown.length > 0)
  throw new Error(`expected names of additions (${all.map(nameOf).join(', ')}), found ${unknown.join(', ')}`);
const wanted: readonly (readonly Folder[])[] =
  names.length > 0
    ? names.map((name) => all.filter((folder) => name.split('+').includes(nameOf(folder))))
    : [all.filter((folder) => folder.startsWith('additions/')), ...all.map((folder) => [folder])];

const work = await mkdtemp(join(tmpdir(), 'darkroom-removals-'));
try {
  const copy = join(work, 'copy');
  await copyCheckout(ROOT, copy);
  const faults = compile(copy);
  if (faults.length > 0) throw new Error(`expected no type errors with all additions, found\n${faults.join('\n')}`);
  await rename(join(copy, KNOWN), join(copy, FIRST_KNOWN));
  const list = await readFile(join(copy, LIST), 'utf8');
  for (const folders of wanted) await tryWithout(folders, { copy, list });
} finally {
  await rm(work, { recursive: true });
}

function nameOf(folder: Folder): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

async function tryWithout(
  folders: readonly Folder[],
  { copy, list }: { readonly copy: string; readonly list: string },
): Promise<void> {
  const began = performance.now();
  const removed = [...new Set([...folders, ...(await Promise.all(folders.map(dependentsOf))).flat()])];
  const leaving = [...removed, ...testsBuiltOn(ROOT, removed)];
  const aside = await mkdtemp(join(work, 'aside-'));
  for (const path of leaving) await rename(join(copy, path), join(aside, path.replaceAll('/', '-')));
  await writeFile(join(copy, LIST), removed.reduce(withoutEntry, list));
  await copyFile(join(copy, FIRST_KNOWN), join(copy, KNOWN));

  const errors = compile(copy);
  const near = onlyTypes ? [] : (await nearTests(ROOT, removed)).filter((path) => !leaving.includes(path));
  const tests = onlyTypes ? null : test([...ORDERS, ...near], copy);
  if (errors.length > 0 || (tests !== null && tests.status !== 0)) process.exitCode = 1;
  const words = [
    `${removed.map(nameOf).join(' and ')}: ${leaving.length - removed.length} tests elsewhere leave too`,
    `${errors.length} type errors`,
    ...(tests === null ? [] : [`orders and ${near.length} near test files ${tests.status === 0 ? 'pass' : 'FAIL'}`]),
    `${((performance.now() - began) / 1_000).toFixed(0)} s`,
  ];
  console.log(words.join(', '));
  for (const line of errors.slice(0, MOST_SHOWN)) console.log(`  ${line}`);
  if (tests !== null && tests.status !== 0) console.log(tests.stdout.slice(tests.stdout.indexOf('failing tests')));

  for (const path of leaving) await rename(join(aside, path.replaceAll('/', '-')), join(copy, path));
}

function test(files: readonly string[], copy: string): ReturnType<typeof run> {
  return run(['--env-file=test/quick.env', '--test', '--test-concurrency=2', ...files], copy);
}

/** Returns the type errors of a checkout. */
function compile(copy: string): string[] {
  const options = ['--incremental', '--tsBuildInfoFile', join(copy, KNOWN)];
  const { stdout } = run([join(ROOT, 'node_modules/typescript/bin/tsc'), ...options], copy);
  return stdout.split('\n').filter((line) => /error TS\d+/.test(line));
}

function run(args: readonly string[], cwd: string): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

/** Returns the additions whose packages depend on that of another one. */
async function dependentsOf(folder: Folder): Promise<Folder[]> {
  const isDependent = async (other: Folder) => {
    if (!other.startsWith('additions/')) return false;
    const { dependencies = {} } = JSON.parse(await readFile(join(ROOT, other, 'package.json'), 'utf8')) as {
      readonly dependencies?: object;
    };
    return Object.hasOwn(dependencies, `${SCOPE}/addition-${nameOf(folder)}`);
  };
  const found = await Promise.all(all.map(isDependent));
  return all.filter((_, index) => found[index] === true);
}

/** Returns the list of all additions without one. */
function withoutEntry(list: string, folder: Folder): string {
  const name = nameOf(folder);
  const from = folder.startsWith('src/') ? `\\./${name}/[\\w-]+\\.ts` : `${SCOPE}/addition-${name}`;
  const [line = '', constant = ''] = new RegExp(`^import \\{ (\\w+) \\} from '${from}';\\n`, 'm').exec(list) ?? [];
  if (line === '') throw new Error(`expected an import of ${folder} in ${LIST}, found none`);
  return list.replace(line, '').replace(`  ${constant},\n`, '');
}
