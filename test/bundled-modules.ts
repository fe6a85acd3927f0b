import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The packages of many small files that nearly every test process loads, which takes a third of the start of a service
 * and half of the start of a command. What they import is bundled with them, so that all of them share one copy.
 */
const PACKAGES = [
  '@fastify/cors',
  '@fastify/multipart',
  '@fastify/swagger',
  '@fastify/type-provider-typebox',
  'ajv',
  'canonicalize',
  'commander',
  'fast-check',
  'fastify',
  'ipaddr.js',
  'kysely',
  'prom-client',
  'typebox',
  'undici',
];
/** Loaded from a file of its own, with a program beside it, or only where it is needed. */
const KEPT = /^(node:|pino$|pg-native$)/;
const IMPORTED = /from '([^']+)'/g;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Bundles these packages once for each state of the lock file.
 * @returns the address of a module to import before any other: it leads the imports of these packages to their bundles.
 */
export async function bundlePackages(root: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache');
  const state = createHash('sha256');
  for (const file of [join(root, 'package-lock.json'), import.meta.filename]) state.update(readFileSync(file));
  const specifiers = findSpecifiers(root);
  state.update(specifiers.join());
  const folder = join(cache, `test-packages-${state.digest('hex').slice(0, 12)}`);
  const hook = join(folder, 'use-bundles.mjs');
  if (!existsSync(hook)) await writeBundles(folder, root, specifiers);
  return pathToFileURL(hook).href;
}

/** Every address in these packages that a source file imports, such as `typebox/value`. */
function findSpecifiers(root: string): string[] {
  const found = new Set<string>();
  for (const file of globSync('{src,test}/**/*.ts', { cwd: root }))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED))
      if (PACKAGES.some((one) => name === one || name.startsWith(`${one}/`))) found.add(name);
  return [...found].sort();
}

async function writeBundles(folder: string, root: string, specifiers: readonly string[]): Promise<void> {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  const named = await Promise.all(
    specifiers.map(async (specifier) => ({ specifier, exported: Object.keys(await import(specifier)) })),
  );
  const entries = new Map(named.map((one, index) => [`entry-${index}`, one]));
  const bundle = await rolldown({
    input: Object.fromEntries([...entries.keys()].map((name) => [name, name])),
    cwd: cache,
    platform: 'node',
    external: KEPT,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (entries.has(id) ? join(cache, id) : null),
        load(id) {
          const entry = entries.get(id.slice(cache.length + 1));
          return entry === undefined ? null : sourceOf(entry.specifier, entry.exported);
        },
      },
    ],
  });
  await bundle.write({ dir: making, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  const places = [...entries].map(([name, { specifier }]) => [specifier, `./${name}.mjs`]);
  await writeFile(join(making, 'use-bundles.mjs'), hookOf(places, root));
  await rename(making, folder).catch(async (error: unknown) => {
    // Another run was first.
    await rm(making, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
}

/** Names every export: those of a package in CommonJS are known only when it runs. */
function sourceOf(specifier: string, exported: readonly string[]): string {
  const names = exported.filter((name) => NAME.test(name) && name !== 'default' && name !== 'module.exports');
  return [
    `import * as all from '${specifier}';`,
    'const found = { ...all.default, ...all };',
    ...names.map((name, index) => `const e${index} = found[${JSON.stringify(name)}];`),
    `export { ${names.map((name, index) => `e${index} as ${name}`).join(', ')} };`,
    ...(exported.includes('default') ? ['export default all.default;'] : []),
  ].join('\n');
}

/**
 * Also leads a relative import of a source to its file without looking at the disk: a process of the tests has hundreds
 * of them, and asking the system for each takes a quarter of their loading.
 */
function hookOf(places: readonly (readonly string[])[], root: string): string {
  const sources = ['src', 'test'].map((folder) => pathToFileURL(join(root, folder, '/')).href);
  return `import { registerHooks } from 'node:module';
const places = new Map(${JSON.stringify(places)}.map(([name, place]) => [name, new URL(place, import.meta.url).href]));
const sources = ${JSON.stringify(sources)};
registerHooks({
  resolve(name, context, next) {
    const parent = context.parentURL ?? '';
    if (name.startsWith('.') && name.endsWith('.ts') && sources.some((folder) => parent.startsWith(folder)))
      return { url: new URL(name, parent).href, format: 'module-typescript', shortCircuit: true };
    const url = context.conditions.includes('import') ? places.get(name) : undefined;
    return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true };
  },
});
`;
}
