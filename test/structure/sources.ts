import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageFiles } from '../../packaging/package-files.ts';

export interface Import {
  readonly from: string;
  readonly to: string;
  /** Loaded when it is called for, or in a process of its own: this one loads without it. */
  readonly later: boolean;
  /** Whether the import comes into the same process, at once or later; a type does not. */
  readonly loads: boolean;
}

/** The sources of a checkout, with paths from its root. */
export interface Sources {
  readonly texts: ReadonlyMap<string, string>;
  /** The files that packages make public, by the addresses that others import. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Files that the service runs, of its own and of the packages. */
  readonly programs: readonly string[];
  readonly consoleFiles: readonly string[];
  /** @param text of the file, if it is none of `texts` */
  readonly importsOf: (path: string, text?: string) => Import[];
}

/** Reads the sources of a checkout. @param root its directory: this checkout or another */
export function readSources(root: string): Sources {
  const texts = new Map(
    globSync(['{src,packages,additions,test,bench,clients/*/src}/**/*.ts', 'console/src/**/*.{ts,tsx,css}'], {
      cwd: root,
      // The libraries of bench/peers.
      exclude: ['**/node_modules'],
    })
      .map((path) => path.replaceAll('\\', '/'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const addresses = packageFiles(root);
  return {
    texts,
    addresses,
    programs: [...texts.keys()].filter((path) => isProgram(path)),
    consoleFiles: [...texts.keys()].filter((path) => path.startsWith('console/src/') && !path.endsWith('.d.ts')),
    importsOf: (path, text = texts.get(path) ?? '') => {
      const found = text.matchAll(
        /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'((?:\.|@darkroom-service\/)[^']+)'|\bimport\(\s*'((?:\.|@darkroom-service\/)[^']+)'|\bnew URL\(\s*'(\.[^']+\.ts)'/gm,
      );
      return [...found].map(([, type, statically, dynamically, byAddress]) => ({
        from: path,
        to: targetOf(path, statically ?? dynamically ?? byAddress ?? ''),
        later: statically === undefined,
        loads: type === undefined && byAddress === undefined,
      }));
    },
  };

  /** The name itself where a package makes no such file public. */
  function targetOf(path: string, name: string): string {
    return name.startsWith('.') ? posix.join(dirname(path), name) : (addresses.get(name) ?? name);
  }
}

/** Tells whether a program writes the file. */
export function isGenerated(path: string): boolean {
  return /^(?:console\/src\/api\/(?:form-fields|types)\.ts|clients\/typescript\/src\/generated\/.*)$/.test(path);
}

export function isForTests(path: string): boolean {
  return /\.(test|conformance)\.ts$/.test(path) || path.includes('/fixtures/');
}

/** Tells whether a file is part of the running service: of `src`, a package or an addition, and not for tests. */
export function isProgram(path: string): boolean {
  return /^(?:src|(?:packages\/(?!testing\/)|additions\/)[^/]+\/src)\//.test(path) && !isForTests(path);
}

/** A package is a room beside those of `src`, and an addition lies in the room of all. */
export function placeOf(path: string): string {
  return path
    .replace(/^packages\/([^/]+)\/src\//, 'src/$1/')
    .replace(/^additions\/([^/]+)\/src\//, 'src/additions/$1/');
}

export function isOfAddition(path: string): boolean {
  return placeOf(path).startsWith('src/additions/');
}

export function packageOf(path: string): string | undefined {
  return /^packages\/[^/]+/.exec(path)?.[0];
}

/** Returns the folder of the package or of the addition that has a manifest of its own. */
export function workspaceOf(path: string): string | undefined {
  return /^(?:packages|additions)\/[^/]+/.exec(path)?.[0];
}
