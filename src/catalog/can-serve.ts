import type { CatalogRoute } from '@darkroom-service/contract/catalog';
import type { Engine } from '@darkroom-service/engines';

/** Tells whether a configured engine takes orders of a route that names it. */
export function canServe(engine: Engine, { model, parameters }: Pick<CatalogRoute, 'model' | 'parameters'>): boolean {
  return engine.serves?.(model ?? '') !== false && (parameters !== undefined || engine.needsParameters !== true);
}

/** Returns the engines that take live orders. @param only names of these engines; null = all */
export function enginesOn(engines: ReadonlyMap<string, Engine>, only: readonly string[] | null): Engine[] {
  return [...engines.values()].filter(({ name }) => only?.includes(name) !== false);
}

/** Tells whether the orders of an engine cost its operator nothing: it runs on a machine of the operator. */
export function isFreeEngine({ isFree, repeatable }: Pick<Engine, 'isFree' | 'repeatable'>): boolean {
  return isFree === true || repeatable === true;
}
