import { type Static, Type } from 'typebox';
import { AZURE_OPENAI_VARIABLES, type AzureOpenaiConfig, azureOpenaiOf } from './azure-openai-variables.ts';
import { ENGINE_FILE_VARIABLES } from './engine-file-variables.ts';
import { ENGINE_LIMIT_VARIABLES } from './engine-limit-variables.ts';
import { engineKey, engineUrl, isUrl } from './engine-variable-types.ts';
import { VERTEX_VARIABLES, type VertexConfig, vertexOf } from './vertex-variables.ts';

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
  OPENAI_API_KEY: engineKey('openai', 'a key such as sk-…'),
  DARKROOM_OPENAI_URL: address('openai', 'https://api.openai.com/v1'),
  KLING_API_KEY: engineKey('kling', 'an API key of its developer console'),
  DARKROOM_KLING_URL: address('kling', 'https://api-singapore.klingai.com'),
  ARK_API_KEY: engineKey('byteplus', 'an API key of ModelArk'),
  DARKROOM_BYTEPLUS_URL: address('byteplus', 'https://ark.ap-southeast.bytepluses.com/api/v3'),
  GEMINI_API_KEY: engineKey('google', 'an API key of Google AI Studio'),
  DARKROOM_GOOGLE_URL: address('google', 'https://generativelanguage.googleapis.com/v1beta'),
  XAI_API_KEY: engineKey('xai', 'a key such as xai-…'),
  DARKROOM_XAI_URL: address('xai', 'https://api.x.ai/v1'),
  BFL_API_KEY: engineKey('bfl', 'an API key of Black Forest Labs'),
  DARKROOM_BFL_URL: address('bfl', 'https://api.bfl.ai/v1'),
  DASHSCOPE_API_KEY: engineKey('dashscope', 'an API key of Model Studio'),
  DARKROOM_DASHSCOPE_URL: address('dashscope', 'https://dashscope-intl.aliyuncs.com/api/v1'),
  IDEOGRAM_API_KEY: engineKey('ideogram', 'an API key of Ideogram'),
  DARKROOM_IDEOGRAM_URL: address('ideogram', 'https://api.ideogram.ai'),
  LTXV_API_KEY: engineKey('ltx', 'an API key of LTX'),
  DARKROOM_LTX_URL: address('ltx', 'https://api.ltx.video/v2'),
  LUMA_AGENTS_API_KEY: engineKey('luma', 'an API key of Luma'),
  DARKROOM_LUMA_URL: address('luma', 'https://agents.lumalabs.ai/v1'),
  MINIMAX_API_KEY: engineKey('minimax', 'an API key of MiniMax'),
  DARKROOM_MINIMAX_URL: address('minimax', 'https://api.minimax.io'),
  PIXVERSE_API_KEY: engineKey('pixverse', 'an API key of PixVerse'),
  DARKROOM_PIXVERSE_URL: address('pixverse', 'https://app-api.pixverse.ai/openapi/v2'),
  HF_CREDENTIALS: engineKey('higgsfield', 'the id and the secret of a key of Higgsfield, as <id>:<secret>'),
  DARKROOM_HIGGSFIELD_URL: address('higgsfield', 'https://api.higgsfield.ai'),
  RECRAFT_API_TOKEN: engineKey('recraft', 'an API key of Recraft'),
  DARKROOM_RECRAFT_URL: address('recraft', 'https://external.api.recraft.ai/v1'),
  RUNWAYML_API_SECRET: engineKey('runway', 'an API key of Runway'),
  DARKROOM_RUNWAY_URL: address('runway', 'https://api.dev.runwayml.com/v1'),
  VIDU_API_KEY: engineKey('vidu', 'an API key of Vidu'),
  DARKROOM_VIDU_URL: address('vidu', 'https://api.vidu.com/ent/v2'),
  COMFY_API_KEY: engineKey('comfy-router', 'a key such as comfyui-…'),
  DARKROOM_COMFY_ROUTER_URL: address('comfy-router', 'https://api.comfy.org'),
  OPENROUTER_API_KEY: engineKey('openrouter', 'an API key of OpenRouter'),
  DARKROOM_OPENROUTER_URL: address('openrouter', 'https://openrouter.ai/api/v1'),
  ...AZURE_OPENAI_VARIABLES,
  ...VERTEX_VARIABLES,
  DARKROOM_COMFYUI_URL: addresses(
    'http://127.0.0.1:8188',
    'The URLs of your ComfyUI servers. Setting them switches the engine `comfyui` on. Several servers with the same models form one pool.',
  ),
  DARKROOM_COMFYUI_AUTHORIZATION: authorization('the ComfyUI servers'),
  DARKROOM_SD_SERVER_URL: engineUrl(
    'http://127.0.0.1:1234',
    'The URL of your sd-server (stable-diffusion.cpp). Setting it switches the engine `sd-server` on.',
  ),
  DARKROOM_SD_SERVER_AUTHORIZATION: authorization('the sd-server'),
  ...ENGINE_LIMIT_VARIABLES,
} as const;

