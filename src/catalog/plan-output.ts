import type { JsonObject } from '../base/canonical-json.ts';
import type { Schema } from './describe-schema.ts';
import type { Model, OutputPlan } from './model.ts';
import { type PlannedSize, planSize, type Size } from './output-size.ts';

const DEFAULT_FPS = 24;
const DEFAULT_SECONDS = 5;
/** What a format may be called -> what it is. */
const FORMATS = {
  image: { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', webp: 'webp' },
  video: { mp4: 'mp4', webm: 'webm' },
} as const satisfies Record<Model['type'], Record<string, OutputPlan['format']>>;

/** How long a film gets. `planned` is what the built-in engine delivers, `most` what may have to be paid; equal where `known`. */
export interface PlannedSeconds {
  readonly planned: number;
  readonly most: number;
  readonly known: boolean;
}

/** The size of a create's output, from its checked values. */
export function planSizeOf(model: Model, values: JsonObject, firstPicture: Size | 'unmeasured' | null): PlannedSize {
  return planSize(
    model,
    {
      size: values.size,
      resolution: values.resolution,
      aspectRatio: values.aspect_ratio,
      width: values.width,
      height: values.height,
      ratioNamesPixels: (model.parameters.aspect_ratio as Schema | undefined)?.enum !== undefined,
    },
    firstPicture,
  );
}

/**
 * The length of a create's film; null for pictures.
 * @param given the length of the film or sound that it refers to, where it was measured: where the model chooses the length, it is like that.
 */
export function planSeconds(model: Model, values: JsonObject, given: number | null): PlannedSeconds | null {
  if (model.type === 'image') return null;
  const seconds = readSeconds(values.duration);
  if (seconds !== null) return { planned: seconds, most: seconds, known: true };
  const lengths = lengthsOf(model.parameters.duration as Schema | undefined);
  const shortest = lengths.length === 0 ? 0 : Math.min(...lengths);
  const longest = lengths.length === 0 ? null : Math.max(...lengths);
  const automatic = model.output?.auto_seconds ?? Math.min(DEFAULT_SECONDS, longest ?? DEFAULT_SECONDS);
  const most = Math.max(longest ?? automatic, automatic);
  const planned = given === null ? automatic : Math.min(most, Math.max(given, shortest));
  return { planned, most, known: false };
}

/** What will be delivered, all in all. */
export function planOutput(model: Model, values: JsonObject, size: Size, seconds: PlannedSeconds | null): OutputPlan {
  const isFilm = model.type === 'video';
  const { generate_audio: audio } = values;
  return {
    format: planFormat(model, values),
    width: size.width,
    height: size.height,
    durationSeconds: seconds?.planned ?? null,
    fps: isFilm ? (readSeconds(values.fps) ?? model.output?.fps ?? DEFAULT_FPS) : null,
    audio: isFilm && (typeof audio === 'boolean' ? audio : (model.output?.audio ?? false)),
    tiles: model.output?.tiles ?? null,
  };
}

/** As ordered, else as the entry says, else the usual one of its type. */
function planFormat(model: Model, values: JsonObject): OutputPlan['format'] {
  const known: Readonly<Record<string, OutputPlan['format']>> = FORMATS[model.type];
  const names = [values.output_format, model.output?.format].filter((name) => typeof name === 'string');
  const format = names.map((name) => known[name.toLowerCase()]).find((each) => each !== undefined);
  return format ?? (model.type === 'video' ? 'mp4' : 'png');
}

/** A positive number, or a text that is one (`"5"`, `"5s"`). */
export function readSeconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+(\.\d+)?s?$/i.test(value) ? Number.parseFloat(value) : value;
  return typeof number === 'number' && number > 0 ? number : null;
}

/** The lengths that a schema names, or the ends of its range; none where it leaves them open. */
function lengthsOf(schema: Schema | undefined): number[] {
  if (schema === undefined) return [];
  const named = (schema.enum ?? []).map(readSeconds).filter((seconds) => seconds !== null);
  if (named.length > 0) return named;
  const options = (schema.anyOf ?? []).flatMap(lengthsOf);
  if (options.length > 0) return options;
  return schema.maximum === undefined ? [] : [schema.minimum ?? 0, schema.maximum];
}
