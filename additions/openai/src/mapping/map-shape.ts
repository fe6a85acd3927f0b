import type { JsonObject } from '@darkroom-service/contract';
import { type Model, readRatio } from '@darkroom-service/contract/catalog';
import { mapSize, nearestRatios, outputOf, valuesOf } from './map-size.ts';

/** Shape that a client wants of its images. */
export interface WantedShape {
  /** Width to height, such as `16:9`; null = the model's own. */
  readonly ratio: string | null;
  /** Length of the edges of a square of that size, such as `1K`, `0.5K` or `512`; null = the model's own. */
  readonly tier: string | null;
}

/** Fields of a model for a shape. */
interface MappedShape {
  readonly fields: JsonObject;
  /** Fields of the client that were met only approximately, or not at all. */
  readonly missed: readonly ('aspect_ratio' | 'resolution')[];
}

const DEFAULT_EDGE = 1024;

/**
 * Maps a shape to the fields that the model has: its own value, or else the nearest one. A model without these fields
 * gets its nearest size.
 */
export function mapShape(model: Model, { ratio, tier }: WantedShape): MappedShape {
  const [width, height] = pixelsOf(ratio, tier);
  if (ratio === null && tier === null) return { fields: {}, missed: [] };
  const { parameters } = model;
  if (!('aspect_ratio' in parameters || 'resolution' in parameters)) {
    const fields = mapSize(model, `${width}x${height}`)?.fields ?? {};
    return { fields, missed: Object.keys(fields).length > 0 ? [] : missedOf(ratio, tier, {}) };
  }
  const listed = valuesOf(model, 'aspect_ratio');
  const [near] = ratio === null || listed.includes(ratio) ? [ratio] : nearestRatios(model, { width, height });
  const aspect: JsonObject = near == null || !('aspect_ratio' in parameters) ? {} : { aspect_ratio: near };
  const edge = tier === null ? null : nearestTier(valuesOf(model, 'resolution'), tier);
  const resolution: JsonObject = edge === null ? {} : { resolution: edge };
  const sets = [{ ...aspect, ...resolution }, aspect, resolution];
  const fields = sets.find((set) => outputOf(model, set) !== null) ?? {};
  return { fields, missed: missedOf(ratio, tier, fields) };
}

function missedOf(ratio: string | null, tier: string | null, { aspect_ratio, resolution }: JsonObject) {
  const isMet = typeof resolution === 'string' && tier !== null && edgeOf(resolution) === edgeOf(tier);
  return [
    ...(ratio === null || ratio === aspect_ratio ? [] : (['aspect_ratio'] as const)),
    ...(tier === null || isMet ? [] : (['resolution'] as const)),
  ];
}

/** Returns the tier of the model with the nearest edge; null if it names its resolutions in another way. */
function nearestTier(tiers: readonly string[], wanted: string): string | null {
  const distance = (tier: string) => Math.abs(Math.log((edgeOf(tier) ?? 1e6) / (edgeOf(wanted) ?? DEFAULT_EDGE)));
  const known = tiers.filter((tier) => edgeOf(tier) !== null);
  return known.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Returns the edge of a tier such as `2K` in pixels; null if the text is none. */
export function edgeOf(tier: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,4}(?:\.\d{1,2})?)(k?)$/i.exec(tier) ?? [];
  const edge = count === '' ? 0 : Math.round(Number(count) * (unit === '' ? 1 : 1024));
  return edge === 0 ? null : edge;
}

function pixelsOf(ratio: string | null, tier: string | null): [width: number, height: number] {
  const shape = (ratio === null ? null : readRatio(ratio)) ?? 1;
  const edge = (tier === null ? null : edgeOf(tier)) ?? DEFAULT_EDGE;
  return [Math.round(edge * Math.sqrt(shape)), Math.round(edge / Math.sqrt(shape))];
}
