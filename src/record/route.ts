import type { DelayCode, Fault, JsonObject } from '@darkroom-service/contract';
import type {
  CatalogRoute,
  MediaMeasurement,
  Model,
  Quote,
  ResolvedRequest,
  RouteDelivers,
} from '@darkroom-service/contract/catalog';
import type { OrderRoute } from '@darkroom-service/engines';
import type { PriceFloor } from '../catalog/pricing/tariff.ts';
import type { OrderModels } from './order-models.ts';
import type { RouteFilter, RouteRule } from './route-filter.ts';

/**
 * The states of an engine for new orders, from the best to the worst: `ready`; `throttled` = its upstream asked for a
 * pause; `interrupted` = its upstream fails, orders wait; `refusing` = its upstream rejects the key or needs payment,
 * orders are refused; `paused` by the operator.
 */
export const ENGINE_STATES = ['ready', 'throttled', 'interrupted', 'refusing', 'paused'] as const;
export type EngineStatus = (typeof ENGINE_STATES)[number];

/** A reason why orders of a route do not reach their upstream now. Times in ms since 1970, by the service's clock. */
export interface RouteObstacle {
  readonly code: Extract<DelayCode, 'model_paused' | `upstream_${string}`>;
  readonly since: number;
  /** Time of the next order, or of the order that tests the upstream; null = none is set. */
  readonly retryAt: number | null;
}

/** Account and prices of the orders of a model that a route is for. */
interface Buyer {
  /** Account of the orders. Null: those of any account. */
  readonly account: string | null;
  /** Multiplier of the catalog's price; null: any cost is accepted. */
  readonly multiplier: string | null;
  /** Lane of the routes; absent: only routes without one. */
  readonly lane?: CatalogRoute['lane'];
  /** The rule of the orders; null or absent = none. */
  readonly rule?: RouteRule | null;
}

/** An upstream that may get orders of a model. */
export interface Upstream {
  /** Known facts about it, for the customer. */
  readonly known: JsonObject;
  /** The reason why the rule excludes it; null = it does not. */
  readonly excluded: string | null;
}

/**
 * The price of an order. A route with a higher stated cost is not used, unless its caller has agreed to that, or the
 * operator allows it.
 */
export interface Payment {
  quote(): Pick<Quote, 'amount' | 'consent'>;
  /** Whether the quote has a consent to dearer routes. */
  readonly allowsDearer: boolean;
  /** Measurements of the media that were measured. */
  readonly measurements: readonly MediaMeasurement[];
}

