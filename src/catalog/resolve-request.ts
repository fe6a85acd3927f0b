import type { JsonObject } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import { checkConstraints, checkDoubles, checkRequired, missingFields, type Together } from './check-together.ts';
import { compileModel, type FieldSet } from './compiled-model.ts';
import { derive } from './derive.ts';
import { collectMedia, soundEntries } from './media-fields.ts';
import type { MediaMeasurement, MediaReference, Model, ResolvedRequest } from './model.ts';
import type { Size } from './output-size.ts';
import { planOutput, planSeconds, planSizeOf } from './plan-output.ts';
import { readFields } from './read-fields.ts';

export type Resolution =
  | { readonly ok: true; readonly request: ResolvedRequest }
  | {
      readonly ok: false;
      readonly faults: Fault[];
      /** The media that could be read, so that what is wrong with them can be told as well. */
      readonly media: readonly MediaReference[];
    };

export interface ResolveOptions {
  /** A quote tolerates a missing prompt or medium; it prices a missing medium as if it were there. */
  readonly purpose: 'create' | 'quote';
}

const UNMEASURED: readonly MediaMeasurement[] = [];

/**
 * What a body orders of a model, or every fault at once. Pure; the body comes without `model_id` and the service's own fields.
 * Nothing is coerced but `duration`; enum values are echoed in the entry's spelling.
 */
export function resolveRequest(model: Model, body: JsonObject, options: ResolveOptions): Resolution {
  const { fields: set } = compileModel(model);
  const faults: Fault[] = [];
  const { values, refused } = readFields(set, body, model.model_id, faults);
  const sent = collectMedia(set.media, values);
  const media = options.purpose === 'quote' ? [...sent, ...missingMedia(model, set, values, refused)] : sent;
  const request = completeRequest(model, set, values, media, UNMEASURED);
  const together: Together = { set, values, derived: request.derived, refused };
  if (options.purpose === 'create') checkRequired(model, together, faults);
  checkDoubles(together, faults);
  checkConstraints(model.constraints, together, faults);
  if (faults.length === 0) return { ok: true, request };
  return { ok: false, faults, media: [...sent, ...soundEntries(set.media, body, refused)] };
}

/** A create's request from checked values: derived values and output as far as the measurements tell. */
export function completeRequest(
  model: Model,
  set: FieldSet,
  values: JsonObject,
  media: readonly MediaReference[],
  measurements: readonly MediaMeasurement[],
): ResolvedRequest {
  const size = planSizeOf(model, values, firstPictureOf(set, media, measurements));
  const seconds = planSeconds(model, values, lengthOf(set, measurements));
  const { media: fields, lists } = set;
  return {
    modelId: model.model_id,
    type: model.type,
    action: null,
    values,
    derived: derive({ type: model.type, action: null, values, fields, lists, media, size, seconds, measurements }),
    output: planOutput(model, values, size, seconds),
    media,
  };
}

/** What a film is made from or after has a say in its length, or else what is heard in it. */
function lengthOf(set: FieldSet, measurements: readonly MediaMeasurement[]): number | null {
  for (const kind of ['video', 'audio'] as const) {
    const fields = set.media.filter((field) => field.kind === kind).map((field) => field.name);
    const found = measurements.find(({ field, durationSeconds }) => fields.includes(field) && durationSeconds !== null);
    if (found !== undefined) return found.durationSeconds;
  }
  return null;
}

/** A mask or a style has no say in the ratio. */
function firstPictureOf(
  set: FieldSet,
  media: readonly MediaReference[],
  measurements: readonly MediaMeasurement[],
): Size | 'unmeasured' | null {
  if (media.length === 0) return null;
  const silent = set.media
    .filter((field) => field.role === 'mask' || field.role === 'style')
    .map((field) => field.name);
  const first =
    media.find((medium) => medium.kind === 'image' && !silent.includes(medium.field)) ??
    media.find((medium) => medium.kind === 'video');
  if (first === undefined) return null;
  const found = measurements.find((one) => one.field === first.field && one.index === first.index);
  if (found === undefined || found.width === null || found.height === null) return 'unmeasured';
  return { width: found.width, height: found.height };
}

/** What a create would still have to send, so that its price is not told too low. */
function missingMedia(model: Model, set: FieldSet, values: JsonObject, refused: ReadonlySet<string>): MediaReference[] {
  const missing = missingFields(model.required, values, refused);
  return set.media
    .filter((field) => missing.includes(field.name))
    .map(({ name, kind }) => ({ field: name, index: 0, kind, source: '' }));
}
