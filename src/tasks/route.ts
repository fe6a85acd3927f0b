import type { Fault } from '../base/errors.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import type { OrderRoute } from '../engines/engine.ts';

/**
 * What a new order can expect of an engine: `ready`; `held` = its upstream asked for a pause; `interrupted` = its upstream fails, orders wait;
 * `refusing` = its upstream wants another key or money, orders are not taken; `paused` by the operator.
 */
export type EngineStanding = 'ready' | 'held' | 'interrupted' | 'refusing' | 'paused';

/** Which engine makes a model's orders. */
export interface Routing {
  /** @param model the upstream's; left out, the engine alone decides */
  standing(engine: string, model?: string | null): EngineStanding;
  /** How long a route whose circuit is open still gets no orders, in seconds; 0 = it gets some. */
  secondsToTrial(route: { readonly engine: string; readonly model: string | null }): number;
  /** Null when no route of the model is configured for live orders. Test orders always have the built-in engine. */
  route(model: Model, mode: 'live' | 'test'): Route | null;
  /**
   * The first configured route that can say all of the request, of those whose engines stand best; where there is none, what the nearest
   * one cannot say.
   * @param keepTo the only engine that can make it
   */
  routeFor(
    model: Model,
    mode: 'live' | 'test',
    request: ResolvedRequest,
    keepTo?: string | null,
  ): { readonly route: Route | null; readonly faults: readonly Fault[] };
  /** Where a live order goes that its upstream certainly did not take: a route that was not tried; null = there is none. */
  nextRoute(
    model: Model,
    request: ResolvedRequest,
    wish: {
      readonly tried: readonly Pick<OrderRoute, 'engine' | 'model'>[];
      readonly keepTo: string | null;
      /** How its engine must stand. */
      readonly standings: readonly EngineStanding[];
      /** An engine that it cannot go to, with any of its models. */
      readonly notAt: string | null;
    },
  ): Route | null;
  /** Engines and models that an operator has paused; read from the database at most a second ago. */
  isPaused(kind: 'engine' | 'model', name: string): boolean;
  /** Whether the engine can stop what it has begun. */
  canCancel(engine: string): boolean;
}

/** Frozen on the task. */
export interface Route extends OrderRoute {
  /** Where the order was before, in that order: it certainly was not taken there, and does not go there again. */
  readonly tried?: readonly TriedRoute[];
  /** Since when it has been refused or held here, in ms. */
  readonly refused_at?: number;
}

export interface TriedRoute {
  readonly engine: string;
  readonly model: string | null;
  /** Why it went on. */
  readonly reason: string;
}
