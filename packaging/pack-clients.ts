import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compiles the clients and packs them: `npm run pack:clients [folder]` writes one file per client, by default into the
 * root of the checkout. In the checkout a client's `package.json` leads to its TypeScript sources; the one in the
 * package, to JavaScript and types.
 */
const ROOT = join(import.meta.dirname, '..');
const CLIENTS = ['clients/typescript', 'clients/ai-sdk'] as const;
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const [destination = ROOT] = process.argv.slice(2);
for (const client of CLIENTS) {
  const folder = join(ROOT, client);
  if (!existsSync(join(folder, 'src', 'main.ts'))) continue;
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  execFileSync(process.execPath, [COMPILER, '-p', folder], { stdio: 'inherit' });
  // The compiler leaves the endings of imports in types as they are.
  for (const path of globSync('lib/**/*.d.ts', { cwd: dist })) {
    const text = readFileSync(join(dist, path), 'utf8');
    writeFileSync(join(dist, path), text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packedManifest(folder), null, 2)}\n`);
  copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'));
  execFileSync('npm', ['pack', '--pack-destination', destination], {
    cwd: dist,
    stdio: ['ignore', 'inherit', 'ignore'],
  });
}

function packedManifest(folder: string): object {
  const {
    devDependencies: _,
    bin,
    exports,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const commands = Object.entries<string>(bin ?? {}).map(([name, path]) => [name, compiled(path, 'js')]);
  const entries = Object.entries<string>(exports).map(([name, path]) => [
    name,
    { types: `./${compiled(path, 'd.ts')}`, default: `./${compiled(path, 'js')}` },
  ]);
  return {
    ...manifest,
    files: ['lib'],
    sideEffects: false,
    exports: Object.fromEntries(entries),
    ...(commands.length === 0 ? {} : { bin: Object.fromEntries(commands) }),
  };
}

function compiled(path: string, ending: string): string {
  return path.replace(/^(?:\.\/)?src\//, 'lib/').replace(/\.ts$/, `.${ending}`);
}
