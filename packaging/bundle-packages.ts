import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type BundledPackages, LIST_OF_PACKAGES } from '@darkroom-service/media/process';
import { rolldown } from 'rolldown';

/**
 * Bundles the packages of hundreds of small modules that every start and every command loads, into `compiled/packages`.
 * Each is one instance there, however many of its addresses are imported.
 */
const ROOT = join(import.meta.dirname, '..');
const COMPILED = join(ROOT, 'compiled');
const DIRECTORY = join(COMPILED, 'packages');
const PACKAGES = ['kysely', 'typebox'];

const manifests = PACKAGES.map((name) => {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
  return JSON.parse(text) as { name: string; version: string; exports: Record<string, unknown> };
});
const specifiers = manifests.flatMap(({ name, exports }) => Object.keys(exports).map((key) => posix.join(name, key)));
const nameOf = (specifier: string) => specifier.replaceAll('/', '-');

await mkdir(COMPILED, { mode: 0o700, recursive: true });
await rm(DIRECTORY, { recursive: true, force: true });
await using bundle = await rolldown({
  input: Object.fromEntries(specifiers.map((specifier) => [nameOf(specifier), specifier])),
  cwd: ROOT,
  platform: 'node',
});
await bundle.write({
  dir: DIRECTORY,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunk-[hash].mjs',
  comments: false,
});
const list: BundledPackages = {
  versions: Object.fromEntries(manifests.map(({ name, version }) => [name, version])),
  files: Object.fromEntries(specifiers.map((specifier) => [specifier, `${nameOf(specifier)}.mjs`])),
};
await writeFile(join(DIRECTORY, LIST_OF_PACKAGES), JSON.stringify(list));
