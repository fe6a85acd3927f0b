import { type Model, statedCost } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { canServe, isFreeEngine } from '../../catalog/can-serve.ts';
import { describeEnd, findEnds } from '../../catalog/ends.ts';
import { describeLoss, describeUnknownCosts, findThinMargins } from '../../catalog/pricing/margins.ts';
import type { Terms } from '../../catalog/pricing/terms.ts';
import type { Finding } from '../finding.ts';

interface PriceFacts {
  readonly models: readonly Model[];
  /** The configured engines that are on. */
  readonly engines: readonly Engine[];
  readonly terms: Terms;
  /** Milliseconds, by the service's clock. */
  readonly now: number;
}

/**
 * Compares the catalog's prices with the costs of the configured engines' routes, and reports old prices and models
 * that end.
 */
export async function diagnosePrices(known: PriceFacts): Promise<Finding[]> {
  const paid = known.engines.filter((engine) => !isFreeEngine(engine));
  if (paid.length === 0) return [];
  const at = { ...known, engines: paid };
  return [await compareWithCosts(at), findOldPrices(at), findEndingRoutes(at)];
}

function findEndingRoutes({ models, engines, now }: PriceFacts): Finding {
  const ends = findEnds(models, engines, null, now);
  const name = 'ends of models';
  if (ends.length === 0)
    return {
      name,
      status: 'ok',
      found: 'no model of the configured engines is known to end within 30 days',
      advice: null,
    };
  const advice = 'Set up an engine of another route, or tell the callers of the model to use its successor.';
  return { name, status: 'warning', found: ends.map(describeEnd).join('\n'), advice };
}

async function compareWithCosts({ models, engines, terms }: PriceFacts): Promise<Finding> {
  const routes = routesAt(models, engines);
  const stated = routes.filter(({ route }) => statedCost(route) !== undefined).length;
  const margins = await findThinMargins(models, engines, terms);
  const losses = margins.flatMap((found) => (found.below === null ? [] : [describeLoss(found)]));
  const unknown = [...describeUnknownCosts(margins).values()];
  const name = 'prices';
  const found = `${stated} of ${routes.length} routes of the configured engines state what they cost`;
  if (margins.length === 0) return { name, status: 'ok', found: `${found}; no price is below its cost`, advice: null };
  const advice = [
    'Raise prices by DARKROOM_PRICE_MULTIPLIERS, say what you pay by DARKROOM_COST_MULTIPLIERS, allow a loss by DARKROOM_BELOW_COST_MODELS,',
    'or state the cost in a catalog of your own (DARKROOM_CATALOG_DIR).',
  ].join(' ');
  return { name, status: 'warning', found: [`${found}:`, ...losses, ...unknown].join('\n'), advice };
}

const DAY_MS = 86_400_000;
const OLD_AFTER_DAYS = 90;

function findOldPrices({ models, engines, now }: PriceFacts): Finding {
  const read = routesAt(models, engines).flatMap(({ model, route }) => [
    ...dated(model, `the price of ${model.name}`, model.prices_as_of),
    ...dated(model, `the cost of ${model.name} at ${route.engine}`, route.cost?.as_of ?? null),
  ]);
  const old = [...new Map(read.map((one) => [one.what, one])).values()]
    .filter(({ at }) => now - at > OLD_AFTER_DAYS * DAY_MS)
    .toSorted((one, other) => one.at - other.at);
  const name = 'age of prices';
  const [oldest] = old;
  if (oldest === undefined) {
    const found = `no price or cost of the configured engines was read more than ${OLD_AFTER_DAYS} days ago`;
    return { name, status: 'ok', found, advice: null };
  }
  const byVendor = [...Map.groupBy(old, ({ vendor }) => vendor)].map(([vendor, { length }]) => `${vendor} ${length}`);
  const count = old.length === 1 ? 'one price or cost was' : `${old.length} prices and costs were`;
  const found = `${count} read more than ${OLD_AFTER_DAYS} days ago: ${byVendor.join(', ')}. The oldest is ${oldest.what}, of ${oldest.asOf}`;
  const advice = 'Install a newer version, or compare them with the price lists of the vendors.';
  return { name, status: 'warning', found, advice };
}

function dated({ vendor }: Model, what: string, asOf: string | null) {
  return asOf === null ? [] : [{ vendor, what, asOf, at: Date.parse(asOf) }];
}

function routesAt(models: readonly Model[], engines: readonly Engine[]) {
  return models.flatMap((model) =>
    model.routes.flatMap((route) =>
      engines.some((engine) => kindOf(engine) === route.engine && canServe(engine, route)) ? [{ model, route }] : [],
    ),
  );
}
