import {
  cleanText,
  didYouMean,
  type Fault,
  type JsonObject,
  type JsonValue,
  suggestName,
} from '@darkroom-service/contract';
import {
  type FieldSet,
  type MediaMeasurement,
  type MediaReference,
  type Model,
  planSize,
  type ResolvedRequest,
  type Size,
} from '@darkroom-service/contract/catalog';
import { type Carried, MediaSearch } from '@darkroom-service/media';
import {
  checkConflicts,
  checkConstraints,
  missingFields,
  type RequestToCheck,
  reportMissing,
} from './check-request.ts';
import { derive } from './derive.ts';
import { spreadRoles } from './image-roles.ts';
import { inputLength } from './input-length.ts';
import { mediaIn, validEntries } from './media-fields.ts';
import { MOST_FAULTS } from './parameter-fault.ts';
import { planOutput, planSeconds } from './plan-output.ts';
import type { SentPaths } from './sent-paths.ts';

export type Resolution = {
  /** The paths that the body used instead of those of the request and its faults; absent = the same. */
  readonly sentAs?: SentPaths;
} & (
  | {
      readonly ok: true;
      readonly request: ResolvedRequest;
      /** Fields of a quote that a create would still have to send. */
      readonly missing: readonly string[];
    }
  | {
      readonly ok: false;
      readonly faults: Fault[];
      /** The readable media, so that their faults can be reported too. */
      readonly media: readonly MediaReference[];
    }
);

export interface ResolveOptions {
  /** A quote tolerates a missing prompt or medium; it prices a missing medium as if it were sent. */
  readonly purpose: 'create' | 'quote';
}

const UNMEASURED: readonly MediaMeasurement[] = [];
/** Quotes are often asked for before there is a prompt. */
const STAND_IN_PROMPT = 'a prompt';

/**
 * Resolves a body to an order of a model, or returns all faults. Pure; the body comes without `model_id` and the
 * service's own fields.
 * Only `duration` is coerced; enum values are returned in the entry's spelling.
 */
export function resolveRequest(model: Model, body: JsonObject, options: ResolveOptions): Resolution {
  const { fields: set } = model.compiled;
  const faults: Fault[] = [];
  const spread = body.image_roles === undefined ? null : spreadRoles(set, body, model.model_id, faults);
  const plain = spread?.body ?? body;
  const { values, refused } = readFields(set, plain, model.model_id, faults, spread?.unread);
  const sent = set.media.flatMap((field) => mediaIn(field, values[field.name]));
  let media = sent;
  const missing = missingFields(model.required, values, refused);
  if (options.purpose === 'quote' && missing.length > 0) {
    // A quote counts media that a create would still have to send. Without them it would be too low.
    const unsent = set.media.filter((field) => missing.includes(field.name));
    media = [...sent, ...unsent.map(({ name, kind }) => ({ field: name, index: 0, kind, source: '' }))];
  }
  const request = completeRequest(model, set, values, media, UNMEASURED);
  const toCheck: RequestToCheck = { set, values, derived: request.derived, refused };
  if (options.purpose === 'create' && missing.length > 0) reportMissing(model, set, missing, faults);
  checkConflicts(toCheck, faults);
  checkConstraints(model.constraints, toCheck, faults);
  const paths = spread?.sentAs === undefined ? {} : { sentAs: spread.sentAs };
  if (faults.length === 0) return { ok: true, request, missing, ...paths };
  return { ok: false, faults, media: [...sent, ...validEntries(set.media, plain, refused)], ...paths };
}

/** Returns the request of a quote with a stand-in for its missing prompt; null if anything else is missing. */
export function withPrompt({ request, missing }: Extract<Resolution, { ok: true }>): ResolvedRequest | null {
  return missing.some((name) => name !== 'prompt') ? null : withStandIn(request);
}

/** Returns the request with a stand-in for its prompt. */
export function withStandIn(request: ResolvedRequest): ResolvedRequest {
  return {
    ...request,
    values: { ...request.values, prompt: STAND_IN_PROMPT },
    derived: { ...request.derived, prompt_characters: STAND_IN_PROMPT.length },
  };
}

