import type { Model } from '../catalog/model.ts';
import type { Engine } from '../engines/engine.ts';
import type { Route, Routing } from './desk.ts';
import type { Switches } from './switches.ts';

/** The engine that makes everything a test key orders. */
export const BUILT_IN_ENGINE = 'sketch';

/** Decides by the configured engines and the operator's switches who makes an order. */
export function createRouting(engines: ReadonlyMap<string, Engine>, switches: Switches): Routing {
  return {
    route(model: Model, mode): Route | null {
      if (mode === 'test') return engines.has(BUILT_IN_ENGINE) ? { engine: BUILT_IN_ENGINE, model: null } : null;
      const route = model.routes.find((candidate) => engines.has(candidate.engine));
      return route === undefined ? null : { engine: route.engine, model: route.model ?? null };
    },
    isPaused: (kind, name) => switches.isPaused(kind, name),
    canCancel: (engine) => engines.get(engine)?.cancel !== undefined,
  };
}
