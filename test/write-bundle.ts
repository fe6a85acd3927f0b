import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { packageFiles } from '../packaging/package-files.ts';
import { createChunkNames } from './shared-chunks.ts';

/** An address in a package, and what it exports. */
export interface Entry {
  readonly specifier: string;
  readonly exported: readonly string[];
}

export interface BundleInput {
  readonly root: string;
  /** Source files, from the root. Each becomes `source-<index>.mjs`. */
  readonly paths: readonly string[];
  /** Each becomes `package-<index>.mjs`. */
  readonly packages: readonly Entry[];
  /** Folders that files, from the root, take for their own; without an entry, each has its real one. */
  readonly places: ReadonlyMap<string, string>;
}

const NAME = /^[A-Za-z_$][\w$]*$/;
const PACKAGE = /^(?:@[^/]+\/)?[^/:.][^/:]*/;
/** Loaded only where it is needed. */
const NEVER = /^pg-native$/;
const NOT_ASCII = /[^\0-\x7f]/g;

/**
 * Bundles files and packages. Each module still runs when it is first imported, and its other imports stay as they are.
 */
export async function writeBundle(folder: string, input: BundleInput): Promise<void> {
  const { root, paths, packages, places } = input;
  const files = paths.map((path) => join(root, path));
  const bundle = await rolldown({
    input: Object.fromEntries([
      ...files.map((file, index) => [`source-${index}`, file]),
      ...packages.map((_, index) => [`package-${index}`, `package-${index}`]),
    ]),
    cwd: root,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'silent',
    plugins: [resolveImports(root, new Set(files), packages), keepPlaces(root, places)],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
    strictExecutionOrder: true,
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: createChunkNames(root, files) }] },
  });
  await bundle.close();
}

function resolveImports(root: string, files: ReadonlySet<string>, packages: readonly Entry[]): Plugin {
  const names = new Set(packages.map(({ specifier }) => PACKAGE.exec(specifier)?.[0]));
  const folder = join(root, 'node_modules', '/');
  const workspaces = packageFiles(root);
  return {
    name: 'resolve-imports',
    resolveId(name, importer) {
      const own = /^package-(\d+)$/.exec(name);
      if (own !== null) return join(root, name);
      if (NEVER.test(name)) return { id: name, external: true };
      const isOurs = importer?.startsWith(root) === true && !importer.startsWith(folder);
      if (!isOurs || name.startsWith('node:') || files.has(name)) return null;
      if (name.startsWith('.')) {
        const file = resolve(dirname(importer), name);
        return files.has(file) ? file : { id: pathToFileURL(file).href, external: true };
      }
      const file = join(root, workspaces.get(name) ?? '');
      if (files.has(file)) return file;
      return names.has(PACKAGE.exec(name)?.[0] ?? '') ? null : { id: name, external: true };
    },
    load(id) {
      const own = /^package-(\d+)$/.exec(id.slice(root.length + 1));
      const entry = own === null ? undefined : packages[Number(own[1])];
      return entry === undefined ? null : sourceOf(entry);
    },
  };
}

/** Names every export: those of a package in CommonJS are known only when it runs. */
function sourceOf({ specifier, exported }: Entry): string {
  const names = exported.filter((name) => NAME.test(name) && name !== 'default' && name !== 'module.exports');
  return [
    `import * as all from '${specifier}';`,
    'const found = { ...all.default, ...all };',
    ...names.map((name, index) => `const e${index} = found[${JSON.stringify(name)}];`),
    `export { ${names.map((name, index) => `e${index} as ${name}`).join(', ')} };`,
    ...(exported.includes('default') ? ['export default all.default;'] : []),
  ].join('\n');
}

/** What a file finds from its own place, it must find from the bundle. */
function keepPlaces(root: string, places: BundleInput['places']): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta') || id.startsWith(join(root, 'node_modules'))) return null;
      return code
        .replaceAll('import.meta.dirname', JSON.stringify(places.get(relative(root, id)) ?? dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
    },
    // Node reads a file of ASCII alone fastest.
    renderChunk: (code) =>
      code.replaceAll(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  };
}
