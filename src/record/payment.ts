import type { MediaMeasurement, Quote, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { settleAmount } from '../catalog/pricing/quote.ts';
import type { Payment } from './route.ts';
import { measurementsOf, type TaskMedia } from './task.ts';
import type { StoredQuote } from './task-json.ts';

/** Returns the price that a placed order pays if it is made as ordered, by the measurements made since. */
export function paymentOf(quote: StoredQuote, request: ResolvedRequest, media: readonly TaskMedia[]): Payment {
  const measurements = measurementsOf(media);
  return {
    measurements,
    allowsDearer: quote.consent !== undefined,
    quote: () => measuredQuote(quote, request, measurements),
  };
}

/** Returns the stored price of an order, by the measurements of its media. */
export function measuredQuote(
  { amount, lines, basis, consent }: StoredQuote,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): Pick<Quote, 'amount' | 'consent'> {
  const paid =
    basis === null ? amount : settleAmount({ amount, lines, exact: false, basis }, request, measurements).amount;
  return consent === undefined ? { amount: paid } : { amount: paid, consent };
}
