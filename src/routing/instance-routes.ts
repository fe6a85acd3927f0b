import type { Model } from '../catalog/model.ts';
import type { CatalogRoute } from '../catalog/route-map.ts';
import type { Engine } from '../engines/engine.ts';
import { kindOf } from '../engines/instance.ts';
import { instancesFor } from './pick-route.ts';

/** Resolves the routes of the catalog, which name a kind of engine, to the configured instances of that kind. */
interface InstanceRoutes {
  /**
   * Returns the routes that an account's orders of a model may take, with the names of instances: in the order of the
   * catalog, and for each of its routes in the order of the configuration.
   * @param account null = any account
   */
  of(model: Model, account: string | null): readonly CatalogRoute[];
}

/** @param canUse whether an engine can make orders of a route at all; does not change */
export function createInstanceRoutes(
  engines: ReadonlyMap<string, Engine>,
  canUse: (engine: Engine, route: CatalogRoute) => boolean,
): InstanceRoutes {
  const byKind = Map.groupBy(engines.values(), kindOf);
  const hasRules = [...engines.values()].some(
    ({ instance }) => instance !== undefined && instance.pinnedAccounts.length + instance.excludedAccounts.length > 0,
  );
  const known = new WeakMap<Model, readonly CatalogRoute[]>();
  const routesOf = (model: Model, account: string | null) =>
    model.routes.flatMap((route) =>
      instancesFor(byKind.get(route.engine) ?? [], account)
        .filter((engine) => canUse(engine, route))
        .map(({ name }) => (name === route.engine ? route : { ...route, engine: name })),
    );
  return {
    of(model, account) {
      if (hasRules && account !== null) return routesOf(model, account);
      let routes = known.get(model);
      if (routes === undefined) {
        routes = routesOf(model, null);
        known.set(model, routes);
      }
      return routes;
    },
  };
}
