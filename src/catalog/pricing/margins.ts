import { formatMicros, type JsonObject, type ModelReport, world } from '@darkroom-service/contract';
import type { BelowCost, CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { eachInSlices } from '../../base/map-in-slices.ts';
import { canServe, isFreeEngine } from '../can-serve.ts';
import { isOver } from '../ends.ts';
import { orderBelowCost, orderOfUnknownCost, type Rates, searchOrders, type TriedBodies } from './below-cost.ts';
import { PriceFloors } from './price-floor.ts';
import { pricedEngines } from './priced-engines.ts';
import { ANY_UPLOAD } from './relevant-bodies.ts';
import type { PriceFloor } from './tariff.ts';
import { costMultiplier, installationMultiplier, mayLose, type Terms } from './terms.ts';

/** A route whose orders cost more than their price, or an unknown amount. */
export type ThinMargin = {
  readonly model: Model;
  readonly route: CatalogRoute;
  /** The name of the instance. */
  readonly engine: string;
} & ({ readonly below: BelowCost; readonly isSold: boolean } | { readonly below: null; readonly unknown: string });

/**
 * Finds the routes of the operator's engines at which orders cost more than the installation's price, or whose cost is
 * unknown. Lets other work run meanwhile.
 * @param engines the configured ones that are on
 * @param floorOf returns the costs below which orders of a model are not sold; default: those of these engines
 */
export async function findThinMargins(
  models: readonly Model[],
  engines: Iterable<Engine>,
  terms: Terms,
  floorOf: FloorOf = floorsOf(models, engines, terms),
): Promise<ThinMargin[]> {
  const found: ThinMargin[] = [];
  await eachInSlices(judgeMargins(models, engines, terms, floorOf), (margin) => margin !== null && found.push(margin));
  return found;
}

/** Returns the costs below which orders of a model are not sold; null = none. */
type FloorOf = (model: Model) => PriceFloor | null;

function floorsOf(models: readonly Model[], engines: Iterable<Engine>, terms: Terms): FloorOf {
  const priced = pricedEngines(engines, terms, models);
  const floors = new PriceFloors({ engines: () => priced, terms, isClosed: (route) => isOver(route, world.now()) });
  return (model) => floors.of(model, '1');
}

function* judgeMargins(
  models: readonly Model[],
  engines: Iterable<Engine>,
  terms: Terms,
  floorOf: FloorOf,
): Generator<ThinMargin | null> {
  const paid = [...engines].filter((engine) => !isFreeEngine(engine));
  for (const model of models) {
    const tried: TriedBodies = new Map();
    const floor = floorOf(model);
    for (const route of model.routes) {
      for (const engine of paid) {
        if (kindOf(engine) !== route.engine || !canServe(engine, route)) continue;
        const rates = { ...ratesOf(terms, model, route, engine.name), floor };
        yield* searchOrders(model, route, rates, tried);
        const found = { model, route, engine: engine.name };
        const below = orderBelowCost(model, route, rates);
        if (below !== null) yield { ...found, below, isSold: mayLose(terms, model.model_id) };
        const unknown = unknownCost(model, route, rates);
        if (unknown !== null) yield { ...found, below: null, unknown };
      }
    }
  }
}

/** Searches the orders that `reportCost` judges, so that it answers at once. Lets other work run meanwhile. */
export async function searchCosts(
  terms: Terms,
  routes: Iterable<{ readonly model: Model; readonly route: CatalogRoute; readonly engine: string }>,
): Promise<void> {
  function* search(): Generator<null> {
    for (const ofModel of Map.groupBy(routes, ({ model }) => model).values()) {
      const tried: TriedBodies = new Map();
      for (const { model, route, engine } of ofModel)
        yield* searchOrders(model, route, ratesOf(terms, model, route, engine), tried);
    }
  }
  await eachInSlices(search(), () => {});
}

/**
 * Returns a route's cost as the admin API shows it; null if the catalog does not state it.
 * @param floor the costs below which orders of the model are not sold
 */
export function reportCost(
  terms: Terms,
  model: Model,
  route: CatalogRoute,
  engine: string,
  floor: PriceFloor | null,
): ModelReport['routes'][number]['cost'] {
  if (route.cost === undefined) return null;
  const { as_of } = route.cost;
  if ('unknown' in route.cost) return { as_of, source: null, unknown: route.cost.unknown, below: null };
  const rates = { ...ratesOf(terms, model, route, engine), floor };
  const stated = { as_of, source: route.cost.source, unknown: unknownCost(model, route, rates) };
  const below = orderBelowCost(model, route, rates);
  if (below === null) return { ...stated, below: null };
  const { example, price, cost } = below;
  const isSold = mayLose(terms, model.model_id);
  const loss = describeLoss({ model, route, engine, below, isSold });
  return { ...stated, below: { example, price: formatMicros(price), cost: formatMicros(cost), sold: isSold, loss } };
}

function ratesOf(terms: Terms, model: Model, route: CatalogRoute, engine: string): Rates {
  return {
    price: installationMultiplier(terms, model),
    cost: costMultiplier(terms, { name: engine, kind: route.engine }),
  };
}

/** Returns the reason why the cost of a route, or of some orders there, is unknown; null if it is known. */
function unknownCost(model: Model, route: CatalogRoute, rates: Rates): string | null {
  if (route.cost === undefined) return 'the catalog states no cost';
  if ('unknown' in route.cost) return route.cost.unknown;
  const order = orderOfUnknownCost(model, route, rates);
  return order === null ? null : `the price list has no line for such an order: ${describeOrder(order)}`;
}

/**
 * Describes the loss of a route, such as `with your keys, Seedance 2.5 loses 0.24 a second at fal; it is not sold there
 * unless you allow it`.
 */
export function describeLoss({ model, engine, below, isSold }: Extract<ThinMargin, { isSold: boolean }>): string {
  const { seconds, isEveryOrder, example, price, cost } = below;
  const amount = formatMicros(Math.round((cost - price) / (seconds ?? 1)));
  const limit = isEveryOrder ? '' : 'up to ';
  const order = Object.keys(example).length === 0 ? '' : ` (${describeOrder(example)})`;
  const loss = `with your keys, ${model.name} loses ${limit}${amount} ${seconds === null ? 'an image' : 'a second'} at ${engine}${order}`;
  const what = isEveryOrder ? ['it is', 'it'] : ['such orders are', 'them'];
  return isSold
    ? `${loss}; ${what[0]} sold there because DARKROOM_BELOW_COST_MODELS allows it`
    : `${loss}; ${what[0]} not sold there unless you allow ${what[1]}`;
}

/** Formats the fields that matter, such as `resolution 4k, 3 image_urls`. */
function describeOrder(order: JsonObject): string {
  const parts = Object.entries(order).map(([name, value]) => {
    if (Array.isArray(value)) return `${value.length} ${name}`;
    return value === ANY_UPLOAD ? name : `${name} ${value}`;
  });
  return parts.length === 0 ? 'any' : parts.join(', ');
}

/** Describes the routes of each engine whose cost is unknown, by engine. */
export function describeUnknownCosts(margins: readonly ThinMargin[]): Map<string, string> {
  const unknown = Map.groupBy(
    margins.filter(({ below }) => below === null),
    ({ engine }) => engine,
  );
  return new Map(
    [...unknown].map(([engine, routes]) => {
      const names = [...new Set(routes.map(({ model }) => model.name))];
      const shown = names.slice(0, NAMES_SHOWN).join(', ');
      const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
      const count = routes.length === 1 ? 'the cost of one route' : `the costs of ${routes.length} routes`;
      return [
        engine,
        `with your keys, ${count} at ${engine} ${routes.length === 1 ? 'is' : 'are'} unknown: ${shown}${more}`,
      ];
    }),
  );
}

const NAMES_SHOWN = 5;
