import type { Micros } from '@darkroom-service/contract';
import type { MediaMeasurement, Quote, ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Tariff } from './tariff.ts';

/**
 * Adds the consent to dearer routes to a quote. An order with the account's own upstream key has no dearer route.
 * @param limit.most the most that the caller pays: dearer routes stay closed
 */
export function allowDearer(
  quote: Quote,
  request: ResolvedRequest,
  limit: { readonly tariff: Tariff; readonly measurements: readonly MediaMeasurement[]; readonly most: Micros },
): Quote {
  const { tariff, measurements, most } = limit;
  const floor = 'fee' in tariff ? null : (tariff.floor ?? null);
  const dearest = floor?.dearest(request, measurements, { above: quote.amount, most }) ?? quote.amount;
  return { ...quote, consent: { highest: dearest, share: floor?.share ?? '1' } };
}