/** Chooses the engine of a model's orders. */
export interface Routing {
  /** Returns the state of an engine. @param model the upstream's model; if absent, only the engine's state counts */
  standing(engine: string, model?: string | null): EngineStatus;
  /** Returns the kind of an engine, whatever its instance is called. */
  kindOf(engine: string): string;
  /**
   * Returns what keeps orders of a model from a route now; null = nothing.
   * @param upstreamModel the upstream's model; null = only the engine's state counts
   */
  obstacleOf(modelId: string, engine: string, upstreamModel: string | null): RouteObstacle | null;
  /** Returns the seconds for which a route gets no orders; 0 if it gets some now. */
  secondsToTrial(route: { readonly engine: string; readonly model: string | null }): number;
  /**
   * Returns the first route of those with the best state; null if none is configured for live orders, or all orders
   * cost more than their price at each. Test orders always use the built-in engine.
   */
  route(model: Model, mode: 'live' | 'test', buyer: Buyer): Route | null;
  /**
   * Tells whether an account's orders of a model go to its own upstream keys: all live ones, if a route of the model
   * leads to an engine for which the account has a key.
   */
  usesOwnKey(model: Model, mode: 'live' | 'test', account: string): boolean;
  /**
   * Chooses a configured route that supports the whole request, of those with the best state, by the operator's policy.
   * If there is none, returns the faults: the parameters that the nearest route does not support, what excludes each
   * route, or that each route costs more than the order pays.
   */
  routeFor(
    model: Model,
    mode: 'live' | 'test',
    request: ResolvedRequest,
    needs: {
      readonly account: string;
      /** The only engine that can make the order. It also decides whether an upstream key of the account is used. */
      readonly keepTo?: string | null;
      /** Whether an order that has its price is priced by the fee for the account's own upstream key. */
      readonly isKeyed?: boolean | undefined;
      /** The price of the order; null: any cost is accepted. */
      readonly payment: Payment | null;
      /** The rule of the order, which its route then carries; null or absent = none. */
      readonly rule?: RouteRule | null;
    },
  ): { readonly route: Route | null; readonly faults: readonly Fault[]; readonly isBelowCost: boolean };
  /**
   * Returns the costs that orders of a model must cover, whatever the state of its upstreams; null = none.
   * @param multiplier the account's multiplier of prices
   * @param rule the rule of the orders: excluded routes do not count; null = none
   */
  floor(model: Model, multiplier: string, rule: RouteRule | null): PriceFloor | null;
  /** Returns an untried route for a live order that its upstream certainly did not accept; null if there is none. */
  nextRoute(
    model: Model,
    request: ResolvedRequest,
    needs: {
      readonly account: string;
      readonly tried: readonly Pick<OrderRoute, 'engine' | 'model'>[];
      readonly keepTo: string | null;
      /** Whether the order goes to its account's own upstream keys, and to nothing else. */
      readonly isKeyed: boolean;
      /** The accepted states of its engine. */
      readonly standings: readonly EngineStatus[];
      /** An engine to exclude with all its models. */
      readonly notAt: string | null;
      readonly payment: Payment;
      /** The rule of the order; absent = none. */
      readonly rule?: RouteRule | undefined;
      /** Reason, for the customer, why no cheaper route has the order if the next one is dearer. */
      readonly whyDearer: string;
    },
  ): Route | null;
  /** Returns the rule that the live orders of a caller carry; null = any route. */
  readonly ruleOf: RouteFilter['ruleOf'];
  /** Returns the reason why a rule excludes a route; null = it does not. */
  readonly exclusionOf: (rule: RouteRule, route: Pick<OrderRoute, 'engine' | 'model'>) => string | null;
  /** Returns the upstreams that may get live orders of a model, each engine once. @param rule null = none */
  upstreamsOf(model: Model, account: string, rule: RouteRule | null): readonly Upstream[];
  /** Reads the rules of accounts and keys at once, after a change in this process. */
  readonly refreshRules: () => Promise<void>;
  /** Tells whether the upstream no longer lists the model of a route, so that the route gets no orders. */
  isGone(route: { readonly engine: string; readonly model?: string | null }): boolean;
  /** Returns the time at which the upstream's own list ends the model of a route, ISO 8601; null = it states none. */
  endOf(route: { readonly engine: string; readonly model?: string | null }): string | null;
  /** Tells whether live orders of a model have no route because each has ended, or is no longer listed. */
  hasEnded(model: Model, mode: 'live' | 'test', account: string): boolean;
  /** Tells whether an engine of a model has no route because this machine lacks parts that orders of its type need. */
  lacksParts(model: Model, mode: 'live' | 'test'): boolean;
  /** Tells whether an operator has paused an engine or a model; read from the database at most a second ago. */
  isPaused(kind: 'engine' | 'model', name: string): boolean;
  /** Tells whether the engine can cancel running orders. */
  canCancel(engine: string): boolean;
}

/** The route as stored with the task. */
export interface Route extends OrderRoute {
  /** The upstream's deliveries, where the general rules do not fit. */
  readonly delivers?: RouteDelivers;
  /**
   * The earlier routes in sequence. They certainly did not accept the order, or ended it since they refuse its content,
   * and are not used again.
   */
  readonly tried?: readonly TriedRoute[];
  /** The time since which the order has been refused or blocked here, in ms. */
  readonly refused_at?: number;
  /** Number of times that a server of the operator has lost the order. */
  readonly losses?: number;
  /** The rule that every route of the order must fit. */
  readonly rule?: RouteRule;
  /** The models of the order, if it named several. */
  readonly models?: OrderModels;
  /** The price of the order here, if the route is dearer than the quote of an order that allows that. */
  readonly dearer?: DearerPrice;
}

/** The price of an order at a dearer route, frozen when the route was chosen. */
export interface DearerPrice extends Omit<Quote, 'consent' | 'hold'> {
  /** Reason, for the customer, why no cheaper route has the order. */
  readonly reason: string;
}

interface TriedRoute {
  readonly engine: string;
  readonly model: string | null;
  /** Reason why the order left this route. */
  readonly reason: string;
  /** Time when the order left it, in ms; absent in rows of older versions. */
  readonly left_at?: number;
  /** The model that it was to make, if the order named several. */
  readonly model_id?: string;
}
