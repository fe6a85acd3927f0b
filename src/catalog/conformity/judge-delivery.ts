import type { TaskWarningView } from '@darkroom-service/contract';
import type { MediaMeasurement, Model, ResolvedRequest, Size } from '@darkroom-service/contract/catalog';
import { FORMATS } from '../plan-output.ts';
import { isBelowLength, orderedLength } from './judge-length.ts';
import { hasOtherRatio, isBelowPixels, isSmaller } from './judge-size.ts';
import { type SentValues, sentValues, type TakenRoute } from './sent-values.ts';

/** The measurements of a delivered file. Null: not measured, so not compared. */
export interface Delivered {
  readonly contentType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly hasAudio: boolean | null;
  readonly tiles: number | null;
  /** Whether a transparent background was ordered and the file can have none. */
  readonly isOpaque?: true;
  /** The quality and model that the upstream's answer names. */
  readonly named?: { readonly quality?: string; readonly model?: string };
}

export interface JudgedOrder {
  readonly request: ResolvedRequest;
  readonly route: TakenRoute;
  /** Measurements of the request's media. */
  readonly measurements: readonly MediaMeasurement[];
  /** The model; null if the catalog no longer has it. */
  readonly model: Pick<Model, 'type' | 'sizing' | 'output' | 'limits'> | null;
}

/** The measured values of a result that fall short of the order; null = not short. */
export interface Shortfall {
  readonly size: Size | null;
  readonly seconds: number | null;
  readonly isSilent: boolean;
}

export const NOTHING_SHORT: Shortfall = { size: null, seconds: null, isSilent: false };

export interface Judgement {
  readonly short: Shortfall;
  /** Every difference, the short facts among them. */
  readonly warnings: readonly TaskWarningView[];
}

/** Minimum side of a picture, in pixels, and length of a video, in seconds; below these a result is broken. */
const SHORTEST_SIDE = 16;
const SHORTEST_SECONDS = 0.5;

/**
 * Returns the reason why a file is not of the ordered kind: `a video was ordered, the engine delivered image/png`. Null
 * if it is.
 */
export function otherThing(type: ResolvedRequest['type'], delivered: Delivered | null): string | null {
  const ordered = `${type === 'image' ? 'an image' : 'a video'} was ordered, the engine delivered`;
  if (delivered === null) return `${ordered} nothing`;
  const { contentType, width, height, durationSeconds } = delivered;
  // An animated picture is a picture, and a container without a picture track is measured as sound.
  if (!contentType.startsWith(`${type}/`)) return `${ordered} ${contentType}`;
  if (type === 'image' && width !== null && height !== null && Math.min(width, height) < SHORTEST_SIDE)
    return `${ordered} ${contentType} of ${width}x${height} pixels`;
  if (type === 'video' && durationSeconds !== null && durationSeconds < SHORTEST_SECONDS)
    return `${ordered} ${contentType} of ${durationSeconds} s`;
  return null;
}

/**
 * Compares a result of the ordered kind with the values sent to its upstream, never with the plan. Values that were not
 * sent or not measured are not compared, and neither are sizes and lengths of follow-up actions.
 */
export function judgeDelivery(order: JudgedOrder, delivered: Delivered): Judgement {
  const { request, route } = order;
  const sent = sentValues(route, request);
  const warnings: TaskWarningView[] = [];
  const short = request.action === null ? findShort(order, sent, delivered, warnings) : NOTHING_SHORT;
  if (request.action === null && sent.ratio !== null && short.size === null) {
    const came = sizeOf(delivered);
    if (came !== null && hasOtherRatio(came, sent.ratio))
      warnings.push(warning('other_ratio', 'aspect_ratio', sent.ratio, textOf(came)));
  }
  if (sent.sound === true && delivered.hasAudio === false)
    warnings.push(warning('silent', 'generate_audio', 'true', 'false'));
  const format = formatOf(request.type, sent.format);
  if (format !== null && format !== delivered.contentType)
    warnings.push(warning('other_format', 'output_format', sent.format ?? '', delivered.contentType));
  if (sent.background === 'transparent' && delivered.isOpaque === true)
    warnings.push(warning('opaque', 'background', 'transparent', 'opaque'));
  warnings.push(...otherNames(order, sent, delivered.named ?? {}));
  const { tiles } = request.output;
  if (route.parameters !== null && tiles !== null && delivered.tiles === null)
    warnings.push(warning('no_grid', 'num_images', `a grid of ${tiles}`, 'a single image'));
  return { short, warnings };
}

