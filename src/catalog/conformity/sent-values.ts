import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  holds,
  lookUpIn,
  type ResolvedRequest,
  type RouteDelivers,
  type RouteMap,
  readRatio,
  readRule,
  rulesOf,
  type Size,
} from '@darkroom-service/contract/catalog';

/** The route that an order took, as stored with it. */
export interface TakenRoute {
  /** The upstream's name of the model; absent or null = none. */
  readonly model?: string | null;
  readonly parameters: RouteMap | null;
  readonly fixed: JsonObject;
  readonly delivers?: RouteDelivers;
}

/** The values about the result that were sent to an upstream. Null: not sent. */
export interface SentValues {
  /**
   * The sides sent: at most the plan's, since a route may spell a tier in more pixels than the tier has. Null as well
   * if the sides follow from an input, since the caller has not chosen them.
   */
  readonly pixels: Size | null;
  /** The tier in the model's spelling. */
  readonly tier: string | null;
  /** The ratio in the model's spelling, if sent as a ratio. */
  readonly ratio: string | null;
  readonly seconds: number | null;
  readonly sound: boolean | null;
  /** The accepted name of a format. */
  readonly format: string | null;
  readonly background: string | null;
  /** The quality in the upstream's spelling, as sent. */
  readonly quality: string | null;
}

const NOTHING: SentValues = {
  pixels: null,
  tier: null,
  ratio: null,
  seconds: null,
  sound: null,
  format: null,
  background: null,
  quality: null,
};
/** Values such as `1024x768`, and ratios such as `1280:720`, give exact pixels. */
const PIXELS = /^(\d{2,5})[x*×](\d{2,5})$|^(\d{3,5}):(\d{3,5})$/i;
/** The paths of a size among the values that a route always sends. */
const SIZE_PATH = /(^|\.)(resolution|size|image_?size)$/i;

/** Evaluates a route's map for a request, as far as it determines properties of the result. */
export function sentValues({ parameters, fixed }: TakenRoute, request: ResolvedRequest): SentValues {
  if (parameters === null) return NOTHING;
  const lookUp = lookUpIn(request);
  const { values } = request;
  const sent: { -readonly [Name in keyof SentValues]: SentValues[Name] } = { ...NOTHING };
  const sides: { width?: JsonValue; height?: JsonValue } = {};
  for (const [path, value] of Object.entries(fixed)) if (SIZE_PATH.test(path)) sizeIn(value, value);
  for (const named of rulesOf(parameters)) {
    const [source = ''] = named.sources;
    const isOfSides = named.sources.includes('width') && named.sources.includes('height');
    if (!(isOfSides || SOURCES.has(source)) || !holds(named.rule.when, lookUp)) continue;
    const read = readRule(named, lookUp);
    const value = 'unsupported' in read ? undefined : read.value;
    // An upstream may have one background only, which a route then expresses by leaving it out.
    if (source === 'background' && !('unsupported' in read)) sent.background = textIn(values[source]);
    if (value === undefined) continue;
    if (isOfSides) sent.pixels = pixelsIn(value) ?? sent.pixels;
    else if (source === 'width' || source === 'height') sides[source] = value;
    else if (source === 'duration' || source === 'output_seconds') sent.seconds = request.output.durationSeconds;
    else if (source === 'generate_audio') sent.sound = typeof values[source] === 'boolean' ? values[source] : null;
    else if (source === 'output_format') sent.format = textIn(values[source]);
    else if (source === 'quality') sent.quality = textIn(value);
    else if (source === 'size' || source === 'resolution') sizeIn(value, values[source]);
    else if (pixelsIn(value) !== null) sent.pixels = pixelsIn(value);
    else if (readRatio(values[source]) !== null) sent.ratio = textIn(values[source]);
  }
  const { width, height } = sides;
  if (typeof width === 'number' && typeof height === 'number') sent.pixels = { width, height };
  if (sent.pixels !== null && followsInput(request)) sent.pixels = null;
  if (sent.pixels !== null) sent.pixels = smallerOf(request.output, sent.pixels);
  if (request.derived.seconds_known === false) sent.seconds = null;
  return sent;

  function sizeIn(value: JsonValue, ordered: JsonValue | undefined): void {
    const pixels = pixelsIn(value) ?? pixelsIn(ordered);
    if (pixels === null) sent.tier = textIn(ordered);
    else sent.pixels = pixels;
  }
}

const SOURCES: ReadonlySet<string> = new Set([
  'width',
  'height',
  'size',
  'resolution',
  'aspect_ratio',
  'duration',
  'output_seconds',
  'generate_audio',
  'output_format',
  'background',
  'quality',
]);

/** Tells whether a request leaves its ratio to the upstream or to an input. */
function followsInput({ values, media }: ResolvedRequest): boolean {
  if (pixelsIn(values.size) !== null || typeof values.width === 'number') return false;
  const ratio = values.aspect_ratio ?? null;
  if (ratio === null) return media.some(({ kind }) => kind !== 'audio');
  return readRatio(ratio) === null;
}

function smallerOf({ width, height }: Size, other: Size): Size {
  return width * height < other.width * other.height ? { width, height } : other;
}

function pixelsIn(value: JsonValue | undefined): Size | null {
  const [, width, height, wide, high] = (typeof value === 'string' && PIXELS.exec(value)) || [];
  const size = { width: Number(width ?? wide), height: Number(height ?? high) };
  return size.width > 0 && size.height > 0 ? size : null;
}

function textIn(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