/** Completes a create's request from checked values: derived values and output, as far as the measurements allow. */
export function completeRequest(
  model: Model,
  set: FieldSet,
  values: JsonObject,
  media: readonly MediaReference[],
  measurements: readonly MediaMeasurement[],
): ResolvedRequest {
  const size = planSize(model, values, firstPictureOf(set, media, measurements));
  const given = model.output?.as_long_as === undefined ? null : inputLength(model, values, media, measurements);
  const seconds =
    given === null
      ? planSeconds(model, values.duration, lengthOf(set, measurements))
      : { planned: given.most, most: given.most, known: given.known };
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

/** Returns the length of the input video that the result is based on, or else of its sound. */
function lengthOf(set: FieldSet, measurements: readonly MediaMeasurement[]): number | null {
  for (const kind of ['video', 'audio'] as const) {
    const fields = set.media.filter((field) => field.kind === kind).map((field) => field.name);
    const found = measurements.find(({ field, durationSeconds }) => fields.includes(field) && durationSeconds !== null);
    if (found !== undefined) return found.durationSeconds;
  }
  return null;
}

/** Masks and style pictures do not influence the ratio. */
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

interface ReadFields {
  /** All parameters, with defaults, in the entry's spelling. */
  readonly values: Record<string, JsonValue>;
  /** Parameters whose value was refused. */
  readonly refused: ReadonlySet<string>;
}

/** Additions to the refusal of an unknown field, by its content. */
const CARRIED: Readonly<Record<Carried, string>> = {
  media: ', which carries a medium',
  nothing: '',
  unclear: ', which has more than 64 levels or 10,000 values',
};

const NONE: ReadonlySet<string> = new Set();
/** Fields that any order accepts besides the model's own. */
const SERVICE_FIELDS = [
  'model_id',
  'metadata',
  'end_user',
  'webhook_url',
  'deliver_to',
  'max_price',
  'allow_dearer',
  'fallback_models',
  'fallback_on_content_policy',
];

/**
 * Checks each field of a body separately and adds faults to `faults`. `taker` is the name, in messages, of the model or
 * action that accepts the fields. The `unread` fields count as refused: their fault is reported already.
 */
export function readFields(
  set: FieldSet,
  body: JsonObject,
  taker: string,
  faults: Fault[],
  unread: readonly string[] = [],
): ReadFields {
  const values: Record<string, JsonValue> = { ...set.defaults };
  let refused: Set<string> | null = unread.length === 0 ? null : new Set(unread);
  let search: MediaSearch | null = null;
  for (const name of Object.keys(body)) {
    const value = body[name];
    // Null means not sent, whatever the default.
    if (value === undefined || (value === null && set.parameters.has(name))) continue;
    if (faults.length >= MOST_FAULTS) break;
    const parameter = set.parameters.get(name);
    if (parameter === undefined) {
      search ??= new MediaSearch();
      faults.push(unsupportedField(set, name, taker, search.inspect(name, value)));
      continue;
    }
    const before = faults.length;
    const read = parameter.check(value, name, faults);
    if (faults.length === before) values[name] = read;
    else {
      refused ??= new Set();
      refused.add(name);
    }
  }
  return { values, refused: refused ?? NONE };
}

function unsupportedField(set: FieldSet, name: string, taker: string, carried: Carried): Fault {
  const accepted = set.names === '' ? 'It accepts no fields.' : `Accepted fields: ${set.names}.`;
  const media = set.media.length === 0 ? 'no media' : `media in ${set.media.map((field) => field.name).join(', ')}`;
  const param = cleanText(name, 100);
  const roles = set.imageRoles.size === 0 ? [] : ['image_roles'];
  const suggestion = suggestName(param, [...set.parameters.keys(), ...roles, ...SERVICE_FIELDS]);
  const message = `${taker} does not accept '${param}'${CARRIED[carried]}.${didYouMean(suggestion)} ${carried === 'media' ? `It takes ${media}.` : accepted}`;
  return { param, code: 'unsupported_field', message, ...(suggestion === null ? {} : { suggestion }) };
}
