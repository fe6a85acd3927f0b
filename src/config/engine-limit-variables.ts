import { type Static, Type } from 'typebox';
import { DEFAULT_LIMITS } from '../engines/engine-limits.ts';

/**
 * Settings for refused orders, and two settings for each engine with an upstream: its concurrency and the timeout of
 * one call.
 */
export const ENGINE_LIMIT_VARIABLES = {
  DARKROOM_ROUTE_PATIENCE_SECONDS: Type.Number({
    minimum: 0,
    maximum: 86_400,
    expected: 'a number from 0 to 86400',
    default: 45,
    description:
      'How long the service offers an order to an upstream that refuses or delays it, before it uses the next route.',
  }),
  DARKROOM_UPSTREAM_WAIT_MINUTES: Type.Number({
    minimum: 0.01,
    maximum: 43_200,
    expected: 'a number from 0.01 to 43200',
    default: 30,
    description: "How long after its first refusal an order without another route fails, with the upstream's reason.",
  }),
  DARKROOM_FAL_CONCURRENCY: concurrency('fal'),
  DARKROOM_FAL_TIMEOUT_SECONDS: timeout('fal', '60'),
  DARKROOM_REPLICATE_CONCURRENCY: concurrency('replicate'),
  DARKROOM_REPLICATE_TIMEOUT_SECONDS: timeout('replicate', '60'),
  DARKROOM_OPENAI_CONCURRENCY: concurrency('openai'),
  DARKROOM_OPENAI_TIMEOUT_SECONDS: timeout('openai', '600'),
  DARKROOM_KLING_CONCURRENCY: concurrency('kling'),
  DARKROOM_KLING_TIMEOUT_SECONDS: timeout('kling', '60'),
  DARKROOM_BYTEPLUS_CONCURRENCY: concurrency('byteplus'),
  DARKROOM_BYTEPLUS_TIMEOUT_SECONDS: timeout('byteplus', '600 for images, 60 for videos'),
  DARKROOM_GOOGLE_CONCURRENCY: concurrency('google'),
  DARKROOM_GOOGLE_TIMEOUT_SECONDS: timeout('google', '600 for images, 300 for videos'),
  DARKROOM_XAI_CONCURRENCY: concurrency('xai'),
  DARKROOM_XAI_TIMEOUT_SECONDS: timeout('xai', '600 for images, 60 for videos'),
  DARKROOM_BFL_CONCURRENCY: concurrency('bfl'),
  DARKROOM_BFL_TIMEOUT_SECONDS: timeout('bfl', '60'),
  DARKROOM_DASHSCOPE_CONCURRENCY: concurrency('dashscope'),
  DARKROOM_DASHSCOPE_TIMEOUT_SECONDS: timeout('dashscope', '300 for images, 60 for videos'),
  DARKROOM_IDEOGRAM_CONCURRENCY: concurrency('ideogram'),
  DARKROOM_IDEOGRAM_TIMEOUT_SECONDS: timeout('ideogram', '300'),
  DARKROOM_LTX_CONCURRENCY: concurrency('ltx'),
  DARKROOM_LTX_TIMEOUT_SECONDS: timeout('ltx', '60'),
  DARKROOM_LUMA_CONCURRENCY: concurrency('luma'),
  DARKROOM_LUMA_TIMEOUT_SECONDS: timeout('luma', '60'),
  DARKROOM_MINIMAX_CONCURRENCY: concurrency('minimax'),
  DARKROOM_MINIMAX_TIMEOUT_SECONDS: timeout('minimax', '60'),
  DARKROOM_PIXVERSE_CONCURRENCY: concurrency('pixverse'),
  DARKROOM_PIXVERSE_TIMEOUT_SECONDS: timeout('pixverse', '60'),
  DARKROOM_HIGGSFIELD_CONCURRENCY: concurrency('higgsfield'),
  DARKROOM_HIGGSFIELD_TIMEOUT_SECONDS: timeout('higgsfield', '60'),
  DARKROOM_RECRAFT_CONCURRENCY: concurrency('recraft'),
  DARKROOM_RECRAFT_TIMEOUT_SECONDS: timeout('recraft', '300'),
  DARKROOM_RUNWAY_CONCURRENCY: concurrency('runway'),
  DARKROOM_RUNWAY_TIMEOUT_SECONDS: timeout('runway', '60'),
  DARKROOM_VIDU_CONCURRENCY: concurrency('vidu'),
  DARKROOM_VIDU_TIMEOUT_SECONDS: timeout('vidu', '60'),
  DARKROOM_COMFY_ROUTER_CONCURRENCY: concurrency('comfy-router'),
  DARKROOM_COMFY_ROUTER_TIMEOUT_SECONDS: timeout('comfy-router', '60'),
  DARKROOM_OPENROUTER_CONCURRENCY: concurrency('openrouter'),
  DARKROOM_OPENROUTER_TIMEOUT_SECONDS: timeout('openrouter', '600'),
  DARKROOM_AZURE_OPENAI_CONCURRENCY: concurrency('azure-openai'),
  DARKROOM_AZURE_OPENAI_TIMEOUT_SECONDS: timeout('azure-openai', '600'),
  DARKROOM_VERTEX_CONCURRENCY: concurrency('vertex'),
  DARKROOM_VERTEX_TIMEOUT_SECONDS: timeout('vertex', '600 for images, 300 for videos'),
  DARKROOM_COMFYUI_CONCURRENCY: concurrency('comfyui', 'Unset: 2 per server.'),
  DARKROOM_COMFYUI_TIMEOUT_SECONDS: timeout('comfyui', '60'),
  DARKROOM_SD_SERVER_CONCURRENCY: concurrency('sd-server', 'Unset: 2.'),
  DARKROOM_SD_SERVER_TIMEOUT_SECONDS: timeout('sd-server', '60'),
} as const;

