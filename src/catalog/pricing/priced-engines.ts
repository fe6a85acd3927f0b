import type { Model, PricedEngine } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { isFreeEngine } from '../can-serve.ts';
import { costMultiplier, type Terms } from './terms.ts';

/**
 * Returns the engines whose costs count for prices: those that are open to all accounts.
 * @param engines the configured ones that are on
 */
export function pricedEngines(
  engines: Iterable<Engine>,
  terms: Pick<Terms, 'costs'>,
  models: readonly Model[],
): PricedEngine[] {
  return [...engines]
    .filter(({ instance }) => instance === undefined || instance.excludedAccounts.length === 0)
    .map((engine) => {
      const { name, needsParameters } = engine;
      const kind = kindOf(engine);
      return {
        name,
        kind,
        multiplier: costMultiplier(terms, { name, kind }),
        isFree: isFreeEngine(engine),
        needsParameters: needsParameters === true,
        models: servedModels(engine, kind, models),
      };
    });
}

/** Returns the upstream models of the catalog's routes that an engine takes; null = all. */
function servedModels(engine: Engine, kind: string, models: readonly Model[]): readonly string[] | null {
  if (engine.serves === undefined) return null;
  const named = models.flatMap(({ routes }) =>
    routes.flatMap((route) => (route.engine === kind ? [route.model ?? ''] : [])),
  );
  return [...new Set(named)].filter((model) => engine.serves?.(model));
}
