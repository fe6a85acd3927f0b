import type { MediaMeasurement, Model, ResolvedRequest } from '@darkroom-service/contract/catalog/model';
import type { StatedCost } from '@darkroom-service/contract/catalog/price-schema';
import type { CatalogRoute } from '@darkroom-service/contract/catalog/route-map';
import { holds, lookUpIn } from '@darkroom-service/contract/catalog/route-values';
import type { Micros } from '@darkroom-service/contract/money';
import type { ToldCost } from '@darkroom-service/engines/told-cost';
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
 * Computes what the upstream is expected to charge for a measured order, rounded half up to a micro-dollar. Null if its
 * route does not say, or a measurement is missing.
 * @param multiplier what the operator pays, as a share of what the route states
 */
export function expectedCost(
  cost: StatedCost | undefined,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
  multiplier: string,
): Micros | null {
  return cost === undefined ? null : sumOf(cost, request, multiplier, { measurements, limits: null });
}

/** The same before all media are measured: one that is not counts with its limit, as in a quote. */
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
 * Converts what an upstream told to micro-dollars, rounded half up once. Null if it told units whose price is not
 * known, or an amount that no order can cost.
 * @param unitPrice of one unit, in dollars
 * @param multiplier what the operator pays, as a share of it
 */
export function toldAmount(told: ToldCost, unitPrice: string | undefined, multiplier: string): Micros | null {
  if ('units' in told && unitPrice === undefined) return null;
  const price = 'usd' in told ? ONE * ONE : parseDecimal(unitPrice ?? '0') * parseDecimal(multiplier);
  const [whole, part = ''] = ('usd' in told ? told.usd : told.units).split('.');
  const parts = BigInt(`${whole}${part}`);
  const amount = Number(divideHalfUp(parts * price, PER_MICRO * ONE * 10n ** BigInt(part.length)));
  return Number.isSafeInteger(amount) ? amount : null;
}
