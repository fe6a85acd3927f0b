import type { JsonObject } from '@darkroom-service/contract';
import { holds, type MediaMeasurement, type MediaReference, type Model } from '@darkroom-service/contract/catalog';

/** The length of a video that is as long as a video or sound of its order. */
export interface InputLength {
  /** The field of the shortest medium; of the first one while none is measured. */
  readonly field: string;
  /** Seconds; while a medium is unmeasured, the maximum that the limits allow. */
  readonly most: number;
  readonly known: boolean;
}

/**
 * Returns the length that an order takes over from its media, by the entry's `output.as_long_as`. Null if no rule holds
 * or none of its media is sent.
 */
export function inputLength(
  { output, limits }: Pick<Model, 'output' | 'limits'>,
  values: JsonObject,
  media: readonly MediaReference[],
  measurements: readonly MediaMeasurement[],
): InputLength | null {
  const rule = output?.as_long_as?.find(({ when }) => holds(when, (name) => values[name] ?? null));
  const lengths = media
    .filter(({ field }) => rule?.fields.includes(field) === true)
    .map(({ field, index }) => {
      const measured = measurements.find((one) => one.field === field && one.index === index)?.durationSeconds ?? null;
      const most = limits[field]?.max_seconds ?? Number.POSITIVE_INFINITY;
      // A medium may be slightly longer than its limit; the excess is not charged.
      return { field, most: Math.min(measured ?? most, most), known: measured !== null };
    });
  if (lengths.length === 0) return null;
  const shortest = lengths.reduce((found, one) => (one.most < found.most ? one : found));
  return { ...shortest, known: lengths.every(({ known }) => known) };
}