type LimitValues = {
  readonly [Name in keyof typeof ENGINE_LIMIT_VARIABLES]?: Static<(typeof ENGINE_LIMIT_VARIABLES)[Name]>;
};

const ENGINES = [
  ...['fal', 'replicate', 'openai', 'kling', 'byteplus', 'google', 'xai', 'comfy-router', 'comfyui', 'sd-server'],
  ...[
    'bfl',
    'dashscope',
    'ideogram',
    'ltx',
    'luma',
    'minimax',
    'recraft',
    'runway',
    'vidu',
    'azure-openai',
    'vertex',
    'pixverse',
    'higgsfield',
    'openrouter',
  ],
];

/** The operator's settings for one engine; null = the engine's own default. */
export interface EngineLimitSetting {
  /** Equal bounds: the limit is fixed. */
  readonly concurrency: { readonly floor: number; readonly ceiling: number } | null;
  readonly callTimeoutMs: number | null;
}

/** How long a refused order waits before it uses the next route, and before it fails. */
interface UpstreamWaits {
  readonly routePatienceMs: number;
  readonly upstreamWaitMs: number;
}

export function upstreamWaitsOf(values: {
  readonly DARKROOM_ROUTE_PATIENCE_SECONDS: number;
  readonly DARKROOM_UPSTREAM_WAIT_MINUTES: number;
}): UpstreamWaits {
  return {
    routePatienceMs: Math.round(values.DARKROOM_ROUTE_PATIENCE_SECONDS * 1_000),
    upstreamWaitMs: Math.round(values.DARKROOM_UPSTREAM_WAIT_MINUTES * 60_000),
  };
}

/** Returns the configured limits by engine name. */
export function engineLimitsOf(values: LimitValues): Readonly<Record<string, EngineLimitSetting>> {
  const limits: Record<string, EngineLimitSetting> = {};
  for (const name of ENGINES) {
    const prefix = `DARKROOM_${name.toUpperCase().replaceAll('-', '_')}`;
    const range = values[`${prefix}_CONCURRENCY` as keyof LimitValues] as string | undefined;
    const seconds = values[`${prefix}_TIMEOUT_SECONDS` as keyof LimitValues] as number | undefined;
    if (range === undefined && seconds === undefined) continue;
    limits[name] = {
      concurrency: range === undefined ? null : readRange(range),
      callTimeoutMs: seconds === undefined ? null : Math.round(seconds * 1000),
    };
  }
  return limits;
}

/** Parses `20` or `5-200`; null for anything else. */
function readRange(text: string): { readonly floor: number; readonly ceiling: number } | null {
  const [, first, second = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const [floor, ceiling] = [Number(first), Number(second)];
  return floor >= 1 && ceiling >= floor && ceiling <= 10_000 ? { floor, ceiling } : null;
}

function concurrency(engine: string, unset?: string) {
  const expected = 'a whole number from 1 to 10000, or a range such as 5-200';
  const limits = DEFAULT_LIMITS[engine];
  const own = unset ?? (limits === undefined ? '' : `Unset: \`${limits.floor}-${limits.ceiling}\`.`);
  const description = `How many orders the engine \`${engine}\` runs at once, across all processes. A number is a fixed limit; with a range the limit adapts to the upstream. ${own}`;
  return Type.Optional(
    Type.Refine(
      Type.String({ expected, description }),
      (value) => readRange(value) !== null,
      () => expected,
    ),
  );
}

function timeout(engine: string, unset: string) {
  return Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 3_600,
      expected: 'a number from 1 to 3600',
      description: `The timeout of one upstream call of the engine \`${engine}\`, in seconds. Unset: ${unset}.`,
    }),
  );
}