function findShort(
  { request, route: { delivers }, measurements, model }: JudgedOrder,
  sent: SentValues,
  delivered: Delivered,
  warnings: TaskWarningView[],
): Shortfall {
  const came = sizeOf(delivered);
  const field = model?.sizing?.times;
  const multiple = typeof field !== 'string' ? null : multipleOf(field, request, measurements);
  const isSmall =
    came !== null &&
    (multiple === null
      ? isSmaller(came, sent, model ?? { type: request.type }, delivers)
      : isBelowPixels(came, multiple.size));
  if (isSmall && multiple !== null)
    warnings.push(warning('smaller', multiple.field, textOf(multiple.size), textOf(came)));
  else if (isSmall) warnings.push(warning('smaller', ...orderedSize(sent), textOf(came)));
  const { durationSeconds: seconds } = delivered;
  const isTimed = sent.seconds !== null || model?.output?.as_long_as !== undefined;
  const length = isTimed ? orderedLength(sent.seconds, request, measurements, { model, delivers }) : null;
  const isShort = seconds !== null && length !== null && isBelowLength(seconds, length.expected);
  if (isShort) warnings.push(warning('shorter', length.field, String(length.ordered), String(seconds)));
  return {
    size: isSmall ? came : null,
    seconds: isShort ? seconds : null,
    isSilent: delivers?.sound === true && sent.sound === true && delivered.hasAudio === false,
  };
}

/** Returns the ordered multiple of an input's size, and its field; null if no input is measured. */
function multipleOf(
  field: string,
  { values }: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): { readonly field: string; readonly size: Size } | null {
  const input = measurements.find(({ width, height }) => width !== null && height !== null);
  const factor = values[field];
  if (input === undefined || typeof factor !== 'number') return null;
  return { field, size: { width: (input.width ?? 0) * factor, height: (input.height ?? 0) * factor } };
}

/** Compares the quality and the model that an answer names with those that were sent. */
function otherNames({ request, route }: JudgedOrder, sent: SentValues, named: NonNullable<Delivered['named']>) {
  const found: TaskWarningView[] = [];
  const { quality, model } = named;
  if (quality !== undefined && sent.quality !== null && sent.quality !== 'auto' && quality !== sent.quality)
    found.push(warning('other_quality', 'quality', String(request.values.quality), quality));
  if (model !== undefined && isOther(route.model ?? null, model))
    found.push(warning('other_model', 'model_id', request.modelId, model));
  return found;
}

/** Tells whether a named model differs from the sent one. A version or a deployment that was sent names no model. */
function isOther(sent: string | null, named: string): boolean {
  const isModel = sent !== null && /^[^:/]+\/[^:/]+$/.test(sent);
  return isModel && sent.toLowerCase() !== named.toLowerCase();
}

/** Returns the field by which the size was ordered, and its value. */
function orderedSize({ pixels, tier }: SentValues): [field: string, ordered: string] {
  return pixels === null ? ['resolution', tier ?? ''] : ['size', textOf(pixels)];
}

function sizeOf({ width, height }: Delivered): Size | null {
  return width === null || height === null ? null : { width, height };
}

function textOf({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** Returns the content type of an ordered format; null if it cannot be told from a file. */
function formatOf(type: ResolvedRequest['type'], name: string | null): string | null {
  const formats: Readonly<Record<string, string>> = FORMATS[type];
  const word = name?.toLowerCase() ?? '';
  return Object.hasOwn(formats, word) ? `${type}/${formats[word]}` : null;
}

function warning(code: TaskWarningView['code'], field: string, ordered: string, delivered: string): TaskWarningView {
  return { code, field, ordered, delivered };
}
