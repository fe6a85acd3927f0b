import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type {
  DerivedValues,
  ListField,
  MediaField,
  MediaMeasurement,
  MediaReference,
  PlannedSize,
} from '@darkroom-service/contract/catalog';
import { measureText } from './text-limit.ts';

/**
 * Names of the values derived from a request. Constraints and prices use them like parameters; null = not known (yet).
 *
 * | name | meaning |
 * |---|---|
 * | `action` | `create`, or the follow-up action |
 * | `mode` | the kind of order according to its media, see `modeOf` |
 * | `<field>_count` | items of each list field; 0 when not sent |
 * | `<field>_seconds` | of a list of objects with `duration` (shots): their sum; null when not sent |
 * | `<field>_seconds_left` | seconds of the video minus that sum; null when not sent |
 * | `image_count` | pictures sent, without masks |
 * | `video_count`, `audio_count` | videos, sounds sent |
 * | `media_count` | the sum of the three |
 * | `video_input` | whether a video is sent |
 * | `prompt_characters` | length of the prompt; 0 when not sent |
 * | `width`, `height` | of the output, pixels |
 * | `output_pixels` | width × height; the maximum while `size_known` is false |
 * | `output_megapixels` | output_pixels / 2^20, with fractions (a price counts whole ones, rounded up) |
 * | `aspect` | width / height |
 * | `aspect_long` | longer / shorter side |
 * | `size_known` | false while the ratio depends on a picture that has not been measured |
 * | `output_seconds` | length of the video; the maximum while `seconds_known` is false; null for pictures |
 * | `seconds_known` | false if the model chooses the length |
 * | `input_video_seconds`, `input_audio_seconds` | total of the videos, sounds sent; null until measured |
 * | `total_seconds` | input videos and output together; null until measured |
 */
export const DERIVED_NAMES = [
  'action',
  'mode',
  'image_count',
  'video_count',
  'audio_count',
  'media_count',
  'video_input',
  'prompt_characters',
  'width',
  'height',
  'output_pixels',
  'output_megapixels',
  'aspect',
  'aspect_long',
  'size_known',
  'output_seconds',
  'seconds_known',
  'input_video_seconds',
  'input_audio_seconds',
  'total_seconds',
] as const;

/** The possible values of `mode`. */
export const MODES = [
  'text_to_image',
  'image_to_image',
  'text_to_video',
  'image_to_video',
  'first_last_frame',
  'reference_to_video',
  'video_edit',
] as const;
type Mode = (typeof MODES)[number];

interface DeriveInput {
  readonly type: 'image' | 'video';
  readonly action: string | null;
  readonly values: JsonObject;
  readonly fields: readonly MediaField[];
  /** The parameters whose type is a list. */
  readonly lists: readonly ListField[];
  readonly media: readonly MediaReference[];
  readonly size: PlannedSize;
  readonly seconds: { readonly most: number; readonly known: boolean } | null;
  readonly measurements: readonly MediaMeasurement[];
}

/** Computes every derived value of a request, see `DERIVED_NAMES`. */
export function derive(input: DeriveInput): DerivedValues {
  const { size, seconds, media, measurements } = input;
  const counts = countMedia(media);
  const inputVideoSeconds = counts.video === 0 ? 0 : measuredSeconds('video', media, measurements);
  const derived: Record<string, string | number | boolean | null> = {
    action: input.action ?? 'create',
    mode: modeOf(input.type, input.fields, media),
    image_count: counts.image,
    video_count: counts.video,
    audio_count: counts.audio,
    media_count: counts.image + counts.video + counts.audio,
    video_input: counts.video > 0,
    prompt_characters: typeof input.values.prompt === 'string' ? measureText(input.values.prompt, 'characters') : 0,
    width: size.width,
    height: size.height,
    output_pixels: size.mostPixels,
    output_megapixels: size.mostPixels / 1_048_576,
    aspect: size.width / size.height,
    aspect_long: Math.max(size.width, size.height) / Math.min(size.width, size.height),
    size_known: size.known,
    output_seconds: seconds === null ? null : seconds.most,
    seconds_known: seconds === null || seconds.known,
    input_video_seconds: inputVideoSeconds,
    input_audio_seconds: counts.audio === 0 ? 0 : measuredSeconds('audio', media, measurements),
    total_seconds: inputVideoSeconds === null || seconds === null ? null : inputVideoSeconds + seconds.most,
  };
  for (const list of input.lists) deriveList(derived, list, input.values[list.name], seconds?.most ?? null);
  return derived;
}

