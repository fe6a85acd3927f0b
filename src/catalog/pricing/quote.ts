import { formatMicros, type Micros } from '@darkroom-service/contract';
import {
  countedUnit,
  holds,
  lookUpIn,
  type MediaMeasurement,
  type Model,
  type PriceComponent,
  type Pricing,
  type Quote,
  type QuoteLine,
  type ResolvedRequest,
} from '@darkroom-service/contract/catalog';
import { decimalOf, divideHalfUp, formatDecimal, formatProduct, ONE, parseDecimal } from './decimal.ts';
import { describeLine } from './describe-line.ts';
import { type Knowledge, quantityOf, shareOf } from './quantities.ts';
import type { RoutePrice, Tariff } from './tariff.ts';

/** Converts billionths of a dollar × billionths of a unit × billionths of the multiplier to micro-dollars. */
const PER_MICRO = (ONE / 1_000_000n) * ONE * ONE;

type Priced = Pick<Model, 'limits' | 'pricing' | 'sizing'>;

/** Computes the price of a resolved request at an account's multiplier: a decimal string such as `"1"` or `"1.15"`. */
export function quoteRequest(
  model: Priced,
  request: ResolvedRequest,
  multiplier: string,
  measurements: readonly MediaMeasurement[] = [],
): Quote {
  return quoteAt(model, request, { multiplier }, measurements);
}

/** Computes the amount of `quoteRequest` alone, for the many orders that a search tries. */
export function priceRequest(
  { pricing, limits, sizing }: Priced,
  request: ResolvedRequest,
  multiplier: string,
): Micros {
  return addUp(pricing, request, multiplier, { measurements: [], limits, sizing }, false)?.amount ?? 0;
}

/**
 * Computes the price of a resolved request. It is never less than the later charge: an unmeasured medium counts with
 * its limit, and `exact` is then false.
 * @param measurements measurements of the media that are available already; `request` is then the request measured by
 * them.
 */
export function quoteAt(
  model: Priced,
  request: ResolvedRequest,
  tariff: Tariff,
  measurements: readonly MediaMeasurement[] = [],
): Quote {
  const { pricing, limits, sizing } = model;
  const multiplier = 'fee' in tariff ? tariff.fee.share : tariff.multiplier;
  const isFree = 'fee' in tariff && Number(tariff.fee.share) === 0;
  const bill = isFree ? NOTHING : addUp(pricing, request, multiplier, { measurements, limits, sizing });
  if (bill === null) throw new TypeError('a quote needs no measurements');
  const basis = { pricing, multiplier };
  if (!('fee' in tariff)) {
    const dearer = tariff.floor?.cheapest(request, measurements) ?? null;
    if (dearer === null || dearer.amount <= bill.amount) return { ...bill, basis };
    return quoteAtRoute(model, request, dearer, measurements) ?? { ...bill, basis };
  }
  const { amount: fixed } = tariff.fee;
  const lines = feeLines(bill.lines, fixed);
  return { amount: bill.amount + fixed, exact: bill.exact, lines, basis: { ...basis, fixed } };
}

/** Computes the price of a resolved request by the cost of a route; null if a measurement is missing. */
export function quoteAtRoute(
  { limits, sizing }: Pick<Model, 'limits' | 'sizing'>,
  request: ResolvedRequest,
  { pricing, multiplier, route }: Omit<RoutePrice, 'amount'>,
  measurements: readonly MediaMeasurement[],
): Quote | null {
  const bill = addUp(pricing, request, multiplier, { measurements, limits, sizing });
  return bill === null ? null : { ...bill, basis: { pricing, multiplier, route } };
}

/** Returns the lines of a fee: its share of the catalog's lines, and the fixed amount. */
function feeLines(shares: readonly QuoteLine[], fixed: Micros): QuoteLine[] {
  const ofPrice = shares.map((line) => ({ ...line, description: `own upstream key, share of: ${line.description}` }));
  if (fixed === 0) return ofPrice;
  const amount = formatMicros(fixed);
  const line = { description: 'own upstream key', unit: 'request', quantity: '1', unit_price: amount, amount };
  return [...ofPrice, line];
}

/** The parts of a quote from which the charge is computed. */
export type SettledQuote = Pick<Quote, 'amount' | 'exact' | 'lines' | 'basis'>;

