import type { JsonObject } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import type { Model } from '../catalog/model.ts';
import type { CatalogRoute } from '../catalog/route-map.ts';
import { cannotSay } from '../catalog/route-says.ts';
import type { Engine } from '../engines/engine.ts';
import type { Route, Routing } from './desk.ts';
import type { Switches } from './switches.ts';

/** The engine that makes everything a test key orders. */
const BUILT_IN_ENGINE = 'sketch';

/**
 * Decides by the configured engines and the operator's switches who makes an order.
 * @param options.live the only engines that live orders may go to; null = any. Test keys have the built-in one in any case.
 */
export function createRouting(
  engines: ReadonlyMap<string, Engine>,
  switches: Switches,
  options: { readonly live: readonly string[] | null },
): Routing {
  const isOn = ({ engine: name, parameters }: CatalogRoute) =>
    options.live?.includes(name) !== false &&
    engines.has(name) &&
    (parameters !== undefined || engines.get(name)?.needsParameters !== true);
  const built = frozen({ engine: BUILT_IN_ENGINE });
  const testRoute = () => (engines.has(BUILT_IN_ENGINE) ? built : null);
  return {
    route(model, mode) {
      if (mode === 'test') return testRoute();
      const route = model.routes.find(isOn);
      return route === undefined ? null : frozen(route);
    },
    routeFor(model: Model, mode, request) {
      if (mode === 'test') return { route: testRoute(), faults: [] };
      const judged = model.routes.filter(isOn).map((route) => ({ route, faults: cannotSay(route, model, request) }));
      const able = judged.find(({ faults }) => faults.length === 0);
      if (able !== undefined) return { route: frozen(able.route), faults: [] };
      // The route that lacks the least tells the caller best what to leave out.
      const [nearest] = judged.sort((a, b) => distanceOf(a.faults) - distanceOf(b.faults));
      return { route: null, faults: nearest?.faults ?? [] };
    },
    isPaused: (kind, name) => switches.isPaused(kind, name),
    canCancel: (engine) => engines.get(engine)?.cancel !== undefined,
  };
}

/** A route for other values is farther than one that lacks a field: the caller may never have thought of the value. */
function distanceOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, { code }) => sum + (code === 'unsupported_field' ? 1 : 2), 0);
}

function frozen({ engine, model, parameters, fixed }: CatalogRoute): Route {
  return { engine, model: model ?? null, parameters: parameters ?? null, fixed: (fixed ?? {}) as JsonObject };
}
