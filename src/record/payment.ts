import type { MediaMeasurement, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { settleAmount } from '../catalog/pricing/quote.ts';
import type { Payment } from './route.ts';
import { measurementsOf, type TaskMedia } from './task.ts';
import type { StoredQuote } from './task-json.ts';

/** Returns the amount that a placed order pays if it is made as ordered: its price, by the measurements made since. */
export function paymentOf(quote: StoredQuote, request: ResolvedRequest, media: readonly TaskMedia[]): Payment {
  const measurements = measurementsOf(media);
  return { measurements, amount: () => paidFor(quote, request, measurements) };
}

/** Returns the amount that an order with a stored price pays for its request. */
export function paidFor(
  { amount, lines, basis }: StoredQuote,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): number {
  return basis === null ? amount : settleAmount({ amount, lines, exact: false, basis }, request, measurements).amount;
}
