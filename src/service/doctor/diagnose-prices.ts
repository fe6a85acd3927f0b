import { type Model, statedCost } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { canServe, isFreeEngine } from '../../catalog/can-serve.ts';
import { findEnds } from '../../catalog/ends.ts';
import { describeLoss, describeUnknownCosts, findThinMargins } from '../../catalog/pricing/margins.ts';
import type { Terms } from '../../catalog/pricing/terms.ts';
import { ADVICE, type Check, forWeek, ok } from '../check.ts';
import { problemsOfEnds, problemsOfMargins, withProblems } from '../operations/problems.ts';

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
export async function diagnosePrices(known: PriceFacts): Promise<Check[]> {
  const paid = known.engines.filter((engine) => !isFreeEngine(engine));
  if (paid.length === 0) return [];
  const at = { ...known, engines: paid };
  return [await compareWithCosts(at), findOldPrices(at), findEndingRoutes(at)];
}

function findEndingRoutes({ models, engines, now }: PriceFacts): Check {
  const none = 'no model of the configured engines is known to end within 30 days';
  const [first, ...others] = problemsOfEnds(findEnds(models, engines, null, now)).map(({ found }) => found);
  if (first === undefined) return { name: 'ends of models', ...ok(none) };
  const found =
    others.length === 0
      ? first
      : `${others.length + 1} routes end within 30 days, or their upstream no longer lists them`;
  return {
    name: 'ends of models',
    ...forWeek(found, ADVICE.model_ends, others.length === 0 ? [] : [first, ...others]),
  };
}

async function compareWithCosts({ models, engines, terms }: PriceFacts): Promise<Check> {
  const routes = routesAt(models, engines);
  const stated = routes.filter(({ route }) => statedCost(route) !== undefined).length;
  const margins = await findThinMargins(models, engines, terms);
  const found = `${stated} of ${routes.length} routes of the configured engines state what they cost`;
  if (margins.length === 0) return { name: 'prices', ...ok(`${found}; no price is below its cost`) };
  const losses = margins.flatMap((margin) => (margin.below === null ? [] : [describeLoss(margin)]));
  const sold = problemsOfMargins(margins).filter(({ kind }) => kind === 'below_cost');
  const details = [...losses, ...describeUnknownCosts(margins).values()];
  const counts = `${found}; at ${losses.length} orders can cost more than their price, and at ${margins.length - losses.length} the cost is unknown`;
  // Routes that cost more than their price and get no orders lose nothing.
  if (sold.length === 0) return { name: 'prices', ...forWeek(counts, ADVICE.unknown_cost, details) };
  return { name: 'prices', ...withProblems(counts, sold), details };
}

const DAY_MS = 86_400_000;
const OLD_AFTER_DAYS = 90;

function findOldPrices({ models, engines, now }: PriceFacts): Check {
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
    return { name, ...ok(found) };
  }
  const byVendor = [...Map.groupBy(old, ({ vendor }) => vendor)].map(([vendor, { length }]) => `${vendor} ${length}`);
  const count = old.length === 1 ? 'one price or cost was' : `${old.length} prices and costs were`;
  const found = `${count} read more than ${OLD_AFTER_DAYS} days ago: ${byVendor.join(', ')}. The oldest is ${oldest.what}, of ${oldest.asOf}`;
  const advice = 'Install a newer version, or compare them with the price lists of the vendors.';
  return {
    name,
    ...forWeek(
      found,
      advice,
      old.map(({ what, asOf }) => `${what}, of ${asOf}`),
    ),
  };
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
