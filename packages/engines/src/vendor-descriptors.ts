import type { Engine } from './engine.ts';

/** Facts for the settings about a vendor's engine that needs nothing but a key. */
interface VendorDescriptor {
  /** The variable of the key, named as the vendor's users know it, and the form of the key. */
  readonly key: readonly [variable: string, expected: string];
  /** The vendor's own endpoint. */
  readonly url: string;
  /** Bounds within which the engine's limit adapts, from its own number on: the vendor publishes none. */
  readonly limits: NonNullable<Engine['adapts']>;
  /** Timeout of one call, in words. */
  readonly timeout: string;
  /** Limits of `<name>-batch`, the engine for the vendor's batch interface, which the same key switches on. */
  readonly batchLimits?: NonNullable<Engine['adapts']>;
}

/** Settings of the vendors' engines, by engine name. `CREATORS` in `vendors.ts` has the function that creates each. */
export const VENDORS = {
  openai: {
    key: ['OPENAI_API_KEY', 'a key such as sk-…'],
    url: 'https://api.openai.com/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '600',
    batchLimits: { floor: 10, ceiling: 500 },
  },
  kling: {
    key: ['KLING_API_KEY', 'an API key of its developer console'],
    url: 'https://api-singapore.klingai.com',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  byteplus: {
    key: ['ARK_API_KEY', 'an API key of ModelArk'],
    url: 'https://ark.ap-southeast.bytepluses.com/api/v3',
    limits: { floor: 5, ceiling: 200 },
    timeout: '600 for images, 60 for videos',
  },
  google: {
    batchLimits: { floor: 10, ceiling: 500 },
    key: ['GEMINI_API_KEY', 'an API key of Google AI Studio'],
    url: 'https://generativelanguage.googleapis.com/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '600 for images, 300 for videos',
  },
  xai: {
    key: ['XAI_API_KEY', 'a key such as xai-…'],
    url: 'https://api.x.ai/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '600 for images, 60 for videos',
  },
  bfl: {
    key: ['BFL_API_KEY', 'an API key of Black Forest Labs'],
    url: 'https://api.bfl.ai/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '60',
  },
  dashscope: {
    key: ['DASHSCOPE_API_KEY', 'an API key of Model Studio'],
    url: 'https://dashscope-intl.aliyuncs.com/api/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '300 for images, 60 for videos',
  },
  heygen: {
    key: ['HEYGEN_API_KEY', 'an API key of HeyGen'],
    url: 'https://api.heygen.com',
    limits: { floor: 1, ceiling: 50 },
    timeout: '60',
  },
  ideogram: {
    key: ['IDEOGRAM_API_KEY', 'an API key of Ideogram'],
    url: 'https://api.ideogram.ai',
    limits: { floor: 2, ceiling: 100 },
    timeout: '300',
  },
  ltx: {
    key: ['LTXV_API_KEY', 'an API key of LTX'],
    url: 'https://api.ltx.video/v2',
    limits: { floor: 2, ceiling: 50 },
    timeout: '60',
  },
  luma: {
    key: ['LUMA_AGENTS_API_KEY', 'an API key of Luma'],
    url: 'https://agents.lumalabs.ai/v1',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  minimax: {
    key: ['MINIMAX_API_KEY', 'an API key of MiniMax'],
    url: 'https://api.minimax.io',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  pixverse: {
    key: ['PIXVERSE_API_KEY', 'an API key of PixVerse'],
    url: 'https://app-api.pixverse.ai/openapi/v2',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  higgsfield: {
    key: ['HF_CREDENTIALS', 'the id and the secret of a key of Higgsfield, as <id>:<secret>'],
    url: 'https://api.higgsfield.ai',
    limits: { floor: 1, ceiling: 100 },
    timeout: '60',
  },
  recraft: {
    key: ['RECRAFT_API_TOKEN', 'an API key of Recraft'],
    url: 'https://external.api.recraft.ai/v1',
    limits: { floor: 2, ceiling: 100 },
    timeout: '300',
  },
  runway: {
    key: ['RUNWAYML_API_SECRET', 'an API key of Runway'],
    url: 'https://api.dev.runwayml.com/v1',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  vidu: {
    key: ['VIDU_API_KEY', 'an API key of Vidu'],
    url: 'https://api.vidu.com/ent/v2',
    limits: { floor: 2, ceiling: 100 },
    timeout: '60',
  },
  'comfy-router': {
    key: ['COMFY_API_KEY', 'a key such as comfyui-…'],
    url: 'https://api.comfy.org',
    limits: { floor: 5, ceiling: 200 },
    timeout: '60',
  },
  openrouter: {
    key: ['OPENROUTER_API_KEY', 'an API key of OpenRouter'],
    url: 'https://openrouter.ai/api/v1',
    limits: { floor: 5, ceiling: 200 },
    timeout: '600',
  },
} as const satisfies Record<string, VendorDescriptor>;

export type VendorName = keyof typeof VENDORS;
/** The vendors with an engine for their batch interface. */
export type BatchVendor = {
  [Name in VendorName]: (typeof VENDORS)[Name] extends { readonly batchLimits: object } ? Name : never;
}[VendorName];
export const VENDOR_NAMES = Object.keys(VENDORS) as readonly VendorName[];
const withBatches: readonly string[] = Object.entries<VendorDescriptor>(VENDORS).flatMap(([name, { batchLimits }]) =>
  batchLimits === undefined ? [] : [name],
);
export const BATCH_VENDORS = withBatches as readonly BatchVendor[];

/** Milliseconds within which all of these vendors promise their batches: 24 hours. */
export const BATCH_WINDOW_MS = 24 * 3_600_000;

/** Returns the engine of a vendor's batch interface; for a named instance, the instance of that engine. */
export function batchEngineOf<Name extends string>(name: Name): `${Name}-batch` {
  return `${name}-batch`;
}

/** The beginning of the names of an engine's variables, such as `DARKROOM_COMFY_ROUTER`. */
export type Prefix<Name extends string> = `DARKROOM_${Uppercase<Underscored<Name>>}`;
type Underscored<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Name;

export function variablePrefix<Name extends string>(engine: Name): Prefix<Name> {
  return `DARKROOM_${engine.toUpperCase().replaceAll('-', '_')}` as Prefix<Name>;
}
