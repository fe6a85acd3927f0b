import type { Micros } from '@darkroom-service/contract';
import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { type CheapestOrder, cheapestOrder } from './cheapest-order.ts';

/** A live route with the order that would try it, or the reason why it cannot be tried. */
export type TrialStep = {
  readonly engine: string;
  readonly model: string;
  readonly upstreamModel: string | null;
  readonly route: CatalogRoute;
} & ({ readonly order: CheapestOrder; readonly without: null } | { readonly order: null; readonly without: string });

/** Lists the cheapest order of each route of the engines, by engine, the cheapest first. */
export function planTrial(models: readonly Model[], engines: ReadonlyMap<string, Engine>): TrialStep[] {
  const byKind = Map.groupBy(engines.values(), kindOf);
  const steps = models.flatMap((model) =>
    model.routes.flatMap((route) => (byKind.get(route.engine) ?? []).flatMap((engine) => stepOf(model, route, engine))),
  );
  return steps.sort((a, b) => a.engine.localeCompare(b.engine) || priceOf(a) - priceOf(b));
}

function stepOf(model: Model, route: CatalogRoute, engine: Engine): TrialStep[] {
  if (route.parameters === undefined && engine.needsParameters === true) return [];
  if (engine.serves?.(route.model ?? '') === false) return [];
  const named = { engine: engine.name, model: model.model_id, upstreamModel: route.model ?? null, route };
  if (route.when?.action !== undefined && !allowsCreate(route))
    return [{ ...named, order: null, without: 'it is for follow-up actions' }];
  const order = cheapestOrder(model, route);
  if (order === null) return [{ ...named, order: null, without: 'no simple order was found for it' }];
  const other = order.request.media.find(({ kind }) => kind !== 'image');
  if (other !== undefined) return [{ ...named, order: null, without: `it needs ${other.field}` }];
  return [{ ...named, order, without: null }];
}

/** Splits the steps: those that fit into the budget, from the cheapest of each engine on, and the others. */
export function withinBudget(
  steps: readonly TrialStep[],
  budget: Micros,
): { readonly chosen: TrialStep[]; readonly left: TrialStep[] } {
  const chosen = new Set<TrialStep>();
  let spent = 0;
  for (const step of steps.toSorted((a, b) => priceOf(a) - priceOf(b))) {
    if (step.order === null || spent + step.order.price > budget) continue;
    spent += step.order.price;
    chosen.add(step);
  }
  return { chosen: steps.filter((one) => chosen.has(one)), left: steps.filter((one) => !chosen.has(one)) };
}

function priceOf({ order }: TrialStep): Micros {
  return order?.price ?? Number.MAX_SAFE_INTEGER;
}

function allowsCreate({ when }: CatalogRoute): boolean {
  return [when?.action].flat().some((value) => value === null || value === 'create');
}
