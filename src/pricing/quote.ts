import { formatMicros, type Micros } from '../base/money.ts';
import { meetsAll } from '../catalog/condition.ts';
import type { MediaMeasurement, Model, Quote, QuoteLine, ResolvedRequest } from '../catalog/model.ts';
import type { Pricing } from '../catalog/price-schema.ts';
import { decimalOf, divideHalfUp, formatDecimal, ONE, parseDecimal } from './decimal.ts';
import { describeLine } from './describe-line.ts';
import { feeLines } from './fee-lines.ts';
import { type Knowledge, quantityOf, shareOf } from './quantities.ts';

/** Converts billionths of a dollar × billionths of a unit × billionths of the multiplier to micro-dollars. */
const PER_MICRO = (ONE / 1_000_000n) * ONE * ONE;

/**
 * Computes the price of a resolved request at an account's multiplier (a decimal string such as `"1"` or `"1.15"`).
 * Never less than the later charge: an unmeasured medium counts with its limit, and `exact` is then false.
 * @param measurements of the media that are available already; `request` is then the request measured by them.
 */
export function quoteRequest(
  model: Model,
  request: ResolvedRequest,
  multiplier: string,
  measurements: readonly MediaMeasurement[] = [],
): Quote {
  const bill = addUp(model.pricing, request, multiplier, { measurements, limits: model.limits });
  if (bill === null) throw new TypeError('a quote needs no measurements');
  return { ...bill, basis: { pricing: model.pricing, multiplier } };
}

/**
 * Computes the charge of a finished order: the quote if that was exact, else the same sum over the measured quantities,
 * at most the quote.
 * `request` is the measured request. If the model chose the video's length, its `output.durationSeconds` is the
 * delivered length.
 */
export function settleAmount(
  quote: Quote,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): { amount: Micros; lines: readonly QuoteLine[] } {
  if (quote.exact) return { amount: quote.amount, lines: quote.lines };
  const { pricing, multiplier, fixed } = quote.basis;
  const bill = addUp(pricing, request, multiplier, { measurements, limits: null });
  const amount = (bill?.amount ?? 0) + (fixed ?? 0);
  if (bill === null || amount >= quote.amount) return { amount: quote.amount, lines: quote.lines };
  return { amount, lines: fixed === undefined ? bill.lines : feeLines(bill.lines, fixed) };
}

/** Adds up a price list for a measured request; null if nothing in it applies, or a measurement is missing. */
export function sumOf(
  pricing: Pricing,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): Micros | null {
  if (!pricing.components.some((component) => meetsAll(component.when, request))) return null;
  return addUp(pricing, request, '1', { measurements, limits: null })?.amount ?? null;
}

interface Bill {
  readonly amount: Micros;
  readonly exact: boolean;
  readonly lines: readonly QuoteLine[];
}

/** Returns null if a measurement is missing. */
function addUp(pricing: Pricing, request: ResolvedRequest, multiplier: string, knowledge: Knowledge): Bill | null {
  const lines: QuoteLine[] = [];
  let total = 0;
  let exact = request.derived.size_known !== false || !dependsOnSize(pricing);
  for (const component of pricing.components) {
    if (!meetsAll(component.when, request)) continue;
    const quantity = quantityOf(component, request, knowledge);
    if (quantity === null) return null;
    exact &&= quantity.exact;
    const share = shareOf(component, quantity.amount);
    if (share <= 0) continue;
    const rate = rateOf(component.amount, multiplier);
    const units = decimalOf(share);
    const amount = Number(divideHalfUp(rate.price * units, PER_MICRO));
    total += amount;
    lines.push({
      description: describeLine(component, request, share),
      unit: component.per,
      quantity: formatDecimal(units, 0),
      unit_price: rate.unitPrice,
      amount: formatMicros(amount),
    });
  }
  const minimum =
    pricing.minimum === undefined
      ? 0
      : Number(divideHalfUp(rateOf(pricing.minimum, multiplier).price * ONE, PER_MICRO));
  if (total < minimum) {
    const rest = formatMicros(minimum - total);
    lines.push({
      description: 'up to the minimum price',
      unit: 'request',
      quantity: '1',
      unit_price: rest,
      amount: rest,
    });
    total = minimum;
  }
  return { amount: total, exact, lines };
}

interface Rate {
  /** Of one unit after the multiplier, in billionths × billionths, still exact. */
  readonly price: bigint;
  readonly unitPrice: string;
}

const RATES_REMEMBERED = 10_000;
const rates = new Map<string, Rate>();

/** Remembered, since catalogs have few amounts and accounts few multipliers. */
function rateOf(amount: string, multiplier: string): Rate {
  const name = `${amount} ${multiplier}`;
  const known = rates.get(name);
  if (known !== undefined) return known;
  const price = parseDecimal(amount) * parseDecimal(multiplier);
  const rate = { price, unitPrice: formatDecimal(divideHalfUp(price, ONE), 2) };
  if (rates.size >= RATES_REMEMBERED) rates.clear();
  rates.set(name, rate);
  return rate;
}

const SIZE_NAMES = new Set(['width', 'height', 'output_pixels', 'output_megapixels', 'aspect', 'aspect_long']);

/** Tells whether a price depends on the size of the output. */
function dependsOnSize(pricing: Pricing): boolean {
  return pricing.components.some(
    (one) => one.per === 'output_megapixel' || Object.keys(one.when ?? {}).some((name) => SIZE_NAMES.has(name)),
  );
}
