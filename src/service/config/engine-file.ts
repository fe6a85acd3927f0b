import { nearestName } from '@darkroom-service/contract';
import { type EngineInstance, variablePrefix } from '@darkroom-service/engines';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { INSTANCE_FIELDS, instanceOf } from './engine-file-fields.ts';
import { type EngineLimitSetting, engineLimitsOf } from './engine-limit-variables.ts';
import {
  ENGINE_SWITCHES,
  ENGINE_VARIABLES,
  type EngineValues,
  type UpstreamConfigs,
  upstreamsOf,
  VENDOR_VARIABLES,
} from './engine-variables.ts';
import { type Entry, entriesOf, isEntry, shown, withVariables } from './operator-file.ts';
import type { VariableFault } from './variable-types.ts';

type Variable = keyof EngineValues;

/**
 * The fields that give an instance its access, by kind and field: the variable that is checked and read in the same
 * way. The first one is required.
 */
const ACCESS_FIELDS: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
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
const ALSO_REQUIRED: Readonly<Record<string, readonly string[]>> = { 'azure-openai': ['url', 'deployments'] };

/** Returns the fields of a kind's limits, with their variables. */
function limitFieldsOf(kind: string): Readonly<Record<string, Variable>> {
  const prefix = variablePrefix(kind);
  return { concurrency: `${prefix}_CONCURRENCY` as Variable, timeout_seconds: `${prefix}_TIMEOUT_SECONDS` as Variable };
}

/** A named instance of an engine, from the operator's file. */
export interface InstanceConfig {
  readonly name: string;
  readonly settings: EngineInstance;
  /** Access of the instance's own kind; null = by the variables of its kind. */
  readonly upstreams: UpstreamConfigs | null;
  /** Limits by kind. */
  readonly limits: Readonly<Record<string, EngineLimitSetting>>;
}

interface FileParts {
  /** Environment of the process, for `${NAME}` in texts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The base of a relative path. */
  readonly directory: string;
  readonly workflowDirectories: readonly string[];
  /** The engines that variables switch on. */
  readonly byVariable: Readonly<Record<string, string>>;
}

const VARIABLE = 'DARKROOM_ENGINES_FILE';
const LIST = { field: 'engines', example: '{"name": "fal-eu", "kind": "fal", …}' };
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** Returns the instances of the configured file; none if there is no file. */
export function instancesOf(
  values: EngineValues,
  parts: Omit<FileParts, 'byVariable'>,
): ReturnType<typeof readEngineFile> {
  const { DARKROOM_ENGINES_FILE: path } = values;
  if (path === undefined) return { instances: [], faults: [] };
  const on = Object.entries(ENGINE_SWITCHES).filter(([, variable]) => values[variable] !== undefined);
  return readEngineFile(path, { ...parts, byVariable: Object.fromEntries(on) });
}

/** Reads the instances of a file and finds all of its faults. A fault never repeats a secret. */
function readEngineFile(
  path: string,
  parts: FileParts,
): { readonly instances: InstanceConfig[]; readonly faults: VariableFault[] } {
  const messages: string[] = [];
  const instances = entriesOf(LIST, path, parts.directory, messages).map((entry, index, all) => {
    const report = (field: string, message: string) => messages.push(`${path}: engines[${index}]${field}: ${message}`);
    if (!isEntry(entry)) return void report('', 'expected an object');
    if (all.slice(0, index).some((other) => isEntry(other) && other.name === entry.name))
      report('.name', `expected a name that no other entry has, found ${shown(entry.name)}`);
    return readEntry(entry, parts, report);
  });
  return {
    instances: instances.filter((instance) => instance !== undefined),
    faults: messages.map((message) => ({ variable: VARIABLE, message })),
  };
}

