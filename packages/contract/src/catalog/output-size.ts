import type { JsonObject } from '../json.ts';
import type { Schema } from './describe-schema.ts';
import type { Model } from './model.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlannedSize extends Size {
  /** False while the ratio depends on an unmeasured picture; width and height are then those without a picture. */
  readonly known: boolean;
  /** Pixels; the maximum while the size is not known. */
  readonly mostPixels: number;
}

const K = 1024;
const TIERS: Readonly<Record<string, number>> = {
  '0.5k': 512 * 512,
  '1k': K * K,
  '1.5k': 1536 * 1536,
  '2k': 2 * K * (2 * K),
  '3k': 3 * K * (3 * K),
  '4k': 4 * K * (4 * K),
  '360p': 640 * 360,
  '480p': 854 * 480,
  '540p': 960 * 540,
  '720p': 1280 * 720,
  '768p': 1366 * 768,
  '1080p': 1920 * 1080,
  '1440p': 2560 * 1440,
  '2160p': 3840 * 2160,
};
const FILM_TIERS: Readonly<Record<string, number>> = { ...TIERS, '2k': 2560 * 1440, '4k': 3840 * 2160 };
const RATIO_WORDS: Readonly<Record<string, number>> = { square: 1, landscape: 16 / 9, portrait: 9 / 16 };
const SMALLEST_SIDE = 64;
/** More extreme ratios would make a side too short; this also limits a picture's own ratio. */
const LONGEST_RATIO = 8;

/**
 * Plans the output's pixels from a request's checked values. They are exact if the request gives them (`size`, `width`
 * and `height`, a ratio in pixels) or the entry's table does. Otherwise they follow from the tier's area at the ratio,
 * with sides in multiples of 16 (videos 8), and pictures never exceed the tier's area. `auto`, `adaptive` or no ratio
 * uses the first picture's, else 1:1 (videos 16:9). `sizing.times` multiplies the first picture's sides.
 */
export function planSize(
  model: Pick<Model, 'type' | 'sizing' | 'parameters'> & Partial<Pick<Model, 'limits'>>,
  values: JsonObject,
  firstPicture: Size | 'unmeasured' | null,
): PlannedSize {
  const { times } = model.sizing ?? {};
  if (times !== undefined)
    return enlarged(model.limits ?? {}, typeof times === 'number' ? times : Number(values[times]), firstPicture);
  const { size, resolution, aspect_ratio: aspectRatio, width, height } = values;
  // An entry that lists its ratios may list some such as `1280:720`, which give exact pixels.
  const listsRatios = (model.parameters.aspect_ratio as Schema | undefined)?.enum !== undefined;
  const exact = readSize(size) ?? readSides(width, height) ?? (listsRatios ? readPixelRatio(aspectRatio) : null);
  if (exact !== null) return { ...exact, known: true, mostPixels: exact.width * exact.height };
  const tier = tierOf(model, resolution, size);
  const named = readRatio(aspectRatio);
  if (named !== null) return settled(sizeAt(model, tier, named, String(aspectRatio)));
  const usual = model.type === 'video' ? 16 / 9 : 1;
  if (firstPicture === null) return settled(sizeAt(model, tier, usual, null));
  if (firstPicture !== 'unmeasured')
    return settled(sizeAt(model, tier, clampRatio(firstPicture.width / firstPicture.height), null));
  const provisional = sizeAt(model, tier, usual, null);
  return { ...provisional, known: false, mostPixels: mostPixelsOf(model, tier, provisional) };
}

/** Returns the sizes that an entry's table has for the tier of a request; empty without a table. */
export function sizesOfTier(model: Pick<Model, 'type' | 'sizing'>, { resolution, size }: JsonObject): readonly Size[] {
  const row = model.sizing?.table?.[tierOf(model, resolution, size)];
  return row === undefined ? [] : sizesOf(row);
}

/** Returns the pixels of a tier: the entry's own, else the contract's; null if neither has the name. */
export function tierArea(model: Pick<Model, 'type' | 'sizing'>, tier: string): number | null {
  const own = ownOf(model.sizing?.tiers, tier);
  if (own !== undefined) return own[0] * own[1];
  return ownOf(model.type === 'video' ? FILM_TIERS : TIERS, tier.toLowerCase()) ?? null;
}

/** Returns the sides of a tier: the entry's own, else those of its area, a video's at 16:9; null if it has no area. */
export function tierSides(model: Pick<Model, 'type' | 'sizing'>, tier: string): Size | null {
  const own = ownOf(model.sizing?.tiers, tier);
  if (own !== undefined) return { width: own[0], height: own[1] };
  const area = tierArea(model, tier);
  if (area === null) return null;
  const ratio = model.type === 'video' ? 16 / 9 : 1;
  return { width: Math.round(Math.sqrt(area * ratio)), height: Math.round(Math.sqrt(area / ratio)) };
}

/** Returns the tier of a request without exact pixels. */
export function defaultTier(model: Pick<Model, 'type' | 'sizing'>): string {
  return model.sizing?.tier ?? (model.type === 'video' ? '720p' : '1K');
}

