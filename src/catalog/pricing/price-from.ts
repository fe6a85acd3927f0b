import { formatMicros } from '@darkroom-service/contract';
import type { Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { eachInSlices } from '../../base/map-in-slices.ts';
import { resolveRequest } from '../resolve-request.ts';
import { priceRequest } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

/**
 * Searches the lowest prices of models, unless they are already known, and lets other work run meanwhile: for the whole
 * catalog it takes 100 ms. Afterwards `priceFrom` answers at once.
 */
export async function searchLowestPrices(models: readonly Model[]): Promise<void> {
  await eachInSlices(searchAll(models), () => {});
}

/**
 * Returns the lowest price of any create of the model at standard speed, as a decimal string. Found by trying all
 * values that affect the price, unless `searchLowestPrices` has done so.
 */
export function priceFrom(model: Model, multiplier: string): string {
  for (const _tried of searchAll([model]));
  const request = model.compiled.cheapest ?? null;
  return formatMicros(request === null ? 0 : priceRequest(model, request, multiplier));
}

/** Tries one body in each step. */
function* searchAll(models: readonly Model[]): Generator<null> {
  for (const model of models) {
    if (model.compiled.cheapest !== undefined) continue;
    let best: ResolvedRequest | null = null;
    let lowest = Number.POSITIVE_INFINITY;
    for (const body of priceRelevantBodies(model)) {
      const found = resolveRequest(model, body, { purpose: 'quote' });
      const amount = found.ok ? priceRequest(model, found.request, '1') : Number.POSITIVE_INFINITY;
      if (found.ok && amount < lowest) {
        best = found.request;
        lowest = amount;
      }
      yield null;
    }
    model.compiled.cheapest = best;
  }
}
