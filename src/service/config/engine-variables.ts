import {
  BATCH_VENDORS,
  batchEngineOf,
  OWN_ENGINES_VARIABLE,
  type OwnEngines,
  type Prefix,
  VENDOR_NAMES,
  VENDORS,
  type VendorName,
  variablePrefix,
} from '@darkroom-service/engines';
import { Type } from 'typebox';
import { ROUTE_POLICIES } from '../../routing/pick-route.ts';
import { AZURE_OPENAI_VARIABLES, type AzureOpenaiConfig, azureOpenaiOf } from './azure-openai-variables.ts';
import { ENGINE_LIMIT_VARIABLES } from './engine-limit-variables.ts';
import { isWebAddress } from './url-checks.ts';
import type { VariableFault } from './variable-types.ts';
import { engineKey, oneOf, text, texts, type ValuesOf, webAddress } from './variable-types.ts';
import { VERTEX_VARIABLES, type VertexConfig, vertexOf } from './vertex-variables.ts';

/** Settings for several accounts at one upstream, and for the choice among routes. */
const ENGINE_FILE_VARIABLES = {
  DARKROOM_ENGINES_FILE: Type.Optional(
    text({
      expected: 'a file such as engines.json',
      description:
        'A JSON file with [named instances](engines.md#several-accounts-at-one-upstream) of engines, in addition to those of variables.',
    }),
  ),
  DARKROOM_ENGINES_DIR: Type.Optional(
    text({
      expected: 'a directory',
      description: 'A directory of [engines of your own](engines.md#an-engine-of-your-own), each a JavaScript file.',
    }),
  ),
  DARKROOM_ROUTE_POLICY: oneOf(
    ROUTE_POLICIES,
    'The choice among ready routes: as written, by the weights of the instances, by expected cost, or by measured duration.',
    'order',
  ),
} as const;

/**
 * Variables that switch engines on. An upstream's key has the name that its users know; its URL can be overridden.
 * `docs/configuration.md` lists the same variables, and a test compares the two.
 */
export const ENGINE_VARIABLES = {
  ...ENGINE_FILE_VARIABLES,
  FAL_KEY: engineKey('fal', 'a key such as id:secret'),
  DARKROOM_FAL_URL: address('fal', 'https://queue.fal.run'),
  REPLICATE_API_TOKEN: engineKey('replicate', 'a token such as r8_…'),
  DARKROOM_REPLICATE_URL: address('replicate', 'https://api.replicate.com/v1'),
  ...vendorVariables(),
  ...AZURE_OPENAI_VARIABLES,
  ...VERTEX_VARIABLES,
  DARKROOM_COMFYUI_URL: addresses(
    'http://127.0.0.1:8188',
    'Your ComfyUI servers, with the same models each. Setting them switches the engine `comfyui` on.',
  ),
  DARKROOM_COMFYUI_AUTHORIZATION: authorization('the ComfyUI servers'),
  DARKROOM_SD_SERVER_URL: webAddress(
    'http://127.0.0.1:1234',
    'Your sd-server (stable-diffusion.cpp). Setting it switches the engine `sd-server` on.',
  ),
  DARKROOM_SD_SERVER_AUTHORIZATION: authorization('the sd-server'),
  ...ENGINE_LIMIT_VARIABLES,
} as const;

/** The key and URL variables of engines for the vendors' own APIs. */
export const VENDOR_VARIABLES = Object.fromEntries(
  VENDOR_NAMES.map((name) => [name, [VENDORS[name].key[0], urlVariable(name)] as const]),
) as { readonly [Name in VendorName]: readonly [KeyVariable<Name>, UrlVariable<Name>] };

/** The variable that switches each engine on, by engine name. */
export const ENGINE_SWITCHES: Readonly<Record<string, keyof typeof ENGINE_VARIABLES>> = {
  fal: 'FAL_KEY',
  replicate: 'REPLICATE_API_TOKEN',
  ...Object.fromEntries(Object.entries(VENDOR_VARIABLES).map(([name, [key]]) => [name, key])),
  ...Object.fromEntries(BATCH_VENDORS.map((name) => [batchEngineOf(name), VENDORS[name].key[0]])),
  'azure-openai': 'AZURE_OPENAI_API_KEY',
  vertex: 'DARKROOM_VERTEX_CREDENTIALS',
  comfyui: 'DARKROOM_COMFYUI_URL',
  'sd-server': 'DARKROOM_SD_SERVER_URL',
};

/** The configuration of an upstream's engine. */
interface UpstreamConfig {
  readonly key: string;
  /** Null: the upstream's own endpoint. */
  readonly url: string | null;
  /** The variable that switched it on. */
  readonly variable: string;
}

/** The configuration of self-hosted servers. */
interface OwnServersConfig {
  readonly urls: readonly string[];
  /** The value of an `Authorization` header, for a reverse proxy in front; null = none. */
  readonly authorization: string | null;
  /** Directories with workflows; a later one takes precedence. */
  readonly workflowDirectories: readonly string[];
  readonly variable: string;
}

export interface UpstreamConfigs {
  readonly fal: UpstreamConfig | null;
  readonly replicate: UpstreamConfig | null;
  /** Access by engine name. */
  readonly vendors: { readonly [Name in VendorName]: UpstreamConfig | null };
  readonly azureOpenai: AzureOpenaiConfig | null;
  readonly vertex: VertexConfig | null;
  readonly comfyui: OwnServersConfig | null;
  readonly sdServer: {
    readonly url: string;
    readonly authorization: string | null;
    readonly variable: string;
  } | null;
}

export type EngineValues = Partial<ValuesOf<typeof ENGINE_VARIABLES>>;
type TextName = {
  [Name in keyof EngineValues]-?: NonNullable<EngineValues[Name]> extends string ? Name : never;
}[keyof EngineValues];

