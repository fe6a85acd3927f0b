import {
  type CountedTokens,
  countedUnit,
  countTokens,
  type MediaMeasurement,
  type Model,
  type PriceComponent,
  type PriceFormula,
  type ResolvedRequest,
  type Size,
  sizesOfTier,
} from '@darkroom-service/contract/catalog';

const MEGAPIXEL = 1_048_576;

/** A quantity in a price unit. While media or length are unknown, it is the maximum and `exact` is false. */
interface Quantity {
  readonly amount: number;
  readonly exact: boolean;
  /** For a formula: returns its calculation, as shown to customers. */
  readonly calculation?: () => string;
}

/** The facts available when a quantity is computed. */
export interface Knowledge {
  /** Measurements of the media measured so far. */
  readonly measurements: readonly MediaMeasurement[];
  /** The model's limits, used as the maximum of each medium that is not measured yet. Null once all are measured. */
  readonly limits: Model['limits'] | null;
  /** The sizes of an output whose ratio is not known yet. */
  readonly sizing?: Model['sizing'];
}

/**
 * Returns the units of a component in a request, before `units` selects a range of them.
 * Null if a required measurement is missing.
 */
export function quantityOf(
  component: PriceComponent,
  request: ResolvedRequest,
  knowledge: Knowledge,
  unit = component.per,
): Quantity | null {
  switch (unit) {
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
    case 'formula':
      return component.formula === undefined ? null : tokensOf(component, component.formula, request, knowledge);
  }
}

/** Returns the part of a quantity within the range `units`, which counts from 1. */
export function shareOf(component: PriceComponent, amount: number): number {
  if (component.units === undefined) return amount;
  const { from, to = Number.POSITIVE_INFINITY } = component.units;
  return Math.max(0, Math.min(amount, to) - (from - 1));
}

/** Returns the tokens of a formula; while the size is unknown, the maximum over the sizes of the tier. */
function tokensOf(
  component: PriceComponent,
  formula: PriceFormula,
  request: ResolvedRequest,
  knowledge: Knowledge,
): Quantity | null {
  const counted = quantityOf(component, request, knowledge, countedUnit(component));
  if (counted === null) return null;
  const { values, derived, type } = request;
  const { sizing } = knowledge;
  const prompt = typeof values.prompt === 'string' ? values.prompt : '';
  const images = Number(derived.image_count ?? 0);
  const tokensAt = ({ width, height }: Size) =>
    countTokens(formula, { prompt, images, seconds: counted.amount, width, height });
  if (counted.exact) {
    const { tokens, calculation } = tokensAt({
      width: Number(derived.width ?? 0),
      height: Number(derived.height ?? 0),
    });
    return { amount: tokens, exact: true, calculation };
  }
  const sizes = dearestSizes(
    Number(derived.output_pixels ?? 0),
    sizesOfTier({ type, ...(sizing === undefined ? {} : { sizing }) }, values),
  );
  const { tokens, calculation } = sizes
    .map(tokensAt)
    .reduce((dearest: CountedTokens, one) => (one.tokens > dearest.tokens ? one : dearest));
  return { amount: tokens, exact: false, calculation };
}

/** Returns the sizes to try; without a table the square of the most pixels, which has the most tokens of all sizes. */
function dearestSizes(mostPixels: number, listed: readonly Size[]): readonly Size[] {
  if (listed.length > 0) return listed;
  const side = Math.ceil(Math.sqrt(mostPixels));
  return [{ width: side, height: side }];
}

function outputSeconds(request: ResolvedRequest, knowledge: Knowledge): Quantity {
  const known = request.derived.seconds_known !== false;
  const seconds =
    known || knowledge.limits !== null
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
  let sum = 0;
  let exact = true;
  for (const field of new Set(media.map((medium) => medium.field))) {
    const limit = knowledge.limits?.[field] ?? {};
    const { max_total_seconds: total = Number.POSITIVE_INFINITY, max_seconds: each = total } = limit;
    let ofField = 0;
    for (const medium of media) {
      if (medium.field !== field) continue;
      const measured = measurementOf(medium, knowledge.measurements)?.durationSeconds ?? null;
      if (measured === null && knowledge.limits === null) return null;
      exact &&= measured !== null;
      // A medium may be slightly longer than its limit (see measureRequest); the excess is not charged.
      ofField += Math.min(measured ?? each, each);
    }
    sum += Math.min(ofField, total);
  }
  return { amount: sum, exact };
}

function inputMegapixels(request: ResolvedRequest, knowledge: Knowledge): Quantity | null {
  let sum = 0;
  let exact = true;
  for (const medium of request.media) {
    if (medium.kind !== 'image' || medium.field === 'mask_url') continue;
    const { width = null, height = null } = measurementOf(medium, knowledge.measurements) ?? {};
    if (width !== null && height !== null) {
      sum += Math.ceil((width * height) / MEGAPIXEL);
    } else if (knowledge.limits === null) {
      return null;
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
