import type { JsonObject } from '@darkroom-service/contract';
import type { DerivedValues, MediaReference, OutputPlan, ResolvedRequest } from '@darkroom-service/contract/catalog';

/**
 * A request as a row stores it: without the values of the input beside it, and without derived values that follow from
 * the rest. A request that cannot be packed is stored whole.
 */
export interface PackedRequest {
  readonly packed: 1;
  readonly type: ResolvedRequest['type'];
  readonly action?: string;
  /** Values that the input lacks, or has in another form. */
  readonly values?: JsonObject;
  /** Fields of the input that are no values, if they are not the usual ones. */
  readonly without?: readonly string[];
  /** Derived values that `impliedBy` does not return. */
  readonly derived?: DerivedValues;
  readonly output: Partial<OutputPlan> & Pick<OutputPlan, 'format' | 'width' | 'height'>;
  /** Media, without a source that the values have. */
  readonly media?: readonly (Omit<MediaReference, 'source'> & { readonly source?: string })[];
}

const PLAIN_OUTPUT = { durationSeconds: null, fps: null, audio: false, tiles: null } as const;

export function isPacked(stored: ResolvedRequest | PackedRequest): stored is PackedRequest {
  return 'packed' in stored;
}

/** Packs a request that differs little from its input. @returns null if `unpackRequest` would give another one */
export function packRequest(request: ResolvedRequest, input: JsonObject): PackedRequest | null {
  const { modelId, type, action, values, output } = request;
  if (input.model_id !== modelId || Object.hasOwn(values, 'model_id')) return null;
  const derived = notImplied(request);
  if (derived === null) return null;
  const own = Object.keys(values).filter((name) => !Object.hasOwn(input, name) || input[name] !== values[name]);
  const without = Object.keys(input).filter((name) => name !== 'model_id' && !Object.hasOwn(values, name));
  const usual = usuallyWithout(action);
  const isUsual = without.length === usual.length && without.every((name, at) => name === usual[at]);
  return {
    packed: 1,
    type,
    ...(action === null ? {} : { action }),
    ...(own.length === 0 ? {} : { values: only(values, own) }),
    ...(isUsual ? {} : { without }),
    ...(derived.length === 0 ? {} : { derived: only(request.derived, derived) }),
    output: packOutput(output),
    ...(request.media.length === 0 ? {} : { media: request.media.map((medium) => packMedium(values, medium)) }),
  };
}

export function unpackRequest(packed: PackedRequest, input: JsonObject): ResolvedRequest {
  const { type, action = null, without = usuallyWithout(action), media = [] } = packed;
  const own = packed.values ?? {};
  const shared = Object.entries(input).filter(([name]) => name !== 'model_id' && !without.includes(name));
  const values = { ...Object.fromEntries(shared), ...own };
  const output = { ...PLAIN_OUTPUT, ...packed.output };
  return {
    modelId: String(input.model_id),
    type,
    action,
    values,
    derived: { ...impliedBy({ type, action, values, output }), ...packed.derived },
    output,
    media: media.map((medium) => ({ ...medium, source: medium.source ?? sourceIn(values, medium) ?? '' })),
  };
}

function usuallyWithout(action: string | null): readonly string[] {
  return action === null ? [] : ['parent_task_id', 'action'];
}

function packOutput(output: OutputPlan): PackedRequest['output'] {
  const { format, width, height, ...rest } = output;
  const names = Object.keys(rest) as (keyof typeof rest)[];
  const special = names.filter((name) => PLAIN_OUTPUT[name] !== rest[name]);
  return { format, width, height, ...only(rest, special) };
}

/** Returns the named properties of an object. */
function only<Value>(object: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, object[name] as Value]));
}

function packMedium(values: JsonObject, medium: MediaReference): NonNullable<PackedRequest['media']>[number] {
  const { source, ...rest } = medium;
  return sourceIn(values, medium) === source ? rest : medium;
}

function sourceIn(values: JsonObject, { field, index }: Omit<MediaReference, 'source'>): string | undefined {
  const value = values[field];
  const source = Array.isArray(value) ? value[index] : value;
  return typeof source === 'string' ? source : undefined;
}

/** @returns the names of derived values; null if the request lacks a value that would be implied */
function notImplied(request: ResolvedRequest): string[] | null {
  const { derived } = request;
  const implied = impliedBy(request);
  if (Object.keys(implied).some((name) => !Object.hasOwn(derived, name))) return null;
  return Object.keys(derived).filter((name) => !Object.hasOwn(implied, name) || implied[name] !== derived[name]);
}

/**
 * Returns the derived values of a plain order without media. Rows depend on it: a value may be added only together with
 * another number in `packed`.
 */
function impliedBy({ type, action, values, output }: Omit<ResolvedRequest, 'modelId' | 'derived' | 'media'>) {
  const { width, height, durationSeconds } = output;
  const implied: Record<string, string | number | boolean | null> = {
    action: action ?? 'create',
    mode: type === 'image' ? 'text_to_image' : 'text_to_video',
    image_count: 0,
    video_count: 0,
    audio_count: 0,
    media_count: 0,
    video_input: false,
    prompt_characters: typeof values.prompt === 'string' ? values.prompt.length : 0,
    width,
    height,
    output_pixels: width * height,
    output_megapixels: (width * height) / 1_048_576,
    aspect: width / height,
    aspect_long: Math.max(width, height) / Math.min(width, height),
    size_known: true,
    output_seconds: durationSeconds,
    seconds_known: true,
    input_video_seconds: 0,
    input_audio_seconds: 0,
    total_seconds: durationSeconds,
  };
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (name.endsWith('_urls')) implied[`${name}_count`] = Array.isArray(value) ? value.length : 0;
  }
  return implied;
}
