import type { Model } from '../catalog/model.ts';
import type { Engine } from '../engines/engine.ts';
import type { Route, Routing } from './desk.ts';
import type { Switches } from './switches.ts';

/** The engine that makes everything a test key orders. */
export const BUILT_IN_ENGINE = 'sketch';

/**
 * Decides by the configured engines and the operator's switches who makes an order.
 * @param options.live the only engines that live orders may go to; null = any. Test keys have the built-in one in any case.
 */
export function createRouting(
  engines: ReadonlyMap<string, Engine>,
  switches: Switches,
  options: { readonly live: readonly string[] | null },
): Routing {
  const isOn = (name: string) => engines.has(name) && options.live?.includes(name) !== false;
  return {
    route(model: Model, mode): Route | null {
      if (mode === 'test') return engines.has(BUILT_IN_ENGINE) ? { engine: BUILT_IN_ENGINE, model: null } : null;
      const route = model.routes.find((candidate) => isOn(candidate.engine));
      return route === undefined ? null : { engine: route.engine, model: route.model ?? null };
    },
    isPaused: (kind, name) => switches.isPaused(kind, name),
    canCancel: (engine) => engines.get(engine)?.cancel !== undefined,
  };
}
