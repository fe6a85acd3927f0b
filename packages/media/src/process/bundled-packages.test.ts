import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LIST_OF_PACKAGES } from './bundled-packages.ts';

const run = promisify(execFile);
const OWN = pathToFileURL(join(import.meta.dirname, 'bundled-packages.ts')).href;

/** Installs version 2 of a package, with bundles of `bundled`, and returns which of both a program imports. */
async function importedOf(t: TestContext, bundled: string | null): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'darkroom-bundled-'));
  t.after(() => rm(root, { recursive: true }));
  const [modules, bundles] = [join(root, 'node_modules'), join(root, 'bundles')];
  const installed = join(modules, 'many');
  await mkdir(join(installed, 'far'), { recursive: true });
  await mkdir(bundles);
  const exports = { './far': './far/index.js' };
  await writeFile(join(installed, 'package.json'), JSON.stringify({ version: '2.0.0', type: 'module', exports }));
  await writeFile(join(installed, 'far', 'index.js'), `export const from = 'installed';`);
  await writeFile(join(bundles, 'many-far.mjs'), `export const from = 'bundled';`);
  if (bundled !== null) await writeFile(join(bundles, LIST_OF_PACKAGES), bundled);
  const program = join(root, 'program.mjs');
  await writeFile(
    program,
    `import { useBundledPackages } from '${OWN}';
    useBundledPackages(${JSON.stringify(bundles)}, ${JSON.stringify(modules)});
    console.log((await import('many/far')).from);`,
  );
  return (await run(process.execPath, [program], { env: {} })).stdout.trim();
}

const listOf = (version: string) =>
  JSON.stringify({ versions: { many: version }, files: { 'many/far': 'many-far.mjs' } });

test('a package is imported from its bundle, if that is of the installed version', async (t) => {
  assert.equal(await importedOf(t, listOf('2.0.0')), 'bundled');
  assert.equal(await importedOf(t, listOf('1.0.0')), 'installed');
});

test('without a list of bundles, or with half of one, packages are imported as they are installed', async (t) => {
  assert.equal(await importedOf(t, null), 'installed');
  assert.equal(await importedOf(t, listOf('2.0.0').slice(0, 30)), 'installed');
});
