import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The list of bundled packages, `packages.json`, which lies beside the bundles. */
export interface BundledPackages {
  /** The version of each package that was bundled. */
  readonly versions: Readonly<Record<string, string>>;
  /** File names of bundles by what sources import, such as `typebox/value`. */
  readonly files: Readonly<Record<string, string>>;
}

export const LIST_OF_PACKAGES = 'packages.json';

/**
 * Leads later imports of packages to their bundles: Node loads a few large files several times faster than a thousand
 * small ones. Does nothing unless every package is installed in the version that was bundled.
 * @param directory holds the bundles, and must be writable by nobody else
 * @param modules the `node_modules` directory
 */
export function useBundledPackages(directory: string, modules: string): void {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  let list: BundledPackages;
  try {
    list = read(join(directory, LIST_OF_PACKAGES)) as BundledPackages;
    for (const [name, version] of Object.entries(list.versions)) {
      const installed = read(join(modules, name, 'package.json')) as { readonly version: string };
      if (installed.version !== version) return;
    }
  } catch {
    // Not bundled, or not installed.
    return;
  }
  const urls = new Map(
    Object.entries(list.files).map(([specifier, file]) => [specifier, pathToFileURL(join(directory, file)).href]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier);
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
    },
  });
}
