import { formatMicros } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { describeLoss, describeUnknownCosts, findThinMargins } from '../catalog/pricing/margins.ts';
import type { Terms } from '../catalog/pricing/terms.ts';

/**
 * Logs the routes of the configured engines at which orders cost more than their price, or an unknown amount. Returns
 * at once.
 */
export function warnThinMargins(catalog: Catalog, engines: readonly Engine[], terms: Terms, log: Log): void {
  logMargins(catalog, engines, terms, log).catch((err: Error) =>
    log.error({ err }, 'could not compare prices with costs'),
  );
}

async function logMargins(catalog: Catalog, engines: readonly Engine[], terms: Terms, log: Log): Promise<void> {
  const margins = await findThinMargins(catalog.models, engines, terms);
  for (const found of margins) {
    if (found.below === null) continue;
    const { model, route, engine, below } = found;
    const fields = {
      model_id: model.model_id,
      engine,
      upstream_model: route.model ?? null,
      example: below.example,
      price: formatMicros(below.price),
      expected_cost: formatMicros(below.cost),
      loss: describeLoss(found),
    };
    log.warn(fields, 'price is below what the order costs at its upstream');
  }
  for (const [engine, unknown] of describeUnknownCosts(margins)) log.warn({ engine, unknown }, 'costs are not known');
}
