import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Packs each package by itself, as JavaScript with types, for programs without Darkroom:
 * `npm run pack:packages <folder>`. An installation needs a package and those that it depends on.
 */
const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['contract', 'media', 'files', 'store', 'illustrator', 'engines'] as const;
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** The address of a program that runs in a thread or a process, and the ending of an import in a type. */
const SOURCE_NAMES = /((?:new URL\('|from '|import\(["'])\.[^'"]+)\.ts(["'])/g;

const [target = '.'] = process.argv.slice(2);
const compiled = mkdtempSync(join(tmpdir(), 'darkroom-packages-'));
try {
  const project = join(import.meta.dirname, 'tsconfig.packages.json');
  execFileSync(process.execPath, [COMPILER, '-p', project, '--outDir', compiled], { stdio: 'inherit' });
  for (const path of globSync('**/*.{js,d.ts}', { cwd: compiled })) {
    const text = readFileSync(join(compiled, path), 'utf8');
    writeFileSync(join(compiled, path), text.replaceAll(SOURCE_NAMES, '$1.js$2'));
  }
  mkdirSync(resolve(target), { recursive: true });
  for (const name of PACKAGES) packOne(name);
} finally {
  rmSync(compiled, { recursive: true });
}

function packOne(name: string): void {
  const source = join(ROOT, 'packages', name);
  const folder = join(compiled, 'packages', name);
  for (const path of globSync('{*.md,fakes/*.json}', { cwd: source })) cpSync(join(source, path), join(folder, path));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const exports = Object.entries<string>(manifest.exports).map(([address, path]) => [address, compiledExport(path)]);
  const packed = { ...manifest, exports: Object.fromEntries(exports) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  execFileSync('npm', ['pack', '--pack-destination', resolve(target)], { cwd: folder, stdio: 'ignore' });
}

function compiledExport(path: string): string | { readonly types: string; readonly default: string } {
  if (!path.endsWith('.ts')) return path;
  return { types: path.replace(/\.ts$/, '.d.ts'), default: path.replace(/\.ts$/, '.js') };
}
