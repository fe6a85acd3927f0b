import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OWN_ENGINES_VARIABLE, type OwnEngines } from '@darkroom-service/engines';
import { type InstanceConfig, instancesOf } from './engine-file.ts';
import { ENGINE_SWITCHES, type EngineValues } from './engine-variables.ts';
import type { VariableFault } from './variable-types.ts';

/** The engines that files configure: named instances, and the operator's own engines. */
export interface EngineFiles {
  readonly instances: readonly InstanceConfig[];
  readonly ownEngines: OwnEngines;
}

const FILE = /^([a-z][a-z0-9-]{0,39})\.m?js$/;

/** Reads the file of instances and lists the directory of own engines. `names` are those of all of them. */
export function enginesOfFiles(
  values: EngineValues & { readonly DARKROOM_ENGINES?: readonly string[] },
  parts: Parameters<typeof instancesOf>[1],
): EngineFiles & { readonly names: readonly string[]; readonly faults: readonly VariableFault[] } {
  const { instances, faults } = instancesOf(values, parts);
  const named = instances.map(({ name }) => name);
  const taken = ['sketch', 'local', 'tools', ...Object.keys(ENGINE_SWITCHES), ...named];
  const own = listOwn(values.DARKROOM_ENGINES_DIR, parts.directory, taken);
  // The code of an engine that is off is not loaded.
  const files = own.files.filter(({ name }) => values.DARKROOM_ENGINES?.includes(name) !== false);
  return {
    instances,
    ownEngines: { files, environment: files.length === 0 ? {} : { ...parts.environment } },
    names: [...named, ...own.files.map(({ name }) => name)],
    faults: [...faults, ...own.faults],
  };
}

/** Lists the files `<name>.js` and `<name>.mjs` of a directory. */
function listOwn(
  path: string | undefined,
  directory: string,
  taken: readonly string[],
): { readonly files: OwnEngines['files']; readonly faults: readonly VariableFault[] } {
  if (path === undefined) return { files: [], faults: [] };
  const fault = (message: string) => ({ variable: OWN_ENGINES_VARIABLE, message });
  const folder = resolve(directory, path);
  try {
    const files = readdirSync(folder)
      .sort()
      .map((file) => ({ name: FILE.exec(file)?.[1] ?? '', path: join(folder, file) }))
      .filter(({ name }) => name !== '');
    const all = [...taken, ...files.map(({ name }) => name)];
    const twice = files.filter(({ name }) => all.indexOf(name) !== all.lastIndexOf(name));
    return { files, faults: twice.map((file) => fault(`${file.path}: another engine has this name`)) };
  } catch (error) {
    return { files: [], faults: [fault(`${path} cannot be read: ${(error as Error).message}`)] };
  }
}