/** The key and URL variables of engines for the vendors' own APIs. */
export const VENDOR_VARIABLES = {
  openai: ['OPENAI_API_KEY', 'DARKROOM_OPENAI_URL'],
  kling: ['KLING_API_KEY', 'DARKROOM_KLING_URL'],
  byteplus: ['ARK_API_KEY', 'DARKROOM_BYTEPLUS_URL'],
  google: ['GEMINI_API_KEY', 'DARKROOM_GOOGLE_URL'],
  xai: ['XAI_API_KEY', 'DARKROOM_XAI_URL'],
  bfl: ['BFL_API_KEY', 'DARKROOM_BFL_URL'],
  dashscope: ['DASHSCOPE_API_KEY', 'DARKROOM_DASHSCOPE_URL'],
  ideogram: ['IDEOGRAM_API_KEY', 'DARKROOM_IDEOGRAM_URL'],
  ltx: ['LTXV_API_KEY', 'DARKROOM_LTX_URL'],
  luma: ['LUMA_AGENTS_API_KEY', 'DARKROOM_LUMA_URL'],
  minimax: ['MINIMAX_API_KEY', 'DARKROOM_MINIMAX_URL'],
  pixverse: ['PIXVERSE_API_KEY', 'DARKROOM_PIXVERSE_URL'],
  higgsfield: ['HF_CREDENTIALS', 'DARKROOM_HIGGSFIELD_URL'],
  recraft: ['RECRAFT_API_TOKEN', 'DARKROOM_RECRAFT_URL'],
  runway: ['RUNWAYML_API_SECRET', 'DARKROOM_RUNWAY_URL'],
  vidu: ['VIDU_API_KEY', 'DARKROOM_VIDU_URL'],
  'comfy-router': ['COMFY_API_KEY', 'DARKROOM_COMFY_ROUTER_URL'],
  openrouter: ['OPENROUTER_API_KEY', 'DARKROOM_OPENROUTER_URL'],
} as const;

/** The variable that switches each engine on, by engine name. */
export const ENGINE_SWITCHES: Readonly<Record<string, keyof typeof ENGINE_VARIABLES>> = {
  fal: 'FAL_KEY',
  replicate: 'REPLICATE_API_TOKEN',
  ...Object.fromEntries(Object.entries(VENDOR_VARIABLES).map(([name, [key]]) => [name, key])),
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
  /** By engine name. */
  readonly vendors: { readonly [Name in keyof typeof VENDOR_VARIABLES]: UpstreamConfig | null };
  readonly azureOpenai: AzureOpenaiConfig | null;
  readonly vertex: VertexConfig | null;
  readonly comfyui: OwnServersConfig | null;
  readonly sdServer: {
    readonly url: string;
    readonly authorization: string | null;
    readonly variable: string;
  } | null;
}

export type EngineValues = {
  readonly [Name in keyof typeof ENGINE_VARIABLES]?: Static<(typeof ENGINE_VARIABLES)[Name]>;
};
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
  instances: readonly { readonly name: string; readonly upstreams: UpstreamConfigs | null }[],
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
    upstream === null ? [] : [{ name, variable: upstream.variable }],
  );
  const named = instances.flatMap(({ name, upstreams: own }) =>
    own === null ? [] : [{ name, variable: 'DARKROOM_ENGINES_FILE' }],
  );
  return [...byVariable, ...named].filter(({ name }) => only?.includes(name) !== false);
}

/** Reports unknown engine names: a typing error would otherwise switch an engine off unnoticed. */
export function faultsOfEngineNames(
  names: readonly string[],
  instances: readonly string[],
): { variable: string; message: string }[] {
  const known = [...new Set(['sketch', 'local', ...Object.keys(ENGINE_SWITCHES), ...instances])];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `expected names out of ${known.join(', ')}, found ${JSON.stringify(name)}`;
      return { variable: 'DARKROOM_ENGINES', message };
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

function address(engine: string, own: string) {
  return engineUrl(own, `The upstream URL of the engine \`${engine}\`. Unset: \`${own}\`.`);
}

function addresses(example: string, description: string) {
  const expected = `URLs such as ${example}, separated by commas`;
  const list = Type.Array(Type.String(), { expected, description });
  const isList = (values: readonly string[]) => values.length > 0 && values.every(isUrl);
  return Type.Optional(Type.Refine(list, isList, () => expected));
}

function authorization(whom: string) {
  const expected = 'a header value such as Bearer …';
  const description = `The \`Authorization\` header for a proxy in front of ${whom}. Unset: none.`;
  const isHeaderValue = (value: string) => /^[\x20-\x7e]+$/.test(value);
  return Type.Optional(
    Type.Refine(Type.String({ expected, description, secret: true }), isHeaderValue, () => expected),
  );
}
