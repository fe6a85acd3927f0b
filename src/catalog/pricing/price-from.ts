import { formatMicros, type Micros } from '@darkroom-service/contract';
import { type Model, type ResolvedRequest, statedCost } from '@darkroom-service/contract/catalog';
import { eachInSlices } from '../../base/map-in-slices.ts';
import { resolveRequest } from '../resolve-request.ts';
import { priceRequest } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';
import type { PriceFloor } from './tariff.ts';

/** A model with the costs that its orders must cover; absent = none. */
export interface FlooredModel {
  readonly model: Model;
  readonly floor?: PriceFloor | null;
}

/**
 * Searches the lowest prices of models, unless they are already known, and lets other work run meanwhile: for the whole
 * catalog it takes 100 ms. Afterwards `lowestOrder` answers at once.
 */
export async function searchLowestPrices(models: readonly FlooredModel[]): Promise<void> {
  await eachInSlices(searchAll(models), () => {});
}

/**
 * Returns the create of the model with the lowest price at standard speed, and that price; null if there is none. Found
 * by trying all values that affect the price, unless `searchLowestPrices` has done so.
 */
export function lowestOrder(
  found: FlooredModel,
  multiplier: string,
): { readonly request: ResolvedRequest; readonly amount: Micros } | null {
  for (const _tried of searchAll([found]));
  const { model, floor = null } = found;
  const priced = (model.compiled.cheapest.get(floor?.terms ?? '') ?? []).map((request) => ({
    request,
    amount: Math.max(priceRequest(model, request, multiplier), leastOf(floor, request)),
  }));
  return priced.reduce<(typeof priced)[number] | null>(
    (lowest, one) => (lowest === null || one.amount < lowest.amount ? one : lowest),
    null,
  );
}

/** Returns the lowest price of a model's creates as a decimal string. */
export function priceFrom(found: FlooredModel, multiplier: string): string {
  return formatMicros(lowestOrder(found, multiplier)?.amount ?? 0);
}

function leastOf(floor: PriceFloor | null, request: ResolvedRequest): Micros {
  return floor?.cheapest(request)?.amount ?? 0;
}

/** A request with its amounts by the price list and by the costs. */
interface Candidate {
  readonly request: ResolvedRequest;
  readonly listed: Micros;
  readonly least: Micros;
}

/**
 * Tries one body in each step. Keeps the requests of which no other has both lower amounts: at any multiplier one of
 * them is the cheapest.
 */
function* searchAll(models: readonly FlooredModel[]): Generator<null> {
  for (const { model, floor = null } of models) {
    const { cheapest } = model.compiled;
    const terms = floor?.terms ?? '';
    if (cheapest.has(terms)) continue;
    let made: Candidate[] = [];
    let others: Candidate[] = [];
    for (const body of bodiesOf(model, floor)) {
      const found = resolveRequest(model, body, { purpose: 'quote' });
      if (found.ok) {
        const { request } = found;
        const one = { request, listed: priceRequest(model, request, '1'), least: leastOf(floor, request) };
        if (floor?.takes(request) === false) others = withCandidate(others, one);
        else made = withCandidate(made, one);
      }
      yield null;
    }
    cheapest.set(
      terms,
      (made.length > 0 ? made : others).map(({ request }) => request),
    );
  }
}

/** Yields the bodies that affect the price, and with costs those that affect a cost. */
function bodiesOf(model: Model, floor: PriceFloor | null): ReturnType<typeof priceRelevantBodies> {
  if (floor === null) return priceRelevantBodies(model);
  return priceRelevantBodies(model, {
    components: model.routes.flatMap((route) => statedCost(route)?.components ?? []),
  });
}

/** Adds a candidate unless a known one is no dearer by both amounts, and removes those that it beats. */
function withCandidate(known: readonly Candidate[], one: Candidate): Candidate[] {
  const beats = (a: Candidate, b: Candidate) => a.listed <= b.listed && a.least <= b.least;
  if (known.some((other) => beats(other, one))) return [...known];
  return [...known.filter((other) => !beats(one, other)), one];
}
