import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKept } from './bundle-programs.ts';

/** `npm pack` puts the `package.json` of the checkout into the package, so it is replaced for that time. */
const ORIGINAL = 'package.json.original.tmp';

/**
 * Lists what our packages need beside the bundles, and leaves out the dependencies whose code is in them and what only a
 * checkout can use. Call it last: everything else needs the original. npm reads `prepare` from this manifest, so `prepack` runs it before.
 */
export function writeManifest(root: string): void {
  const path = join(root, 'package.json');
  const {
    workspaces: _workspaces,
    scripts: _scripts,
    devDependencies: _devDependencies,
    ...manifest
  } = JSON.parse(readFileSync(path, 'utf8'));
  const needed = [
    path,
    ...globSync('{packages,additions}/*/package.json', { cwd: root }).map((one) => join(root, one)),
  ].flatMap((one) => Object.entries<string>(JSON.parse(readFileSync(one, 'utf8')).dependencies ?? {}));
  const kept = Object.fromEntries(needed.filter(([name]) => isKept(name)).sort());
  writeFileSync(join(root, ORIGINAL), readFileSync(path));
  const exports = Object.entries<string>(manifest.exports).map(([address, file]) => [address, compiledExport(file)]);
  const packed = { ...manifest, exports: Object.fromEntries(exports), dependencies: kept };
  writeFileSync(path, `${JSON.stringify(packed, null, 2)}\n`);
}

/** Only the kernel has types: the service inside another program has one function. */
function compiledExport(file: string): string | { readonly types: string; readonly default: string } {
  const name = file.replace(/^\.\/src\/|\.ts$/g, '');
  const compiled = `./lib/${name}.js`;
  return name.startsWith('kernel') ? { types: `./lib/types/src/${name}.d.ts`, default: compiled } : compiled;
}

/** Puts the original back, also after a packing that was interrupted. */
export function restoreManifest(root: string): void {
  const original = join(root, ORIGINAL);
  if (existsSync(original)) renameSync(original, join(root, 'package.json'));
}