/** Parses `"16:9"`, `"21:9"` or `"portrait"` to width / height; null for `auto`, `adaptive` and everything else. */
export function readRatio(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const match = /^(\d+(?:\.\d+)?)[:x/](\d+(?:\.\d+)?)$/.exec(value);
  if (match === null) return ownOf(RATIO_WORDS, value.toLowerCase()) ?? null;
  const ratio = Number(match[1]) / Number(match[2]);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null;
}

/** Parses `"1024x768"` or `"1024*768"`; null for anything else. */
export function readSize(value: unknown): Size | null {
  if (typeof value !== 'string') return null;
  const match = /^(\d{2,5})[x*×](\d{2,5})$/i.exec(value);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

/** Plans a multiple of the first picture's size; while that is unknown, of the largest square that the model takes. */
function enlarged(limits: Model['limits'], factor: number, firstPicture: Size | 'unmeasured' | null): PlannedSize {
  if (firstPicture !== null && firstPicture !== 'unmeasured')
    return settled({ width: firstPicture.width * factor, height: firstPicture.height * factor });
  const most = Math.max(...Object.values(limits).map((limit) => limit.max_megapixels ?? 1));
  const side = Math.floor(Math.sqrt(most) * K) * factor;
  return { width: side, height: side, known: false, mostPixels: most * K * K * factor ** 2 };
}

/** Looks up own properties only: if an entry accepts any text, a caller may send `constructor`. */
function ownOf<Value>(words: Readonly<Record<string, Value>> | undefined, word: string): Value | undefined {
  return words !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
}

function settled(size: Size): PlannedSize {
  return { ...size, known: true, mostPixels: size.width * size.height };
}

function readSides(width: unknown, height: unknown): Size | null {
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : null;
}

/** Parses a ratio such as `"1280:720"`, which gives exact pixels. */
function readPixelRatio(value: unknown): Size | null {
  if (typeof value !== 'string') return null;
  const match = /^(\d{3,5}):(\d{3,5})$/.exec(value);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

function tierOf(model: Pick<Model, 'type' | 'sizing'>, resolution: unknown, size: unknown): string {
  for (const name of [resolution, size]) {
    if (typeof name === 'string' && (tierArea(model, name) !== null || ownOf(model.sizing?.table, name) !== undefined))
      return name;
  }
  return defaultTier(model);
}

function sizeAt(model: Pick<Model, 'type' | 'sizing'>, tier: string, ratio: number, spelled: string | null): Size {
  const row = model.sizing?.table?.[tier];
  if (row !== undefined) {
    const listed = spelled === null ? undefined : row[spelled];
    const size = listed === undefined ? nearest(row, ratio) : readSize(listed);
    if (size !== null) return size;
  }
  const step = model.sizing?.multiple_of ?? (model.type === 'video' ? 8 : 16);
  return fit(tierArea(model, tier) ?? K * K, ratio, step, model.type === 'image');
}

/** The sizes of an entry's table, which are the same for every order. */
const sizesOfRows = new WeakMap<object, readonly Size[]>();

function sizesOf(row: Readonly<Record<string, string>>): readonly Size[] {
  const known = sizesOfRows.get(row);
  if (known !== undefined) return known;
  const sizes = Object.values(row).flatMap((text) => readSize(text) ?? []);
  sizesOfRows.set(row, sizes);
  return sizes;
}

function nearest(row: Readonly<Record<string, string>>, ratio: number): Size | null {
  let best: Size | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const size of sizesOf(row)) {
    const off = Math.abs(Math.log(size.width / size.height / ratio));
    if (off < distance) {
      best = size;
      distance = off;
    }
  }
  return best;
}

/** Returns an area's sides; reduces the longer one if rounding up would reach a more expensive tier. */
function fit(area: number, ratio: number, step: number, bounded: boolean): Size {
  let width = toStep(Math.sqrt(area * ratio), step);
  let height = toStep(Math.sqrt(area / ratio), step);
  while (bounded && width * height > area && Math.max(width, height) > SMALLEST_SIDE) {
    if (width >= height) width -= step;
    else height -= step;
  }
  return { width, height };
}

function toStep(side: number, step: number): number {
  return Math.max(Math.ceil(SMALLEST_SIDE / step) * step, Math.round(side / step) * step);
}

function clampRatio(ratio: number): number {
  return Math.min(LONGEST_RATIO, Math.max(1 / LONGEST_RATIO, ratio));
}

function mostPixelsOf(model: Pick<Model, 'type' | 'sizing'>, tier: string, provisional: Size): number {
  const row = model.sizing?.table?.[tier];
  const sizes = row === undefined ? [provisional] : Object.values(row).map((text) => readSize(text) ?? provisional);
  const most = Math.max(...sizes.map((size) => size.width * size.height));
  if (row !== undefined) return most;
  const area = tierArea(model, tier) ?? most;
  return model.type === 'image' ? Math.max(area, most) : Math.round(Math.max(area, most) * 1.02);
}
