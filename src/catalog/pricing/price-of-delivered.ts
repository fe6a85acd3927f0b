import type { Fault, JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  type DerivedValues,
  type MediaMeasurement,
  type Model,
  type ResolvedRequest,
  readSize,
  type Schema,
  type Size,
  tierSides,
} from '@darkroom-service/contract/catalog';
import { checkConstraints } from '../check-request.ts';
import type { Shortfall } from '../conformity/judge-delivery.ts';
import { isBelowLength } from '../conformity/judge-length.ts';
import { areaOf, isBelowPixels, isBelowTier } from '../conformity/judge-size.ts';
import type { TakenRoute } from '../conformity/sent-values.ts';
import { readSeconds } from '../plan-output.ts';
import { matchesPrice, type SettledQuote, settleAmount } from './quote.ts';

export interface DeliveredOrder {
  readonly request: ResolvedRequest;
  readonly measurements: readonly MediaMeasurement[];
  readonly route: TakenRoute;
  /** The model; null if the catalog no longer has it: then the values named by the price list are tried. */
  readonly model: Model | null;
}

/**
 * Computes the charge of a result with short facts: the same price list with only these facts replaced, at most the
 * quote. Seconds and pixels count as measured. A tier or a listed length is replaced by the dearest orderable one that
 * the result satisfies, otherwise by the smallest. Null if the price list has no price for it.
 */
export function priceOfDelivered(
  quote: SettledQuote,
  order: DeliveredOrder,
  short: Shortfall,
): ReturnType<typeof settleAmount> | null {
  const { request, measurements } = order;
  const derived = measuredValues(request.derived, short);
  const output = { ...request.output, durationSeconds: short.seconds ?? request.output.durationSeconds };
  const priced = candidates(quote, order, short).flatMap((values) => {
    const came = { ...request, values, derived, output };
    return matchesPrice(quote.basis.pricing, came, request)
      ? [settleAmount({ ...quote, exact: false }, came, measurements)]
      : [];
  });
  return priced.reduce<(typeof priced)[number] | null>(
    (dearest, one) => (dearest === null || one.amount > dearest.amount ? one : dearest),
    null,
  );
}

function measuredValues(derived: DerivedValues, { size, seconds }: Shortfall): DerivedValues {
  const pixels = size === null ? null : areaOf(size);
  const input = derived.input_video_seconds;
  return {
    ...derived,
    ...(size === null || pixels === null
      ? {}
      : { width: size.width, height: size.height, output_pixels: pixels, output_megapixels: pixels / 1_048_576 }),
    ...(seconds === null
      ? {}
      : { output_seconds: seconds, total_seconds: typeof input === 'number' ? input + seconds : null }),
  };
}

/** A value that may replace an ordered one. */
interface Choice {
  readonly value: JsonValue;
  readonly isSatisfied: boolean;
  /** Size or length by which the smallest choice is found. */
  readonly measure: number;
}

/** Returns the values of the order with each short fact replaced by each of its choices. */
function candidates(quote: SettledQuote, order: DeliveredOrder, short: Shortfall): readonly JsonObject[] {
  const { values } = order.request;
  const silent: JsonObject = short.isSilent ? { ...values, generate_audio: false } : values;
  let found: readonly JsonObject[] = [silent];
  const replace = (field: string, choices: readonly Choice[]) => {
    const used = bestOf(choices, ({ value }) => isOrderable(order, { ...silent, [field]: value }));
    if (used.length > 0) found = found.flatMap((one) => used.map(({ value }) => ({ ...one, [field]: value })));
  };
  if (short.size !== null)
    for (const field of ['resolution', 'size']) replace(field, sizeChoices(quote, order, field, short.size));
  if (short.seconds !== null) replace('duration', lengthChoices(quote, order, short.seconds));
  return found;
}

/** Returns the choices that the result satisfies, otherwise the smallest one, among those that can be ordered. */
function bestOf(choices: readonly Choice[], canBeOrdered: (choice: Choice) => boolean): readonly Choice[] {
  const orderable = choices.filter(canBeOrdered);
  const possible = orderable.length > 0 ? orderable : choices;
  const satisfied = possible.filter(({ isSatisfied }) => isSatisfied);
  if (satisfied.length > 0) return satisfied;
  return possible.toSorted((one, other) => one.measure - other.measure).slice(0, 1);
}

function sizeChoices(
  { basis }: SettledQuote,
  { request, route, model }: DeliveredOrder,
  field: string,
  size: Size,
): Choice[] {
  if (typeof request.values[field] !== 'string') return [];
  const sized = model ?? { type: request.type };
  return namedValues(basis.pricing, model, field).flatMap((value) => {
    if (typeof value !== 'string') return [];
    const pixels = readSize(value);
    const isBelow = pixels === null ? isBelowTier(size, value, sized, route.delivers) : isBelowPixels(size, pixels);
    const sides = pixels ?? tierSides(sized, value);
    return sides === null ? [] : [{ value, isSatisfied: !isBelow, measure: areaOf(sides) }];
  });
}

/** Returns the choices of length; without listed lengths any length can be ordered, so the measured one. */
function lengthChoices({ basis }: SettledQuote, { request, model }: DeliveredOrder, seconds: number): Choice[] {
  const { duration } = request.values;
  if (duration === null || duration === undefined) return [];
  const listed = namedValues(basis.pricing, model, 'duration').flatMap((value) => {
    const length = readSeconds(value);
    return length === null ? [] : [{ value, isSatisfied: !isBelowLength(seconds, length), measure: length }];
  });
  return listed.length > 0 ? listed : [{ value: seconds, isSatisfied: true, measure: seconds }];
}

/** Returns the values that an entry lists for a field, else those of its price list. */
function namedValues(pricing: SettledQuote['basis']['pricing'], model: Model | null, field: string): JsonValue[] {
  const listed = (model?.parameters[field] as Schema | undefined)?.enum;
  if (listed !== undefined) return [...listed] as JsonValue[];
  return pricing.components.flatMap(({ when }) => {
    const condition = when?.[field];
    if (Array.isArray(condition)) return condition as JsonValue[];
    return typeof condition === 'string' || typeof condition === 'number' ? [condition] : [];
  });
}

function isOrderable({ model, request: { derived } }: DeliveredOrder, values: JsonObject): boolean {
  if (model === null) return true;
  const faults: Fault[] = [];
  const { fields: set } = model.compiled;
  checkConstraints(model.constraints, { set, values, derived, refused: new Set() }, faults);
  return faults.length === 0;
}
