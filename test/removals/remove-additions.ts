import { spawnSync } from 'node:child_process';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Takes additions out of a copy of this checkout, one at a time: `npm run additions:remove [<name>…]`. Without names it
 * takes out each that has a workspace, with those that depend on it. The rest must compile, and must place, make and
 * charge an order.
 *
 * Prints a line for each addition. Ends with 1 if anything failed.
 */
const ROOT = join(import.meta.dirname, '..', '..');
const LIST = 'src/additions/list.ts';
/** The packages' own scope, whose entries in `node_modules` are links to the folders of a checkout. */
const SCOPE = '@darkroom-service';
/** What all additions share: the others do not start without it. */
const SHARED = 'common';
const ORDERS = ['test/contract/first-order.test.ts', 'test/contract/money.test.ts'];
const MOST_SHOWN = 12;

const all = (await readdir(join(ROOT, 'additions'))).filter((name) => name !== SHARED);
const unknown = process.argv.slice(2).filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`expected names of additions (${all.join(', ')}), found ${unknown.join(', ')}`);
const names = process.argv.length > 2 ? process.argv.slice(2) : all;

const tracked = run('git', ['ls-files'], ROOT).stdout.split('\n').filter(Boolean);
for (const name of names) {
  const copy = await mkdtemp(join(tmpdir(), `darkroom-without-${name}-`));
  try {
    const removed = [name, ...(await dependentsOf(name))];
    await copyWithout(removed, copy);
    const types = run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], copy).stdout;
    const errors = types.split('\n').filter((line) => /error TS\d+/.test(line));
    const orders = run(process.execPath, ['--env-file=test/quick.env', '--test', ...ORDERS], copy);
    const isWhole = errors.length === 0 && orders.status === 0;
    if (!isWhole) process.exitCode = 1;
    console.log(
      `${removed.join(' and ')}: ${errors.length} type errors, orders ${orders.status === 0 ? 'are made' : 'FAIL'}`,
    );
    for (const line of errors.slice(0, MOST_SHOWN)) console.log(`  ${line}`);
    if (orders.status !== 0) console.log(orders.stdout.slice(-2_000));
  } finally {
    await rm(copy, { recursive: true });
  }
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

/** Returns the additions whose packages depend on that of another one. */
async function dependentsOf(name: string): Promise<string[]> {
  const isDependent = async (other: string) => {
    const text = await readFile(join(ROOT, 'additions', other, 'package.json'), 'utf8');
    return Object.hasOwn(
      (JSON.parse(text) as { dependencies?: object }).dependencies ?? {},
      `${SCOPE}/addition-${name}`,
    );
  };
  const found = await Promise.all(all.map(isDependent));
  return all.filter((other, index) => other !== name && found[index] === true);
}

/** Copies the tracked files except the folders of some additions, whose entries leave the list of all. */
async function copyWithout(names: readonly string[], copy: string): Promise<void> {
  for (const path of tracked.filter((path) => !names.some((name) => path.startsWith(`additions/${name}/`)))) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    const file = await lstat(join(ROOT, path));
    if (file.isSymbolicLink()) await symlink(await readlink(join(ROOT, path)), join(copy, path));
    else await copyFile(join(ROOT, path), join(copy, path));
  }
  let list = await readFile(join(ROOT, LIST), 'utf8');
  for (const name of names) {
    const [line = '', constant = ''] =
      new RegExp(`^import \\{ (\\w+) \\} from '${SCOPE}/addition-${name}';\\n`, 'm').exec(list) ?? [];
    if (line === '') throw new Error(`expected an import of ${SCOPE}/addition-${name} in ${LIST}, found none`);
    list = list.replace(line, '').replace(`  ${constant},\n`, '');
  }
  await writeFile(join(copy, LIST), list);
  await linkPackages(names, copy);
}

async function linkPackages(names: readonly string[], copy: string): Promise<void> {
  const folders = tracked.filter((path) => path.endsWith('package.json')).map((path) => dirname(path));
  for (const folder of folders) {
    const packages = join(ROOT, folder, 'node_modules');
    const entries = await readdir(packages).catch(() => []);
    if (entries.length === 0 || names.some((name) => folder.startsWith(`additions/${name}`))) continue;
    await mkdir(join(copy, folder, 'node_modules'));
    for (const entry of entries)
      if (entry !== SCOPE) await symlink(join(packages, entry), join(copy, folder, 'node_modules', entry));
  }
  // Links that lead from the copy's folder to the copy's own packages.
  const own = join(copy, 'node_modules', SCOPE);
  await mkdir(own);
  for (const entry of await readdir(join(ROOT, 'node_modules', SCOPE)))
    if (!names.some((name) => entry === `addition-${name}`))
      await symlink(await readlink(join(ROOT, 'node_modules', SCOPE, entry)), join(own, entry));
}
