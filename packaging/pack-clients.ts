import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packCommandLine } from './pack-command-line.ts';
import { packPythonClient } from './pack-python.ts';

/**
 * Compiles the clients and packs them: `npm run pack:clients [folder]` writes a tarball of each TypeScript client and of
 * the command line, wheel and source archive of the Python client, and the nodes for ComfyUI as they are, by default
 * into `clients/dist`, where the service takes them from.
 * In the checkout a client's `package.json` leads to its TypeScript sources; the one in the package, to JavaScript and
 * types.
 */
const ROOT = join(import.meta.dirname, '..');
/** Each is packed into those that follow and depend on it: no registry has it. */
const CLIENTS = ['clients/typescript', 'clients/ai-sdk', 'clients/n8n'] as const;
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const [destination = join(ROOT, 'clients', 'dist')] = process.argv.slice(2);
if (existsSync(COMPILER)) await packClients();
else process.stdout.write('The clients are not packed: that takes the development dependencies (npm ci).\n');

async function packClients(): Promise<void> {
  mkdirSync(destination, { recursive: true });
  for (const name of globSync('*.{tgz,whl,tar.gz,py}', { cwd: destination })) rmSync(join(destination, name));
  const packed = new Map<string, string>();
  for (const client of CLIENTS) {
    const { name, dist } = compileClient(join(ROOT, client), packed);
    execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: dist, stdio: 'ignore' });
    packed.set(name, dist);
  }
  await packCommandLine(join(ROOT, 'clients', 'command-line'), destination);
  await packPythonClient(join(ROOT, 'clients', 'python'), destination);
  copyFileSync(join(ROOT, 'clients', 'comfyui', 'darkroom_nodes.py'), join(destination, 'darkroom_nodes.py'));
}

/** @param packed the folders of the clients that are already compiled, by name */
function compileClient(folder: string, packed: ReadonlyMap<string, string>): { name: string; dist: string } {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  execFileSync(process.execPath, [COMPILER, '-p', folder], { stdio: 'inherit' });
  // The compiler leaves the endings of imports in types as they are.
  for (const path of globSync('lib/**/*.d.ts', { cwd: dist })) {
    const text = readFileSync(join(dist, path), 'utf8');
    writeFileSync(join(dist, path), text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
  }
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const bundled = [...packed.keys()].filter((name) => name in (manifest.dependencies ?? {}));
  for (const name of bundled)
    cpSync(packed.get(name) ?? name, join(dist, 'node_modules', name), { recursive: true, dereference: true });
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packedManifest(manifest, bundled), null, 2)}\n`);
  copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'));
  return { name: manifest.name, dist };
}

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly exports: Readonly<Record<string, string>>;
  /** The files that n8n loads, by their kind. */
  readonly n8n?: Readonly<Record<string, number | readonly string[]>>;
}

function packedManifest({ bin, imports, exports, n8n, ...manifest }: Manifest, bundled: readonly string[]): object {
  const entries = Object.entries(exports).map(([name, path]) => [
    name,
    { types: `./${compiled(path, 'd.ts')}`, default: `./${compiled(path, 'js')}` },
  ]);
  const inner = Object.entries(imports ?? {}).map(([name, paths]) => [name, inEach(paths, './')]);
  return {
    ...manifest,
    files: ['lib'],
    sideEffects: false,
    ...(inner.length === 0 ? {} : { imports: Object.fromEntries(inner) }),
    exports: Object.fromEntries(entries),
    ...(bin === undefined ? {} : { bin: inEach(bin) }),
    ...(n8n === undefined ? {} : { n8n: filesOf(n8n) }),
    ...(bundled.length === 0 ? {} : { bundleDependencies: bundled }),
  };
}

function inEach(paths: Readonly<Record<string, string>>, start = ''): object {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `${start}${compiled(path, 'js')}`]));
}

function filesOf(n8n: NonNullable<Manifest['n8n']>): object {
  return Object.fromEntries(
    Object.entries(n8n).map(([kind, files]) => [
      kind,
      typeof files === 'number' ? files : files.map((path) => compiled(path, 'js')),
    ]),
  );
}

function compiled(path: string, ending: string): string {
  return path.replace(/^(?:\.\/)?src\//, 'lib/').replace(/\.ts$/, `.${ending}`);
}
