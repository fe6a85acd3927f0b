import {
  DEFAULT_LIMITS,
  type Prefix,
  VENDOR_NAMES,
  VENDORS,
  type VendorName,
  variablePrefix,
} from '@darkroom-service/engines';
import { Type } from 'typebox';
import { decimal, text, type ValuesOf } from './variable-types.ts';

/**
 * Settings for refused orders, and two settings for each engine with an upstream: its concurrency and the timeout of
 * one call.
 */
export const ENGINE_LIMIT_VARIABLES = {
  DARKROOM_ROUTE_PATIENCE_SECONDS: decimal(
    0,
    86_400,
    'How long an order is offered to an upstream that refuses or delays it, before the next route.',
    45,
  ),
  DARKROOM_UPSTREAM_WAIT_MINUTES: decimal(
    0.01,
    43_200,
    "How long after its first refusal an order without another route fails, with the upstream's reason.",
    30,
  ),
  ...limitsOf('fal', '60'),
  ...limitsOf('replicate', '60'),
  ...vendorLimits(),
  ...limitsOf('azure-openai', '600'),
  ...limitsOf('vertex', '600 for images, 300 for videos'),
  ...limitsOf('comfyui', '60', 'Unset: 2 per server.'),
  ...limitsOf('sd-server', '60', 'Unset: 2.'),
} as const;

type LimitValues = Partial<ValuesOf<typeof ENGINE_LIMIT_VARIABLES>>;

const ENGINES = ['fal', 'replicate', ...VENDOR_NAMES, 'azure-openai', 'vertex', 'comfyui', 'sd-server'];

/** The operator's settings for one engine; null = the engine's own default. */
export interface EngineLimitSetting {
  /** Equal bounds: the limit is fixed. */
  readonly concurrency: { readonly floor: number; readonly ceiling: number } | null;
  readonly callTimeoutMs: number | null;
}

/** Returns the waits of a refused order: until it uses the next route, and until it fails. */
export function upstreamWaitsOf(
  values: Pick<
    ValuesOf<typeof ENGINE_LIMIT_VARIABLES>,
    'DARKROOM_ROUTE_PATIENCE_SECONDS' | 'DARKROOM_UPSTREAM_WAIT_MINUTES'
  >,
) {
  return {
    routePatienceMs: Math.round(values.DARKROOM_ROUTE_PATIENCE_SECONDS * 1_000),
    upstreamWaitMs: Math.round(values.DARKROOM_UPSTREAM_WAIT_MINUTES * 60_000),
  };
}

/** Returns the configured limits by engine name. */
export function engineLimitsOf(values: LimitValues): Readonly<Record<string, EngineLimitSetting>> {
  const limits: Record<string, EngineLimitSetting> = {};
  for (const name of ENGINES) {
    const prefix = variablePrefix(name);
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

/** Returns the two variables of an engine. @param concurrencyUnset for an engine without bounds of its own */
function limitsOf<Name extends string>(name: Name, timeoutUnset: string, concurrencyUnset?: string) {
  const prefix = variablePrefix(name);
  return {
    [`${prefix}_CONCURRENCY`]: concurrency(name, concurrencyUnset),
    [`${prefix}_TIMEOUT_SECONDS`]: timeout(name, timeoutUnset),
  } as LimitVariables<Name>;
}

function vendorLimits(): LimitVariables<VendorName> {
  const entries = VENDOR_NAMES.map((name) => limitsOf(name, VENDORS[name].timeout));
  return Object.assign({}, ...entries);
}

type LimitVariables<Name extends string> = {
  [One in Name as `${Prefix<One>}_CONCURRENCY`]: ReturnType<typeof concurrency>;
} & { [One in Name as `${Prefix<One>}_TIMEOUT_SECONDS`]: ReturnType<typeof timeout> };

function concurrency(engine: string, unset?: string) {
  const expected = 'a whole number from 1 to 10000, or a range such as 5-200';
  const limits = DEFAULT_LIMITS[engine];
  const own = unset ?? (limits === undefined ? '' : `Unset: \`${limits.floor}-${limits.ceiling}\`.`);
  const description = `How many orders the engine \`${engine}\` runs at once, across all processes. A number is a fixed limit; with a range the limit adapts to the upstream. ${own}`;
  return Type.Optional(text({ expected, description }, (value) => readRange(value) !== null));
}

function timeout(engine: string, unset: string) {
  return Type.Optional(
    decimal(1, 3_600, `The timeout of one upstream call of the engine \`${engine}\`, in seconds. Unset: ${unset}.`),
  );
}
