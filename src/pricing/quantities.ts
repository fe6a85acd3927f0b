import type { PriceComponent } from '../catalog/entry-schema.ts';
import type { MediaMeasurement, Model, ResolvedRequest } from '../catalog/model.ts';

const MEGAPIXEL = 1_048_576;

/** A quantity of a price unit; `exact` is false where it is the most it can be, because media or length are not known yet. */
export interface Quantity {
  readonly amount: number;
  readonly exact: boolean;
}

/** What is known when a quantity is asked for: the entry's limits before the media are measured, the measurements after. */
export type Knowledge = { readonly limits: Model['limits'] } | { readonly measurements: readonly MediaMeasurement[] };

/**
 * How many units of a component a request has, before `units` picks its share.
 * Null where a measurement is missing that should be there.
 */
export function quantityOf(component: PriceComponent, request: ResolvedRequest, knowledge: Knowledge): Quantity | null {
  switch (component.per) {
    case 'request':
    case 'image':
    case 'clip':
      return { amount: 1, exact: true };
    case 'output_second':
      return outputSeconds(request, knowledge);
    case 'input_video_second':
      return inputSeconds('video', request, knowledge);
    case 'input_audio_second':
      return inputSeconds('audio', request, knowledge);
    case 'input_plus_output_second':
      return inputPlusOutput(component, request, knowledge);
    case 'input_image':
      return { amount: Number(request.derived.image_count ?? 0), exact: true };
    case 'output_megapixel':
      return {
        amount: Math.ceil(Number(request.derived.output_pixels ?? 0) / MEGAPIXEL),
        exact: request.derived.size_known !== false,
      };
    case 'input_megapixel':
      return inputMegapixels(request, knowledge);
  }
}

/** The share of a quantity that `units` names: units are counted from 1. */
export function shareOf(component: PriceComponent, amount: number): number {
  if (component.units === undefined) return amount;
  const { from, to = Number.POSITIVE_INFINITY } = component.units;
  return Math.max(0, Math.min(amount, to) - (from - 1));
}

function outputSeconds(request: ResolvedRequest, knowledge: Knowledge): Quantity {
  const known = request.derived.seconds_known !== false;
  const seconds =
    known || 'limits' in knowledge
      ? Number(request.derived.output_seconds ?? 0)
      : (request.output.durationSeconds ?? 0);
  return { amount: seconds, exact: known };
}

function inputPlusOutput(component: PriceComponent, request: ResolvedRequest, knowledge: Knowledge): Quantity | null {
  const output = outputSeconds(request, knowledge);
  const input = inputSeconds('video', request, knowledge);
  if (input === null) return null;
  const least = (component.at_least?.output_seconds ?? 0) * output.amount;
  return { amount: Math.max(input.amount + output.amount, least), exact: input.exact && output.exact };
}

function inputSeconds(kind: 'video' | 'audio', request: ResolvedRequest, knowledge: Knowledge): Quantity | null {
  const media = request.media.filter((medium) => medium.kind === kind);
  if (media.length === 0) return { amount: 0, exact: true };
  if ('measurements' in knowledge) {
    let sum = 0;
    for (const medium of media) {
      const seconds = measurementOf(medium, knowledge.measurements)?.durationSeconds ?? null;
      if (seconds === null) return null;
      sum += seconds;
    }
    return { amount: sum, exact: true };
  }
  let most = 0;
  for (const field of new Set(media.map((medium) => medium.field))) {
    const { max_seconds: each, max_total_seconds: total = Number.POSITIVE_INFINITY } = knowledge.limits[field] ?? {};
    const count = media.filter((medium) => medium.field === field).length;
    most += Math.min(total, (each ?? total) * count);
  }
  return { amount: most, exact: false };
}

function inputMegapixels(request: ResolvedRequest, knowledge: Knowledge): Quantity | null {
  let sum = 0;
  let exact = true;
  for (const medium of request.media) {
    if (medium.kind !== 'image' || medium.field === 'mask_url') continue;
    if ('measurements' in knowledge) {
      const found = measurementOf(medium, knowledge.measurements);
      if (found === undefined || found.width === null || found.height === null) return null;
      sum += Math.ceil((found.width * found.height) / MEGAPIXEL);
    } else {
      sum += Math.ceil(knowledge.limits[medium.field]?.max_megapixels ?? 0);
      exact = false;
    }
  }
  return { amount: sum, exact };
}

function measurementOf(
  medium: { field: string; index: number },
  measurements: readonly MediaMeasurement[],
): MediaMeasurement | undefined {
  return measurements.find((one) => one.field === medium.field && one.index === medium.index);
}