/** Returns the configured upstreams. @param workflowDirectories directories with ComfyUI workflows */
export function upstreamsOf(values: EngineValues, workflowDirectories: readonly string[]): UpstreamConfigs {
  const read = (keyName: TextName, urlName: TextName): UpstreamConfig | null => {
    const secret = values[keyName];
    return secret === undefined ? null : { key: secret, url: values[urlName] ?? null, variable: keyName };
  };
  return {
    fal: read('FAL_KEY', 'DARKROOM_FAL_URL'),
    replicate: read('REPLICATE_API_TOKEN', 'DARKROOM_REPLICATE_URL'),
    vendors: vendorsOf(read),
    azureOpenai: azureOpenaiOf(values),
    vertex: vertexOf(values),
    comfyui: comfyuiOf(values, workflowDirectories),
    sdServer: sdServerOf(values),
  };
}

/**
 * Returns the upstream engines that are on, each with the variable that switched it on. @param only names that may be
 * on; null = all
 */
export function enginesSwitchedOn(
  { fal, replicate, vendors, azureOpenai, vertex, comfyui, sdServer }: UpstreamConfigs,
  instances: readonly {
    readonly name: string;
    readonly settings: { readonly kind: string };
    readonly upstreams: UpstreamConfigs | null;
  }[],
  own: Pick<OwnEngines, 'files'>,
  only: readonly string[] | null,
): { readonly name: string; readonly variable: string }[] {
  const upstreams = Object.entries({
    fal,
    replicate,
    ...vendors,
    'azure-openai': azureOpenai,
    vertex,
    comfyui,
    'sd-server': sdServer,
  });
  const byVariable = upstreams.flatMap(([name, upstream]) =>
    upstream === null ? [] : withBatchEngine(name, name).map((one) => ({ name: one, variable: upstream.variable })),
  );
  const named = instances.flatMap(({ name, settings: { kind }, upstreams: own }) =>
    own === null ? [] : withBatchEngine(kind, name).map((one) => ({ name: one, variable: 'DARKROOM_ENGINES_FILE' })),
  );
  const ofFiles = own.files.map(({ name }) => ({ name, variable: OWN_ENGINES_VARIABLE }));
  return [...byVariable, ...named, ...ofFiles].filter(({ name }) => only?.includes(name) !== false);
}

/** Returns the engines of an upstream: one with a batch interface is two engines. */
function withBatchEngine(kind: string, name: string): string[] {
  return BATCH_VENDORS.some((vendor) => vendor === kind) ? [name, batchEngineOf(name)] : [name];
}

/** Reports unknown engine names: a typing error would otherwise switch an engine off unnoticed. */
export function faultsOfEngineNames(
  variable: string,
  names: readonly string[],
  instances: readonly string[],
): VariableFault[] {
  const known = [...new Set(['sketch', 'local', 'tools', ...Object.keys(ENGINE_SWITCHES), ...instances])];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `expected names out of ${known.join(', ')}, found ${JSON.stringify(name)}`;
      return { variable, message };
    });
}

function vendorsOf(read: (keyName: TextName, urlName: TextName) => UpstreamConfig | null): UpstreamConfigs['vendors'] {
  const configured = Object.entries(VENDOR_VARIABLES).map(([name, [key, url]]) => [name, read(key, url)]);
  return Object.fromEntries(configured) as UpstreamConfigs['vendors'];
}

function comfyuiOf(values: EngineValues, workflowDirectories: readonly string[]): UpstreamConfigs['comfyui'] {
  const { DARKROOM_COMFYUI_URL: urls, DARKROOM_COMFYUI_AUTHORIZATION: authorization = null } = values;
  return urls === undefined ? null : { urls, authorization, workflowDirectories, variable: 'DARKROOM_COMFYUI_URL' };
}

function sdServerOf(values: EngineValues): UpstreamConfigs['sdServer'] {
  const { DARKROOM_SD_SERVER_URL: url, DARKROOM_SD_SERVER_AUTHORIZATION: authorization = null } = values;
  return url === undefined ? null : { url, authorization, variable: 'DARKROOM_SD_SERVER_URL' };
}

type KeyVariable<Name extends VendorName> = (typeof VENDORS)[Name]['key'][0];
type UrlVariable<Name extends VendorName> = `${Prefix<Name>}_URL`;
type VendorVariables = { [Name in VendorName as KeyVariable<Name>]: ReturnType<typeof engineKey> } & {
  [Name in VendorName as UrlVariable<Name>]: ReturnType<typeof address>;
};

function vendorVariables(): VendorVariables {
  const variables = VENDOR_NAMES.map((name) => {
    const { key, url } = VENDORS[name];
    return { [key[0]]: engineKey(name, key[1]), [urlVariable(name)]: address(name, url) };
  });
  return Object.assign({}, ...variables);
}

function urlVariable(name: VendorName): UrlVariable<VendorName> {
  return `${variablePrefix(name)}_URL`;
}

function address(engine: string, own: string) {
  return webAddress(own, `The upstream URL of the engine \`${engine}\`. Unset: \`${own}\`.`);
}

function addresses(example: string, description: string) {
  const expected = `URLs such as ${example}, separated by commas`;
  const areAddresses = (values: readonly string[]) => values.length > 0 && values.every(isWebAddress);
  return Type.Optional(texts({ expected, description }, areAddresses));
}

function authorization(whom: string) {
  const expected = 'a header value such as Bearer …';
  const description = `The \`Authorization\` header for a proxy in front of ${whom}.`;
  return Type.Optional(text({ expected, description, secret: true }, (value) => /^[\x20-\x7e]+$/.test(value)));
}
