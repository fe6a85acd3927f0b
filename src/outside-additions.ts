import { readdirSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Addition } from './service/addition.ts';
import { ConfigFault } from './service/config/config-fault.ts';
import { ADDITIONS_VARIABLE } from './service/config/config-variables.ts';
import { type Environment, plainValue } from './service/config/environment.ts';

/** Name of a module in the folder; neither types nor tests. */
const MODULE = /^(?!.*\.(?:d|test)\.\w+$).+\.(?:ts|js|mjs)$/;
const INDEX = /^index\.(?:ts|js|mjs)$/;

/** Addresses of this service's files that additions import. */
const KERNEL: Readonly<Record<string, URL>> = {
  '@darkroom-service/darkroom/kernel': new URL('./kernel.ts', import.meta.url),
  '@darkroom-service/darkroom/kernel-accounts': new URL('./kernel-accounts.ts', import.meta.url),
  '@darkroom-service/darkroom/kernel-cli': new URL('./kernel-cli.ts', import.meta.url),
  '@darkroom-service/darkroom/kernel-orders': new URL('./kernel-orders.ts', import.meta.url),
  '@darkroom-service/darkroom/kernel-views': new URL('./kernel-views.ts', import.meta.url),
  '@darkroom-service/darkroom/kernel-http': new URL('./kernel-http.ts', import.meta.url),
};

/**
 * Returns the additions of a service: those of this program, then those of the modules in the folder that
 * `DARKROOM_ADDITIONS_DIR` names, by the names of their files.
 * @param directory base of a relative path
 * @throws ConfigFault with every fault of the folder, its modules and their additions
 */
export async function withOutsideAdditions(
  own: readonly Addition[],
  environment: Environment,
  directory: string = process.cwd(),
): Promise<readonly Addition[]> {
  const path = plainValue(environment[ADDITIONS_VARIABLE] ?? '');
  if (path === '') return own;
  leadToKernel();
  const { faultsOfOutside, isAddition } = await import('./service/addition-faults.ts');
  const faults: string[] = [];
  const outside: { readonly path: string; readonly addition: Addition }[] = [];
  for (const module of listModules(resolve(directory, path), faults)) {
    const exported = await loadModule(module, faults);
    if (exported === null) continue;
    const { addition } = exported;
    if (isAddition(addition)) outside.push({ path: module, addition });
    else faults.push(`${module}: expected an export "addition" with a name of small letters, digits and hyphens`);
  }
  faults.push(...faultsOfOutside(own, outside));
  if (faults.length > 0) throw new ConfigFault(faults.map((message) => ({ variable: ADDITIONS_VARIABLE, message })));
  return [...own, ...outside.map(({ addition }) => addition)];
}

/** Lists the modules of a folder, and the index of each folder in it that has one. */
function listModules(folder: string, faults: string[]): string[] {
  try {
    // By the same names that Node gives the modules that it loads from there.
    const real = realpathSync(folder);
    return readdirSync(real, { withFileTypes: true })
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        if (MODULE.test(entry.name)) return join(real, entry.name);
        const isFolder = entry.isDirectory() || entry.isSymbolicLink();
        const index = isFolder ? readdirSync(join(real, entry.name)).find((name) => INDEX.test(name)) : undefined;
        return index === undefined ? [] : join(real, entry.name, index);
      });
  } catch (error) {
    faults.push(`${folder} cannot be read: ${(error as Error).message}`);
    return [];
  }
}

async function loadModule(path: string, faults: string[]): Promise<{ readonly addition?: unknown } | null> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    faults.push(`${path}: it cannot be loaded: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

let isLed = false;

/**
 * Makes every import of the kernel in this process load the files that already run here: a folder of additions needs no
 * installed package, and a package of another version beside it is not loaded.
 */
function leadToKernel(): void {
  if (isLed) return;
  isLed = true;
  registerHooks({
    resolve: (name, context, next) => next(KERNEL[name]?.href ?? name, context),
  });
}
