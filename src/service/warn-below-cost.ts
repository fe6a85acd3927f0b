import { setImmediate as yieldTurn } from 'node:timers/promises';
import { formatMicros } from '@darkroom-service/contract/money';
import type { Engine } from '@darkroom-service/engines/engine';
import { kindOf } from '@darkroom-service/engines/instance';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { orderBelowCost } from '../catalog/pricing/below-cost.ts';

/**
 * Logs the routes of the configured engines that make orders below cost. Returns at once; route by route, so that
 * orders go on meanwhile.
 */
export function warnBelowCost(catalog: Catalog, engines: ReadonlyMap<string, Engine>, log: Log): void {
  const kinds = new Set([...engines.values()].map(kindOf));
  judgeRoutes(catalog, kinds, log).catch((err: Error) => log.error({ err }, 'could not compare prices with costs'));
}

/** @param kinds of the configured engines, as routes name them */
async function judgeRoutes(catalog: Catalog, kinds: ReadonlySet<string>, log: Log): Promise<void> {
  for (const model of catalog.models) {
    for (const route of model.routes) {
      if (!kinds.has(route.engine)) continue;
      await yieldTurn();
      const worst = orderBelowCost(model, route);
      if (worst === null) continue;
      const { example, price, cost } = worst;
      log.warn(
        {
          model_id: model.model_id,
          engine: route.engine,
          upstream_model: route.model ?? null,
          example,
          price: formatMicros(price),
          expected_cost: formatMicros(cost),
        },
        'price is below what the order costs at its upstream',
      );
    }
  }
}
