import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';

/**
 * Compiles `src` into `lib`, as JavaScript: Node strips no types from packages under `node_modules`.
 * `npm pack` runs it. `lib` lies as deep as `src`, so that paths to the catalog, the console and the pages hold for
 * both.
 */
const ROOT = join(import.meta.dirname, '..');
const LIB = join(ROOT, 'lib');
/** The address of a program that runs in a thread or a process. The compiler changes the endings of imports only. */
const PROGRAM = /(new URL\('[^']+)\.ts(', import\.meta\.url\))/g;
const SOURCE_NAME = /['"`][./][^'"`]*\.ts['"`]/;

rmSync(LIB, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', import.meta.dirname], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
for (const path of globSync('**/*.js', { cwd: LIB })) {
  const text = readFileSync(join(LIB, path), 'utf8').replace(PROGRAM, '$1.js$2');
  const left = SOURCE_NAME.exec(text);
  if (left !== null) throw new Error(`lib/${path} names a file that the package does not hold: ${left[0]}`);
  writeFileSync(join(LIB, path), text);
}
await bundlePrograms(LIB);
