import {
  type Model,
  type RouteDelivers,
  readRatio,
  readSize,
  type Size,
  tierSides,
} from '@darkroom-service/contract/catalog';
import type { SentValues } from './sent-values.ts';

/** Minimum share of the ordered sides and area. Sides are sorted, so that rotation is no fault. */
const SIDE = 0.95;
const AREA = 0.9;
/** Minimum shares of a picture's tier: its long side, and its area by the square of the tier's side. Ratios differ. */
const LONG_SIDE = 0.9;
const SQUARE = 0.45;
const RATIO = 0.03;

type Sized = Pick<Model, 'type' | 'sizing'>;

/** Tells whether the pixels are fewer than an exactly ordered size. */
export function isBelowPixels(delivered: Size, ordered: Size): boolean {
  const came = sorted(delivered);
  const least = sorted(ordered);
  const isEdgeShort = came.short < SIDE * least.short || came.long < SIDE * least.long;
  return isEdgeShort && areaOf(delivered) < AREA * areaOf(ordered);
}

/** Tells whether the pixels are fewer than those of a tier; false for a tier of unknown size. */
export function isBelowTier(delivered: Size, tier: string, model: Sized, delivers?: RouteDelivers): boolean {
  const sides = sidesOf(tier, model, delivers);
  if (sides === null) return false;
  const came = sorted(delivered);
  if (model.type === 'image') {
    const square = areaOf(sides);
    return came.long < LONG_SIDE * Math.sqrt(square) && areaOf(delivered) < SQUARE * square;
  }
  const least = sorted(sides);
  return came.short < SIDE * least.short && came.long < SIDE * least.long && areaOf(delivered) < AREA * areaOf(sides);
}

/** Tells whether the pixels are fewer than the size sent to the upstream. */
export function isSmaller(
  delivered: Size,
  { pixels, tier }: SentValues,
  model: Sized,
  delivers: RouteDelivers | undefined,
): boolean {
  if (delivers?.size === false) return false;
  if (pixels !== null) return isBelowPixels(delivered, pixels);
  return tier !== null && isBelowTier(delivered, tier, model, delivers);
}

/** Tells whether the pixels have another ratio than ordered. */
export function hasOtherRatio(delivered: Size, ratio: string): boolean {
  const ordered = readRatio(ratio);
  if (ordered === null) return false;
  const { long, short } = sorted(delivered);
  return Math.abs(long / short / Math.max(ordered, 1 / ordered) - 1) > RATIO;
}

function sidesOf(tier: string, model: Sized, delivers: RouteDelivers | undefined): Size | null {
  const stated = delivers?.size;
  const own = typeof stated === 'object' && Object.hasOwn(stated, tier) ? readSize(stated[tier]) : null;
  return own ?? tierSides(model, tier);
}

function sorted({ width, height }: Size): { readonly long: number; readonly short: number } {
  return { long: Math.max(width, height), short: Math.min(width, height) };
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}