/**
 * Computes the charge of a finished order: an exact quote, or else the same sum over the measured quantities, at most
 * the quote.
 * `request` is the measured request. If the model chose the video's length, its `output.durationSeconds` is the
 * delivered length.
 */
export function settleAmount(
  quote: SettledQuote,
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

/** Units of results. Other components, such as inputs and surcharges, may match or not, whatever was delivered. */
const RESULT_UNITS: ReadonlySet<PriceComponent['per']> = new Set([
  'image',
  'clip',
  'output_second',
  'input_plus_output_second',
  'output_megapixel',
]);

function isOfResult(component: PriceComponent): boolean {
  return RESULT_UNITS.has(countedUnit(component));
}

/** Tells whether a price list has a price for a changed request wherever it had one for the ordered request. */
export function matchesPrice({ components }: Pricing, changed: ResolvedRequest, ordered: ResolvedRequest): boolean {
  const matching = (request: ResolvedRequest) => {
    const lookUp = lookUpIn(request);
    return components.filter(({ when }) => holds(when, lookUp));
  };
  const found = matching(changed);
  const hadResult = matching(ordered).some(isOfResult);
  return hadResult ? found.some(isOfResult) : found.length > 0;
}

/** Adds up a price list for a request; null if nothing in it applies, or a measurement is missing. */
export function sumOf(
  pricing: Pricing,
  request: ResolvedRequest,
  multiplier: string,
  knowledge: Knowledge,
): Micros | null {
  const lookUp = lookUpIn(request);
  if (!pricing.components.some((component) => holds(component.when, lookUp))) return null;
  return addUp(pricing, request, multiplier, knowledge, false)?.amount ?? null;
}

interface Bill {
  readonly amount: Micros;
  readonly exact: boolean;
  readonly lines: readonly QuoteLine[];
}

const NOTHING: Bill = { amount: 0, exact: true, lines: [] };

/** Returns null if a measurement is missing. @param withLines false = only the amount is of use */
function addUp(
  pricing: Pricing,
  request: ResolvedRequest,
  multiplier: string,
  knowledge: Knowledge,
  withLines = true,
): Bill | null {
  const lookUp = lookUpIn(request);
  const lines: QuoteLine[] = [];
  let total = 0;
  const { size_known: isSized, seconds_known: isTimed } = request.derived;
  let exact = (isSized !== false || !dependsOnSize(pricing)) && (isTimed !== false || !dependsOnLength(pricing));
  for (const component of pricing.components) {
    if (!holds(component.when, lookUp)) continue;
    const quantity = quantityOf(component, request, knowledge);
    if (quantity === null) return null;
    exact &&= quantity.exact;
    const share = shareOf(component, quantity.amount);
    if (share <= 0) continue;
    const rate = rateOf(component.amount, multiplier);
    const units = decimalOf(share);
    const amount = Number(divideHalfUp(rate.price * units, PER_MICRO));
    total += amount;
    if (!withLines) continue;
    lines.push({
      description: describeLine(component, request.action, lookUp, share, quantity.calculation),
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
  /** Price of one unit after the multiplier, in billionths × billionths, still exact. */
  readonly price: bigint;
  readonly unitPrice: string;
}

const RATES_REMEMBERED = 10_000;
const rates = new Map<string, Rate>();

/** Computes a rate and caches it, since catalogs have few amounts and accounts few multipliers. */
function rateOf(amount: string, multiplier: string): Rate {
  const name = `${amount} ${multiplier}`;
  const known = rates.get(name);
  if (known !== undefined) return known;
  const price = parseDecimal(amount) * parseDecimal(multiplier);
  const rate = { price, unitPrice: formatProduct(price, 2) };
  if (rates.size >= RATES_REMEMBERED) rates.clear();
  rates.set(name, rate);
  return rate;
}

const SIZE_NAMES = new Set(['width', 'height', 'output_pixels', 'output_megapixels', 'aspect', 'aspect_long']);

/** Tells whether a price depends on the size of the output. */
function dependsOnSize(pricing: Pricing): boolean {
  return pricing.components.some(
    (one) =>
      countedUnit(one) === 'output_megapixel' || Object.keys(one.when ?? {}).some((name) => SIZE_NAMES.has(name)),
  );
}

/** Tells whether a price has conditions on the length of the output, besides what it counts. */
function dependsOnLength(pricing: Pricing): boolean {
  return pricing.components.some(({ when = {} }) => Object.hasOwn(when, 'output_seconds'));
}
