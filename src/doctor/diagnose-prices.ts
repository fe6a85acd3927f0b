import { formatMicros } from '../base/money.ts';
import type { Model } from '../catalog/model.ts';
import { orderBelowCost } from '../pricing/below-cost.ts';

/** A finding of `doctor`. */
interface PriceFinding {
  readonly name: string;
  readonly status: 'ok' | 'warning';
  readonly found: string;
  readonly advice: string | null;
}

/**
 * Compares the catalog's prices with what the routes of the configured engines cost.
 * @param engines as routes name them
 */
export function diagnosePrices(models: readonly Model[], engines: ReadonlySet<string>): PriceFinding {
  const routes = models.flatMap((model) =>
    model.routes.flatMap((route) => (engines.has(route.engine) ? [{ model, route }] : [])),
  );
  const stated = routes.filter(({ route }) => route.cost !== undefined).length;
  const below = routes.flatMap(({ model, route }) => {
    const worst = orderBelowCost(model, route);
    if (worst === null) return [];
    const { price, cost, example } = worst;
    const order = `${model.model_id} ${JSON.stringify(example)}`;
    return [`${order} costs ${formatMicros(cost)} at ${route.engine} and is sold for ${formatMicros(price)}`];
  });
  const name = 'prices';
  const found = `${stated} of ${routes.length} routes of the configured engines state what they cost`;
  if (below.length === 0) return { name, status: 'ok', found: `${found}; no price is below`, advice: null };
  const advice = 'Raise the price, or take the route out, in a catalog of your own (DARKROOM_CATALOG_DIR).';
  return { name, status: 'warning', found: [`${found}; below cost:`, ...below].join('\n'), advice };
}
