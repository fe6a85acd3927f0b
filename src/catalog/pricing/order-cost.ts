import type { Micros } from '@darkroom-service/contract';
import {
  type CatalogRoute,
  holds,
  KIND_OF_FORMULA,
  lookUpIn,
  type MediaMeasurement,
  type Model,
  type ResolvedRequest,
  type StatedCost,
  TOKEN_KINDS,
} from '@darkroom-service/contract/catalog';
import type { ReportedCost } from '@darkroom-service/engines';
import { divideHalfUp, ONE, parseDecimal } from './decimal.ts';
import { sumOf } from './quote.ts';

/** Converts billionths of a dollar to micro-dollars. */
const PER_MICRO = 1000n;

/**
 * Returns the route of the catalog that an order takes; undefined if the catalog has changed since.
 * @param taken.engine the kind of the instance
 */
export function routeOfOrder(
  model: Pick<Model, 'routes'> | null,
  taken: { readonly engine: string; readonly model: string | null },
  request: Pick<ResolvedRequest, 'values' | 'derived'>,
): CatalogRoute | undefined {
  const lookUp = lookUpIn(request);
  return model?.routes.find(
    ({ engine, model: name = null, when }) => engine === taken.engine && name === taken.model && holds(when, lookUp),
  );
}

/**
 * Computes the expected charge of the upstream for a measured order, rounded half up to a micro-dollar. Null if its
 * route does not state a cost, or a measurement is missing.
 * @param multiplier the operator's costs as a share of the route's stated cost
 */
export function expectedCost(
  cost: StatedCost | undefined,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
  multiplier: string,
): Micros | null {
  return cost === undefined ? null : sumOf(cost, request, multiplier, { measurements, limits: null });
}

/** Computes the catalog's price of a measured order at the operator's multiplier; null if a measurement is missing. */
export function listPrice(
  { pricing }: Pick<Model, 'pricing'>,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
  multiplier: string,
): Micros | null {
  return sumOf(pricing, request, multiplier, { measurements, limits: null });
}

/** Computes the maximum expected cost: unmeasured media count with their limits, as in a quote. */
export function greatestCost(
  { limits, sizing }: Pick<Model, 'limits' | 'sizing'>,
  cost: StatedCost,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
  multiplier: string,
): Micros | null {
  return sumOf(cost, request, multiplier, { measurements, limits, sizing });
}

/**
 * Converts a reported cost to micro-dollars, rounded half up once. Null if the upstream reported units or tokens of
 * unknown price, or an amount that no order can cost.
 * @param route.cost the cost that the route states
 * @param route.request the order, which determines the price of a token; null if it has been erased
 * @param multiplier the operator's costs as a share of the route's stated cost
 */
export function reportedAmount(
  told: ReportedCost,
  route: { readonly cost?: StatedCost | undefined; readonly request: ResolvedRequest | null },
  multiplier: string,
): Micros | null {
  const { cost, request } = route;
  if ('tokens' in told) {
    const sum = cost === undefined || request === null ? null : priceOfTokens(told.tokens, cost, request);
    return sum === null ? null : micros(sum * parseDecimal(multiplier), 0);
  }
  if ('units' in told && cost?.unit_price === undefined) return null;
  const price = 'usd' in told ? ONE * ONE : parseDecimal(cost?.unit_price ?? '0') * parseDecimal(multiplier);
  const [whole, part = ''] = ('usd' in told ? told.usd : told.units).split('.');
  return micros(BigInt(`${whole}${part}`) * price, part.length);
}

function micros(billionths: bigint, decimals: number): Micros | null {
  const amount = Number(divideHalfUp(billionths, PER_MICRO * ONE * 10n ** BigInt(decimals)));
  return Number.isSafeInteger(amount) ? amount : null;
}

/**
 * Returns the cost of tokens and the order's fixed costs, in billionths of a dollar. The price of a kind is that of its
 * formula, otherwise its own; null if a kind has none.
 */
function priceOfTokens(
  tokens: Extract<ReportedCost, { tokens: object }>['tokens'],
  { components, token_prices: prices = {} }: StatedCost,
  request: ResolvedRequest,
): bigint | null {
  const lookUp = lookUpIn(request);
  const holding = components.filter(({ when }) => holds(when, lookUp));
  let sum = 0n;
  for (const kind of TOKEN_KINDS) {
    const count = tokens[kind] ?? 0;
    if (count === 0) continue;
    const counted = holding.find(({ formula }) => formula !== undefined && KIND_OF_FORMULA[formula.name] === kind);
    const price = counted?.amount ?? prices[kind];
    if (price === undefined) return null;
    sum += BigInt(count) * parseDecimal(price);
  }
  for (const { per, amount } of holding) if (per === 'request') sum += parseDecimal(amount);
  return sum;
}
