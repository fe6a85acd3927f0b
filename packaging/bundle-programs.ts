import { globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { packageFiles } from './package-files.ts';

/** These stay as installed: native packages, and `mediabunny`, which the codecs must share. */
const KEPT = /^(sharp$|@napi-rs\/canvas$|mediabunny$|@mediabunny\/|pg-native$)/;
/** The address of a program that runs in a thread or a process. */
const PROGRAM = /new URL\('(\.[^']+\.js)', import\.meta\.url\)/g;
/** The directory of the package that a file belongs to. */
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
/**
 * Our packages, whose roots name more than one program needs: what it does not use it need not load. One file is there
 * for what it does as it is loaded.
 */
const OWN_PACKAGE = /[\\/]lib[\\/]packages[\\/](?!.*sharp-settings\.js$)/;
const MAIN = 'src/main.js';
/** What other programs import. */
const LIBRARY = 'src/create-darkroom.js';

/**
 * Bundles the compiled files, with the packages that they import, into one file for each program and common chunks:
 * Node loads a few large files much faster than two thousand small ones, and an installation holds only what runs.
 * @param lib the directory of the compiled files, which the bundles replace.
 * @returns the directories of the packages whose code is in the bundles
 * @throws Error if a bundle imports a package that is not installed beside it
 */
export async function bundlePrograms(lib: string): Promise<string[]> {
  const input = Object.fromEntries(
    [MAIN, LIBRARY, ...findPrograms(lib)].map((path) => [nameOf(path), join(lib, path)]),
  );
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => isBuiltin(id) || isKept(id),
    treeshake: { moduleSideEffects: [{ test: OWN_PACKAGE, sideEffects: false }] },
    plugins: [resolveOwn(lib), keepPlaces(lib)],
    logLevel: 'warn',
  });
  const target = `${lib}-bundled`;
  rmSync(target, { recursive: true, force: true });
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    // The sources have them, and so have the packages' own files.
    comments: { jsdoc: false },
  });
  await bundle.close();
  rmSync(lib, { recursive: true });
  renameSync(target, lib);
  const packages = new Set<string>();
  for (const file of output) {
    if (file.type !== 'chunk') continue;
    const strange = [...file.imports, ...file.dynamicImports].find(
      (id) => !output.some(({ fileName }) => fileName === id) && !isBuiltin(id) && !isKept(id),
    );
    if (strange !== undefined)
      throw new Error(`lib/${file.fileName} imports a package that is not bundled: ${strange}`);
    for (const id of file.moduleIds) {
      const directory = PACKAGE.exec(id)?.[0];
      if (directory !== undefined) packages.add(directory);
    }
  }
  return [...packages].sort();
}

/** Tells whether a package is installed beside the bundles. */
export function isKept(name: string): boolean {
  return KEPT.test(name);
}

/** Finds the programs that other files start, as paths in `lib`. */
function findPrograms(lib: string): string[] {
  const programs = new Set<string>();
  for (const file of globSync('**/*.js', { cwd: lib }).map((path) => path.split(sep).join('/')))
    for (const [, program = ''] of readFileSync(join(lib, file), 'utf8').matchAll(PROGRAM))
      programs.add(posix.join(posix.dirname(file), program));
  return [...programs];
}

/** Leads an import of one of our packages to its compiled file. */
function resolveOwn(lib: string): Plugin {
  const own = packageFiles(dirname(lib));
  return {
    name: 'resolve-own',
    resolveId(name) {
      const path = own.get(name);
      return path === undefined ? null : join(lib, path.replace(/\.ts$/, '.js'));
    },
  };
}

/** All bundles lie directly in `lib`, which is as deep as `src`: what a file finds from its own place, it must find from there. */
function keepPlaces(lib: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const path = relative(lib, id).split(sep).join('/');
      if (path.startsWith('..') || !code.includes('import.meta')) return null;
      const directory = posix.relative('src', posix.dirname(path));
      return code
        .replace(
          PROGRAM,
          (_, program: string) =>
            `new URL('./${nameOf(posix.join(posix.dirname(path), program))}.js', import.meta.url)`,
        )
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${directory}')`);
    },
  };
}

/** Returns the name of a program's bundle. */
function nameOf(path: string): string {
  return path === MAIN ? 'darkroom' : path.replaceAll(/^src\/|\.js$/g, '').replaceAll('/', '-');
}
