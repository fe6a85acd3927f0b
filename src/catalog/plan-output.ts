import type { JsonObject } from '@darkroom-service/contract';
import type { Model, OutputPlan, Schema, Size } from '@darkroom-service/contract/catalog';

const DEFAULT_FPS = 24;
const DEFAULT_SECONDS = 5;
/** Accepted names of a format -> the format. */
export const FORMATS = {
  image: { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', webp: 'webp' },
  video: { mp4: 'mp4', webm: 'webm' },
} as const satisfies Record<Model['type'], Record<string, OutputPlan['format']>>;

/**
 * Planned length of a video, in seconds. `planned` is the length that the built-in engine delivers, `most` the maximum
 * that may be charged; equal if `known`.
 */
interface PlannedSeconds {
  readonly planned: number;
  readonly most: number;
  readonly known: boolean;
}

/**
 * Plans the length of a create's video; null for pictures.
 * @param duration the ordered length, if any.
 * @param given the measured length of the video or sound it refers to: if the model chooses the length, it will be
 * similar.
 */
export function planSeconds(model: Model, duration: unknown, given: number | null): PlannedSeconds | null {
  if (model.type === 'image') return null;
  const seconds = readSeconds(duration);
  if (seconds !== null) return { planned: seconds, most: seconds, known: true };
  const lengths = lengthsOf(model.parameters.duration as Schema | undefined);
  const shortest = lengths.length === 0 ? 0 : Math.min(...lengths);
  const longest = lengths.length === 0 ? null : Math.max(...lengths);
  const automatic = model.output?.auto_seconds ?? Math.min(DEFAULT_SECONDS, longest ?? DEFAULT_SECONDS);
  const most = Math.max(longest ?? automatic, automatic);
  const planned = given === null ? automatic : Math.min(most, Math.max(given, shortest));
  return { planned, most, known: false };
}

/** Combines size, length and format into the planned output. */
export function planOutput(model: Model, values: JsonObject, size: Size, seconds: PlannedSeconds | null): OutputPlan {
  const isFilm = model.type === 'video';
  const { generate_audio: audio } = values;
  return {
    format: planFormat(model, values.output_format),
    width: size.width,
    height: size.height,
    durationSeconds: seconds?.planned ?? null,
    fps: isFilm ? (readSeconds(values.fps) ?? model.output?.fps ?? DEFAULT_FPS) : null,
    audio: isFilm && (typeof audio === 'boolean' ? audio : (model.output?.audio ?? false)),
    tiles: model.output?.tiles ?? null,
  };
}

/** Returns the format as ordered, else the entry's, else the default of its type. */
function planFormat(model: Model, ordered: unknown): OutputPlan['format'] {
  const known: Readonly<Record<string, OutputPlan['format']>> = FORMATS[model.type];
  const names = [ordered, model.output?.format].filter((name) => typeof name === 'string');
  const format = names.map((name) => known[name.toLowerCase()]).find((each) => each !== undefined);
  return format ?? (model.type === 'video' ? 'mp4' : 'png');
}

/** Parses a positive number, or a text such as `"5"` or `"5s"`. */
export function readSeconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+(\.\d+)?s?$/i.test(value) ? Number.parseFloat(value) : value;
  return typeof number === 'number' && number > 0 ? number : null;
}

/** Returns the lengths that a schema lists, or the ends of its range; empty if it does not limit them. */
function lengthsOf(schema: Schema | undefined): number[] {
  if (schema === undefined) return [];
  const named = (schema.enum ?? []).map(readSeconds).filter((seconds) => seconds !== null);
  if (named.length > 0) return named;
  const options = (schema.anyOf ?? []).flatMap(lengthsOf);
  if (options.length > 0) return options;
  return schema.maximum === undefined ? [] : [schema.minimum ?? 0, schema.maximum];
}
