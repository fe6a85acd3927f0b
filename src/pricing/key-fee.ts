import type { Micros } from '../base/money.ts';
import type { MediaMeasurement, Model, Quote, ResolvedRequest } from '../catalog/model.ts';
import { feeLines } from './fee-lines.ts';
import { quoteRequest } from './quote.ts';

/** The operator's fee for an order with the account's own upstream key. */
interface KeyFee {
  /** Per order. */
  readonly amount: Micros;
  /** Of the catalog's price: a decimal such as `"0.05"`. */
  readonly share: string;
}

/** What an order is priced by: the account's multiplier of the catalog's price, or the fee for its own upstream key. */
export type Tariff = { readonly multiplier: string } | { readonly fee: KeyFee };

/** Prices an order like `quoteRequest`. */
export function quoteAt(
  model: Model,
  request: ResolvedRequest,
  tariff: Tariff,
  measurements: readonly MediaMeasurement[] = [],
): Quote {
  if ('multiplier' in tariff) return quoteRequest(model, request, tariff.multiplier, measurements);
  const { amount: fixed, share } = tariff.fee;
  if (Number(share) === 0) {
    const nothing: Quote = { amount: 0, exact: true, lines: [], basis: { pricing: model.pricing, multiplier: share } };
    return addFixedFee(nothing, fixed);
  }
  return addFixedFee(quoteRequest(model, request, share, measurements), fixed);
}

function addFixedFee({ amount, exact, lines, basis }: Quote, fixed: Micros): Quote {
  return { amount: amount + fixed, exact, lines: feeLines(lines, fixed), basis: { ...basis, fixed } };
}