/**
 * Returns the kind of order. Videos: `video_edit` with a source video; `reference_to_video` with reference pictures or
 * videos; `first_last_frame` with both frames, `image_to_video` with one; else `text_to_video`. Pictures:
 * `image_to_image` with any picture except a style reference, else `text_to_image`.
 */
function modeOf(type: 'image' | 'video', fields: readonly MediaField[], media: readonly MediaReference[]): Mode {
  if (media.length === 0) return type === 'image' ? 'text_to_image' : 'text_to_video';
  const roles = new Map<string, number>();
  for (const medium of media) {
    const role = fields.find((field) => field.name === medium.field)?.role ?? 'reference';
    roles.set(role, (roles.get(role) ?? 0) + 1);
  }
  if (type === 'image') {
    roles.delete('style');
    return roles.size > 0 ? 'image_to_image' : 'text_to_image';
  }
  if (roles.has('source_video')) return 'video_edit';
  if (roles.has('reference') || roles.has('style') || roles.has('reference_video')) return 'reference_to_video';
  const frames =
    (roles.get('first_frame') ?? 0) + (roles.get('last_frame') ?? 0) + (roles.get('first_and_last_frame') ?? 0);
  const both =
    (roles.has('first_frame') && roles.has('last_frame')) || (roles.has('first_and_last_frame') && frames > 1);
  if (both) return 'first_last_frame';
  return frames > 0 ? 'image_to_video' : 'text_to_video';
}

/** Returns the names besides its parameters that a model's constraints and prices may use. */
export function derivedNamesOf(lists: readonly ListField[]): Set<string> {
  const names = new Set<string>(DERIVED_NAMES);
  for (const list of lists) {
    names.add(list.countName);
    if (!list.timed) continue;
    names.add(`${list.name}_seconds`);
    names.add(`${list.name}_seconds_left`);
  }
  return names;
}

function countMedia(media: readonly MediaReference[]): { image: number; video: number; audio: number } {
  const counts = { image: 0, video: 0, audio: 0 };
  for (const medium of media) if (medium.field !== 'mask_url') counts[medium.kind]++;
  return counts;
}

/** Returns null if any medium of the kind has not been measured. */
function measuredSeconds(
  kind: 'video' | 'audio',
  media: readonly MediaReference[],
  measurements: readonly MediaMeasurement[],
): number | null {
  if (measurements.length === 0) return null;
  let seconds = 0;
  for (const medium of media) {
    if (medium.kind !== kind) continue;
    const found = measurements.find((one) => one.field === medium.field && one.index === medium.index);
    if (found === undefined || found.durationSeconds === null) return null;
    seconds += found.durationSeconds;
  }
  return seconds;
}

function deriveList(
  derived: Record<string, string | number | boolean | null>,
  list: ListField,
  value: JsonValue | undefined,
  filmSeconds: number | null,
): void {
  const items = Array.isArray(value) ? value : [];
  derived[list.countName] = items.length;
  if (!list.timed) return;
  const sum = items.reduce((total: number, item) => total + Number(item?.duration ?? 0), 0);
  derived[`${list.name}_seconds`] = items.length === 0 ? null : sum;
  derived[`${list.name}_seconds_left`] = items.length === 0 || filmSeconds === null ? null : filmSeconds - sum;
}
