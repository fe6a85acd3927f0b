import { access, constants } from 'node:fs/promises';
import { installBuild, libraryPath } from './install-build.ts';
import { LocalFault } from './local-fault.ts';
import type { ServerSpec } from './servers/server-spec.ts';
import type { LocalStore, ModelRecord } from './store.ts';

/** Options of stable-diffusion.cpp for the files of a model. */
const FLAGS: Readonly<Record<string, string>> = {
  model: '--model',
  'diffusion-model': '--diffusion-model',
  'high-noise-diffusion-model': '--high-noise-diffusion-model',
  'text-encoder': '--llm',
  'clip-l': '--clip_l',
  'clip-g': '--clip_g',
  t5xxl: '--t5xxl',
  vae: '--vae',
  taesd: '--taesd',
};
const PARAMETER_FLAGS: Readonly<Record<string, string>> = {
  steps: '--steps',
  cfg_scale: '--cfg-scale',
  guidance: '--guidance',
};
/** Factor for the working memory in addition to the files. */
const OVERHEAD = 1.2;

/** Returns the start of a pulled model's sd-server. @param program the operator's own build; null = the pulled one */
export function modelServer(
  record: ModelRecord,
  store: LocalStore,
  program: string | null,
  environment: Readonly<Record<string, string>>,
): ServerSpec {
  const files = record.files.filter(({ role }) => role !== 'engine');
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    name: record.name,
    port: null,
    needsNetwork: false,
    // This path answers in every build while it is idle; the capabilities may wait for the model.
    readyPath: '/v1/models',
    memoryBytes: record.memory_bytes ?? Math.round(fileBytes * OVERHEAD),
    async command(port) {
      const server = program ?? (await pulledProgram(record, store));
      await access(server, constants.X_OK).catch(() => {
        throw new LocalFault(`expected a program at ${server}, found none that can be run`);
      });
      const models = files.flatMap(({ role, sha256 }) => {
        const flag = FLAGS[role];
        if (flag === undefined) throw new LocalFault(`there is no option of sd-server for the file "${role}"`);
        return [flag, store.blobPath(sha256)];
      });
      const parameters = Object.entries(record.parameters).flatMap(([name, value]) => {
        const flag = PARAMETER_FLAGS[name];
        return flag === undefined ? [] : [flag, String(value)];
      });
      const listen = ['--listen-ip', '127.0.0.1', '--listen-port', String(port)];
      return {
        command: server,
        args: [...listen, ...models, ...parameters, ...record.arguments],
        environment: { ...environment, ...(program === null ? libraryPath(server) : {}) },
        directory: null,
      };
    },
  };
}

async function pulledProgram(record: ModelRecord, store: LocalStore): Promise<string> {
  const archives = record.files.filter(({ role }) => role === 'engine').map(({ sha256 }) => sha256);
  if (archives.length > 0) return await installBuild(store, archives);
  throw new LocalFault(
    `${record.name} was pulled without an engine. Pull it again with a --build, or set DARKROOM_LOCAL_SD_SERVER to your own sd-server.`,
  );
}
