import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * These stay as installed: native packages, packages that are loaded only when they are needed, and `mediabunny`, which
 * the codecs must share.
 */
const KEPT = /^(node:|sharp$|@napi-rs\/canvas$|mediabunny$|@mediabunny\/|@aws-sdk\/|@modelcontextprotocol\/|zod)/;
/** A static import of a package, as the compiler writes it. */
const IMPORT = /^(import|export) ([^'";]*?) from '([^'."][^']*)';$/gm;

interface Use {
  readonly names: Set<string>;
  readonly files: Set<string>;
}

/**
 * Bundles the packages that every start loads into `lib/packages`, and makes the compiled files import them from there:
 * Node loads a few large files much faster than two thousand small ones. The packages stay dependencies, for their
 * types, licences and native parts.
 * @param lib the directory of the compiled files.
 */
export async function bundlePackages(lib: string): Promise<void> {
  const target = join(lib, 'packages');
  const facades = join(lib, '.facades');
  const uses = findUses(lib);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(facades);
  const input: Record<string, string> = {};
  for (const [specifier, { names }] of uses) {
    const path = join(facades, `${fileNameOf(specifier)}.js`);
    writeFileSync(path, `export { ${[...names].sort().join(', ')} } from '${specifier}';\n`);
    input[fileNameOf(specifier)] = path;
  }
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [/\.node$/, 'pg-native', KEPT],
    logLevel: 'warn',
  });
  await bundle.write({ dir: target, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' });
  await bundle.close();
  rmSync(facades, { recursive: true });
  for (const file of new Set([...uses.values()].flatMap(({ files }) => [...files]))) importBundles(lib, file);
}

/** Finds which names of which package the compiled files import. */
function findUses(lib: string): Map<string, Use> {
  const uses = new Map<string, Use>();
  for (const file of globSync('**/*.js', { cwd: lib })) {
    for (const [, , clause = '', specifier = ''] of readFileSync(join(lib, file), 'utf8').matchAll(IMPORT)) {
      if (KEPT.test(specifier)) continue;
      const use = uses.get(specifier) ?? { names: new Set(), files: new Set() };
      for (const name of namesIn(clause, `${file}: ${specifier}`)) use.names.add(name);
      use.files.add(file);
      uses.set(specifier, use);
    }
  }
  return uses;
}

function importBundles(lib: string, file: string): void {
  const packages = relative(dirname(join(lib, file)), join(lib, 'packages'))
    .split(sep)
    .join('/');
  const path = packages.startsWith('.') ? packages : `./${packages}`;
  const text = readFileSync(join(lib, file), 'utf8').replace(IMPORT, (line, kind, clause, specifier: string) =>
    KEPT.test(specifier) ? line : `${kind} ${clause} from '${path}/${fileNameOf(specifier)}.js';`,
  );
  writeFileSync(join(lib, file), text);
}

/** Returns the names in `a, { b, c as d }`. */
function namesIn(clause: string, where: string): string[] {
  const [, first = '', braces = ''] = /^([\w$]*)[, ]*(?:\{([^}]*)\})?$/.exec(clause.trim()) ?? [];
  const named = braces.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? '');
  const names = [...(first === '' ? [] : ['default']), ...named.filter((name) => name !== '')];
  if (names.length === 0) throw new Error(`cannot bundle an import without names: ${where}`);
  return names;
}

function fileNameOf(specifier: string): string {
  return specifier.replace(/^@/, '').replaceAll('/', '-').replace(/\.js$/, '');
}
