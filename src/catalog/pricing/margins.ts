import type { BelowCost, Model } from '@darkroom-service/contract/catalog/model';
import type { CatalogRoute } from '@darkroom-service/contract/catalog/route-map';
import { formatMicros } from '@darkroom-service/contract/money';
import type { Engine } from '@darkroom-service/engines/engine';
import { kindOf } from '@darkroom-service/engines/instance';
import { eachInSlices } from '../../base/map-in-slices.ts';
import { canServe, isFreeEngine } from '../can-serve.ts';
import { orderBelowCost } from './below-cost.ts';
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
 */
export async function findThinMargins(
  models: readonly Model[],
  engines: Iterable<Engine>,
  terms: Terms,
): Promise<ThinMargin[]> {
  const found: ThinMargin[] = [];
  await eachInSlices(judgeMargins(models, engines, terms), (margin) => margin !== null && found.push(margin));
  return found;
}

function* judgeMargins(
  models: readonly Model[],
  engines: Iterable<Engine>,
  terms: Terms,
): Generator<ThinMargin | null> {
  const paid = [...engines].filter((engine) => !isFreeEngine(engine));
  for (const model of models) {
    for (const route of model.routes) {
      for (const engine of paid) {
        if (kindOf(engine) !== route.engine || !canServe(engine, route)) continue;
        yield judgeMargin(model, route, engine, terms);
      }
    }
  }
}

function judgeMargin(model: Model, route: CatalogRoute, engine: Engine, terms: Terms): ThinMargin | null {
  const found = { model, route, engine: engine.name };
  if (route.cost === undefined) return { ...found, below: null, unknown: 'the catalog states no cost' };
  if ('unknown' in route.cost) return { ...found, below: null, unknown: route.cost.unknown };
  const below = orderBelowCost(model, route, {
    price: installationMultiplier(terms, model),
    cost: costMultiplier(terms, { name: engine.name, kind: route.engine }),
  });
  return below === null ? null : { ...found, below, isSold: mayLose(terms, model.model_id) };
}

/**
 * Says what a route loses, such as `with your keys, Seedance 2.5 loses 0.24 a second at fal; it is not sold there
 * unless you allow it`.
 */
export function describeLoss({ model, engine, below, isSold }: Extract<ThinMargin, { isSold: boolean }>): string {
  const { seconds, isEveryOrder, example, price, cost } = below;
  const amount = formatMicros(Math.round((cost - price) / (seconds ?? 1)));
  const limit = isEveryOrder ? '' : 'up to ';
  const order = Object.keys(example).length === 0 ? '' : ` (${JSON.stringify(example)})`;
  const loss = `with your keys, ${model.name} loses ${limit}${amount} ${seconds === null ? 'an image' : 'a second'} at ${engine}${order}`;
  const what = isEveryOrder ? ['it is', 'it'] : ['such orders are', 'them'];
  return isSold
    ? `${loss}; ${what[0]} sold there because DARKROOM_BELOW_COST_MODELS allows it`
    : `${loss}; ${what[0]} not sold there unless you allow ${what[1]}`;
}

/** Says which routes of each engine have an unknown cost. */
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
