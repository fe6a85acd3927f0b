import { globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/**
 * These stay as installed: native packages, packages that are loaded only when they are needed, and `mediabunny`, which
 * the codecs must share.
 */
const KEPT =
  /^(node:|sharp$|@napi-rs\/canvas$|mediabunny$|@mediabunny\/|@aws-sdk\/|@modelcontextprotocol\/|zod|pg-native$)/;
/** The address of a program that runs in a thread or a process. */
const PROGRAM = /new URL\('(\.[^']+\.js)', import\.meta\.url\)/g;
const MAIN = 'cli/main.js';

/**
 * Bundles the compiled files, with the packages that they import, into one file for each program and common chunks:
 * Node loads a few large files much faster than two thousand small ones. The packages stay dependencies, for their
 * types, licences and native parts.
 * @param lib the directory of the compiled files, which the bundles replace.
 */
export async function bundlePrograms(lib: string): Promise<void> {
  const input = Object.fromEntries([MAIN, ...findPrograms(lib)].map((path) => [nameOf(path), join(lib, path)]));
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: KEPT,
    plugins: [keepPlaces(lib)],
    logLevel: 'warn',
  });
  const target = `${lib}-bundled`;
  rmSync(target, { recursive: true, force: true });
  await bundle.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
  });
  await bundle.close();
  rmSync(lib, { recursive: true });
  renameSync(target, lib);
}

/** Finds the programs that other files start, as paths in `lib`. */
function findPrograms(lib: string): string[] {
  const programs = new Set<string>();
  for (const file of globSync('**/*.js', { cwd: lib }).map((path) => path.split(sep).join('/')))
    for (const [, program = ''] of readFileSync(join(lib, file), 'utf8').matchAll(PROGRAM))
      programs.add(posix.join(posix.dirname(file), program));
  return [...programs];
}

/** All bundles lie directly in `lib`: what a file finds from its own place, it must find from there. */
function keepPlaces(lib: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const path = relative(lib, id).split(sep).join('/');
      if (path.startsWith('..') || !code.includes('import.meta')) return null;
      const directory = dirname(path);
      return code
        .replace(
          PROGRAM,
          (_, program: string) => `new URL('./${nameOf(posix.join(directory, program))}.js', import.meta.url)`,
        )
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${directory}')`);
    },
  };
}

/** Returns the name of a program's bundle. */
function nameOf(path: string): string {
  return path === MAIN ? 'darkroom' : path.replace(/\.js$/, '').replaceAll('/', '-');
}
