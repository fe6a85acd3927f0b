import type { Micros } from '../base/money.ts';
import type { MediaMeasurement, Model, ResolvedRequest } from '../catalog/model.ts';
import type { RouteCost } from '../catalog/price-schema.ts';
import type { CatalogRoute } from '../catalog/route-map.ts';
import { holds, lookUpIn } from '../catalog/route-values.ts';
import type { ToldCost } from '../engines/told-cost.ts';
import { divideHalfUp, parseDecimal } from './decimal.ts';
import { sumOf } from './quote.ts';

const LONG_DECIMALS = 15;
const LONG_ONE = 10n ** BigInt(LONG_DECIMALS);
/** Converts 10^-15 of a unit × billionths of a dollar to micro-dollars. */
const PER_MICRO = LONG_ONE * 1000n;

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
 * price list does not say, or a measurement is missing.
 */
export function expectedCost(
  cost: RouteCost | undefined,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): Micros | null {
  return cost === undefined ? null : sumOf(cost, request, measurements);
}

/**
 * Converts what an upstream told to micro-dollars, rounded half up once. Null if it told units whose price is not
 * known.
 * @param unitPrice of one unit, in dollars
 */
export function toldAmount(told: ToldCost, unitPrice: string | undefined): Micros | null {
  if ('usd' in told) return Number(divideHalfUp(parseLong(told.usd) * parseDecimal('1'), PER_MICRO));
  return unitPrice === undefined
    ? null
    : Number(divideHalfUp(parseLong(told.units) * parseDecimal(unitPrice), PER_MICRO));
}

/** Parses a decimal text with up to 15 decimals to 10^-15 parts. @throws RangeError for anything else */
function parseLong(text: string): bigint {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`expected a decimal with at most 15 decimals, found "${text}"`);
  return BigInt(whole) * LONG_ONE + BigInt(part.padEnd(LONG_DECIMALS, '0'));
}
