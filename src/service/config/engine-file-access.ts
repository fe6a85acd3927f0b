import { variablePrefix } from '@darkroom-service/engines/vendor-descriptors';
import type { EngineValues } from './engine-variables.ts';
import { VENDOR_VARIABLES } from './engine-variables.ts';

type Variable = keyof EngineValues;

/**
 * The fields that give an instance its access, by kind and field: the variable that is checked and read in the same
 * way. The first one is required.
 */
export const ACCESS_FIELDS: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
  fal: { key: 'FAL_KEY', url: 'DARKROOM_FAL_URL' },
  replicate: { key: 'REPLICATE_API_TOKEN', url: 'DARKROOM_REPLICATE_URL' },
  ...Object.fromEntries(Object.entries(VENDOR_VARIABLES).map(([kind, [key, url]]) => [kind, { key, url }])),
  'azure-openai': {
    key: 'AZURE_OPENAI_API_KEY',
    url: 'DARKROOM_AZURE_OPENAI_URL',
    deployments: 'DARKROOM_AZURE_OPENAI_DEPLOYMENTS',
    api_version: 'DARKROOM_AZURE_OPENAI_API_VERSION',
  },
  vertex: {
    credentials: 'DARKROOM_VERTEX_CREDENTIALS',
    location: 'DARKROOM_VERTEX_LOCATION',
    url: 'DARKROOM_VERTEX_URL',
  },
  comfyui: { urls: 'DARKROOM_COMFYUI_URL', authorization: 'DARKROOM_COMFYUI_AUTHORIZATION' },
  'sd-server': { url: 'DARKROOM_SD_SERVER_URL', authorization: 'DARKROOM_SD_SERVER_AUTHORIZATION' },
};

/** Fields that a kind needs beside its first one. */
export const ALSO_REQUIRED: Readonly<Record<string, readonly string[]>> = { 'azure-openai': ['url', 'deployments'] };

/** Returns the fields of a kind's limits, with their variables. */
export function limitFieldsOf(kind: string): Readonly<Record<string, Variable>> {
  const prefix = variablePrefix(kind);
  return { concurrency: `${prefix}_CONCURRENCY` as Variable, timeout_seconds: `${prefix}_TIMEOUT_SECONDS` as Variable };
}