function readEntry(
  raw: Entry,
  parts: FileParts,
  report: (field: string, message: string) => void,
): InstanceConfig | undefined {
  let isFaulty = false;
  const fault = (field: string, message: string) => {
    isFaulty = true;
    report(`.${field}`, message);
  };
  const entry = Object.fromEntries(
    Object.entries(raw).map(([field, value]) => [
      field,
      withVariables(value, parts.environment, (why) => fault(field, why)),
    ]),
  );
  const { name, kind } = entry;
  const kinds = Object.keys(ACCESS_FIELDS);
  if (typeof kind !== 'string' || !kinds.includes(kind)) {
    fault('kind', `expected one of ${kinds.join(', ')}; found ${shown(kind)}`);
    return;
  }
  if (typeof name !== 'string' || !NAME.test(name))
    fault(
      'name',
      `expected a name such as ${kind}-eu, of lower-case letters, digits and hyphens; found ${shown(name)}`,
    );
  else if (name !== kind && (kinds.includes(name) || name === 'sketch'))
    fault('name', `expected a name that is no other kind of engine, found ${shown(name)}`);
  const access = ACCESS_FIELDS[kind] ?? {};
  const fields: Readonly<Record<string, keyof EngineValues>> = { ...access, ...limitFieldsOf(kind) };
  const accepted = ['name', 'kind', ...Object.keys(fields), ...Object.keys(INSTANCE_FIELDS)];
  for (const field of Object.keys(entry).filter((one) => !accepted.includes(one))) {
    const nearest = nearestName(field, accepted);
    fault(
      field,
      `unknown field. ${nearest === null ? `Accepted fields: ${accepted.join(', ')}.` : `Did you mean ${nearest}?`}`,
    );
  }
  const values: Record<string, unknown> = {};
  for (const [field, variable] of Object.entries(fields)) {
    const schema: TSchema = ENGINE_VARIABLES[variable];
    const { expected, secret } = schema as unknown as { expected: string; secret?: boolean };
    const value = asVariable(field, entry[field]);
    if (value === undefined) continue;
    const isSecret = secret === true || JSON.stringify(raw[field]).includes('${') || /\/\/[^/]*@/.test(String(value));
    const found = isSecret ? 'something else' : shown(entry[field]);
    if (Value.Check(schema, value)) values[variable] = value;
    else fault(field, `expected ${field === 'deployments' ? DEPLOYMENTS : expected}, found ${found}`);
  }
  for (const [field, { expected, accepts }] of Object.entries(INSTANCE_FIELDS))
    if (entry[field] !== undefined && !accepts(entry[field]))
      fault(field, `expected ${expected}, found ${shown(entry[field])}`);
  const given = Object.keys(access).filter((field) => entry[field] !== undefined);
  const byVariable = name === kind ? parts.byVariable[kind] : undefined;
  if (byVariable !== undefined && given.length > 0)
    fault(
      given[0] ?? 'key',
      `${byVariable} gives the access of ${kind} already. Remove one of the two, or take another name.`,
    );
  const required = [Object.keys(access)[0] ?? 'key', ...(ALSO_REQUIRED[kind] ?? [])];
  if (byVariable === undefined)
    for (const field of required.filter((one) => entry[one] === undefined))
      fault(field, 'it is required, found nothing');
  if (isFaulty) return;
  return {
    name: name as string,
    settings: instanceOf(kind, entry),
    upstreams: byVariable === undefined ? upstreamsOf(withVersion(kind, values), parts.workflowDirectories) : null,
    limits: engineLimitsOf(values),
  };
}

const DEPLOYMENTS = 'an object such as {"gpt-image-2": "my-deployment"}';

/** Converts a value to the text that the variable of the field accepts. */
function asVariable(field: string, value: unknown): unknown {
  if (field === 'concurrency' && typeof value === 'number') return String(value);
  if (field === 'credentials' && isEntry(value)) return JSON.stringify(value);
  if (field === 'deployments' && isEntry(value)) return Object.entries(value).map((pair) => pair.join('='));
  return value;
}

function withVersion(kind: string, values: EngineValues): EngineValues {
  const { default: version } = ENGINE_VARIABLES.DARKROOM_AZURE_OPENAI_API_VERSION as unknown as { default: string };
  return kind === 'azure-openai' ? { DARKROOM_AZURE_OPENAI_API_VERSION: version, ...values } : values;
}
