import { type Fault, type JsonObject, world } from '@darkroom-service/contract';
import {
  type CatalogRoute,
  holds,
  lookUpIn,
  type Model,
  type PricedEngine,
  type ResolvedRequest,
} from '@darkroom-service/contract/catalog';
import { DEFAULT_INSTANCE, type Engine, kindOf } from '@darkroom-service/engines';
import { enginesOn } from '../catalog/can-serve.ts';
import { PriceFloors } from '../catalog/pricing/price-floor.ts';
import { pricedEngines } from '../catalog/pricing/priced-engines.ts';
import { NO_TERMS, type Terms } from '../catalog/pricing/terms.ts';
import { unsupportedFields } from '../catalog/route-coverage.ts';
import { isKeyed, withoutKey } from '../record/owned-instance.ts';
import {
  ENGINE_STATES,
  type EngineStatus,
  type Payment,
  type Route,
  type RouteObstacle,
  type Routing,
} from '../record/route.ts';
import { NO_FILTER, type RouteFilter, type RouteRule } from '../record/route-filter.ts';
import { ModelRoutes, type ModelRoutesOptions } from './model-routes.ts';
import { pickRoute, type RoutePolicy } from './pick-route.ts';
import { RouteCosts } from './route-costs.ts';
import { type Cause, isLasting, isOutage, stateOf, subjectOfRoute } from './valve.ts';
import type { Valves } from './valves.ts';

interface RoutingOptions extends ModelRoutesOptions {
  readonly policy?: RoutePolicy;
  /** The operator's costs, and the models that may be sold below cost. */
  readonly terms?: Pick<Terms, 'costs' | 'belowCost'>;
  /**
   * Returns the engines whose costs count for prices, in the same array until they change; by default the given ones
   * that are on.
   */
  readonly priced?: () => readonly PricedEngine[];
  /** Returns the measured median duration of a model's orders at an engine, in seconds. */
  readonly secondsOf?: (modelId: string, engine: string) => number | null;
  /** Excludes routes from orders; absent = none. */
  readonly filter?: RouteFilter;
  /** Returns a number from 0 up to 1. */
  readonly random?: () => number;
}

/** Engine for all orders of test keys. */
const BUILT_IN_ENGINE = 'sketch';
const OTHER_MEDIA = 1000;
/** In micro-dollars. */
const MORE_THAN_ANY_PRICE = 1e14;
const DELAYS_BY_CAUSE: Readonly<Record<Cause, RouteObstacle['code']>> = {
  outage: 'upstream_away',
  not_loaded: 'upstream_not_ready',
  spend_limit: 'upstream_limit',
  pause: 'upstream_pause',
  rate: 'upstream_pause',
};

/**
 * Chooses the engine of an order by the configured engines, their valves and the operator's policy. Test keys always
 * have the built-in engine.
 */
export function createRouting(
  engines: ReadonlyMap<string, Engine>,
  valves: Pick<Valves, 'of' | 'pausedSince'>,
  options: RoutingOptions,
): Routing {
  const { policy = 'order', random = () => world.random(), terms = NO_TERMS, instances, filter = NO_FILTER } = options;
  const routes = new ModelRoutes(engines, options);
  const own = pricedEngines(enginesOn(engines, options.live), terms, []);
  const floors = new PriceFloors({
    engines: options.priced ?? (() => own),
    terms,
    isClosed: (route) => routes.isClosed(route),
  });
  const costs = new RouteCosts(engines, terms, floors);
  const built = frozen({ engine: BUILT_IN_ENGINE }, null);
  const testRoute = (model: Model) =>
    engines.has(BUILT_IN_ENGINE) && routes.canMake(BUILT_IN_ENGINE, model) ? built : null;

  function standing(engine: string, model?: string | null): EngineStatus {
    if (valves.pausedSince('engine', engine) !== null) return 'paused';
    const route = model === undefined ? null : valves.of(subjectOfRoute({ engine, model }));
    if (route !== null && stateOf(route, options.now()) === 'shut') return 'refusing';
    const shut = valves.of(engine);
    // The next order is the test order.
    if (shut === null || stateOf(shut, options.now()) === 'on_trial') return 'ready';
    if (isLasting(shut.fault)) return 'refusing';
    return isOutage(shut) ? 'interrupted' : 'throttled';
  }
  const rankOf = ({ engine, model }: CatalogRoute) => ENGINE_STATES.indexOf(standing(engine, model ?? null));
  const weightOf = ({ engine }: CatalogRoute) => engines.get(engine)?.instance?.weight ?? DEFAULT_INSTANCE.weight;
  /** Ranks routes by their state, and those in the same state that are dearer than the quote by their prices. */
  const ranksFor = ({ model, request, payment }: OrderToRoute) =>
    payment?.allowsDearer !== true
      ? rankOf
      : (route: CatalogRoute) =>
          rankOf(route) * MORE_THAN_ANY_PRICE + (costs.dearerQuote(model, route, request, payment)?.amount ?? 0);
  const best = (order: OrderToRoute, possible: readonly CatalogRoute[]) => {
    const { model, request } = order;
    const secondsOf = ({ engine }: CatalogRoute) => options.secondsOf?.(model.model_id, engine) ?? null;
    const costOf = (route: CatalogRoute) => costs.expected(route, request);
    return pickRoute(possible, policy, { rankOf: ranksFor(order), weightOf, secondsOf, costOf }, random());
  };
  /** Freezes a route, with its price if it is dearer than the quote. @param why the reason why it has the order */
  const freeze = (route: CatalogRoute, { model, request, payment, rule }: OrderToRoute, why: () => string): Route => {
    const price = costs.dearerQuote(model, route, request, payment);
    return price === null ? frozen(route, rule) : { ...frozen(route, rule), dearer: { ...price, reason: why() } };
  };
  /** Names kinds only: customers are told no names of instances. */
  const whyNotCheaper = (cheaper: readonly CatalogRoute[]) => {
    const kinds = new Set(cheaper.map(({ engine }) => kindNamed(engine)));
    return kinds.size === 0
      ? 'No cheaper upstream takes this order.'
      : `No cheaper upstream was ready (${[...kinds].join(', ')}).`;
  };

  const kindNamed = (name: string) => {
    const engine = engines.get(name);
    return engine === undefined ? withoutKey(name) : kindOf(engine);
  };
  const filtered = ({ engine, model }: Pick<Route, 'engine' | 'model'> | CatalogRoute) => ({
    engine,
    kind: kindNamed(engine),
    model: model ?? null,
  });
  const exclusionOf = (rule: RouteRule, route: Pick<Route, 'engine' | 'model'> | CatalogRoute) =>
    filter.exclusionOf(rule, filtered(route));
  const fits = (rule: RouteRule | null | undefined, route: CatalogRoute) =>
    rule == null || exclusionOf(rule, route) === null;

  return {
    standing,
    kindOf: kindNamed,
    obstacleOf(modelId, engine, upstreamModel) {
      const modelSince = valves.pausedSince('model', modelId);
      if (modelSince !== null) return { code: 'model_paused', since: modelSince, retryAt: null };
      const engineSince = valves.pausedSince('engine', engine);
      if (engineSince !== null) return { code: 'upstream_paused', since: engineSince, retryAt: null };
      const subjects = upstreamModel === null ? [engine] : [engine, subjectOfRoute({ engine, model: upstreamModel })];
      const shut = subjects.map((one) => valves.of(one)).find((one) => stateOf(one, options.now()) === 'shut');
      if (shut == null) return null;
      const code = isLasting(shut.fault) ? 'upstream_refuses' : DELAYS_BY_CAUSE[shut.kind];
      return { code, since: shut.since, retryAt: shut.retry_at };
    },
    ruleOf: (key, fields) => filter.ruleOf(key, fields),
    exclusionOf,
    upstreamsOf(model, account, rule) {
      const byEngine = new Map(routes.usable(model, account).map((route) => [route.engine, route]));
      return [...byEngine.values()].map((route) => ({
        known: filter.describe(filtered(route)),
        excluded: rule === null ? null : exclusionOf(rule, route),
      }));
    },
    refreshRules: () => filter.refresh(),
    secondsToTrial(route) {
      const shut = [valves.of(route.engine), valves.of(subjectOfRoute(route))];
      const waitsMs = shut.map((one) => (one === null ? 0 : one.retry_at - options.now()));
      return Math.max(0, ...waitsMs) / 1000;
    },
    route(model, mode, { account, multiplier, lane, rule }) {
      if (mode === 'test') return testRoute(model);
      // Under every policy, the state of the best route is the same.
      const first = inOrder(routes.usable(model, account), rankOf).find(
        (route) =>
          route.lane === lane &&
          fits(rule, route) &&
          (multiplier === null || costs.coversSomeOrder(model, route, multiplier, (one) => fits(rule, one))),
      );
      return first === undefined ? null : frozen(first, null);
    },
    floor: (model, multiplier, rule) => floors.of(model, multiplier, (route) => fits(rule, route)),
    usesOwnKey: (model, mode, account) => mode === 'live' && routes.usesOwnKey(model, account),
    routeFor(model, mode, request, needs) {
      if (mode === 'test') return { route: testRoute(model), faults: [], isBelowCost: false };
      const { account, keepTo = null, payment, rule = null } = needs;
      const keyed = needs.isKeyed ?? (keepTo === null ? undefined : isKeyed(keepTo));
      const usable = routes.usable(model, account, keyed).filter((route) => keepTo === null || route.engine === keepTo);
      const possible = rule === null ? usable : usable.filter((route) => exclusionOf(rule, route) === null);
      if (rule !== null && possible.length === 0 && usable.length > 0) {
        const reasons = usable.flatMap((route) => exclusionOf(rule, route) ?? []);
        return { route: null, faults: [excludedFault(model, reasons)], isBelowCost: false };
      }
      const pays = (route: CatalogRoute) => payment === null || !costs.isBelowCost(model, route, request, payment);
      const order = { model, request, payment, rule };
      if (policy === 'order' && payment?.allowsDearer !== true) {
        // The first route in the best state is chosen, so those behind it need not be judged.
        const first = inOrder(possible, rankOf).find(
          (route) => unsupportedFields(route, model, request).length === 0 && pays(route),
        );
        if (first !== undefined) return { route: frozen(first, rule), faults: [], isBelowCost: false };
      }
      const judged = possible.map((route) => ({ route, faults: unsupportedFields(route, model, request) }));
      const able = judged.filter(({ faults }) => faults.length === 0).map(({ route }) => route);
      const chosen = best(order, able.filter(pays));
      if (chosen !== undefined) {
        const why = () => whyNotCheaper(able.filter((one) => costs.dearerQuote(model, one, request, payment) === null));
        return { route: freeze(chosen, order, why), faults: [], isBelowCost: false };
      }
      if (able.length > 0) return { route: null, faults: [], isBelowCost: true };
      return { route: null, faults: nearestOf(judged, request)?.faults ?? [], isBelowCost: false };
    },
    nextRoute(model, request, { account, tried, keepTo, isKeyed, standings, notAt, payment, rule = null, whyDearer }) {
      const order = { model, request, payment, rule };
      const possible = routes
        .usable(model, account, isKeyed)
        .filter(
          (route) =>
            route.engine !== notAt &&
            fits(rule, route) &&
            standings.includes(standing(route.engine, route.model ?? null)) &&
            (keepTo === null || route.engine === keepTo) &&
            !tried.some((one) => one.engine === route.engine && one.model === (route.model ?? null)) &&
            unsupportedFields(route, model, request).length === 0 &&
            !costs.isBelowCost(model, route, request, payment),
        );
      const next = best(order, possible);
      return next === undefined ? null : freeze(next, order, () => whyDearer);
    },
    isGone: (route) => routes.isGone(route),
    endOf: (route) => routes.endOf(route),
    hasEnded(model, mode, account) {
      const configured = mode === 'live' ? routes.configured(model, account) : [];
      return configured.length > 0 && configured.every((route) => routes.isClosed(route));
    },
    lacksParts: (model, mode) =>
      (mode === 'test' ? [built] : model.routes).some(
        ({ engine }) => engines.has(engine) && !routes.canMake(engine, model),
      ),
    isPaused: (kind, name) => valves.pausedSince(kind, name) !== null,
    canCancel: (engine) =>
      (isKeyed(engine) ? instances?.kinds.get(withoutKey(engine)) : engines.get(engine))?.cancel !== undefined,
  };
}

/** An order that needs a route. */
interface OrderToRoute {
  readonly model: Model;
  readonly request: ResolvedRequest;
  /** Null: any cost is accepted. */
  readonly payment: Payment | null;
  readonly rule: RouteRule | null;
}

/** Returns routes in the order of their ranks, from the best. */
function inOrder(routes: readonly CatalogRoute[], rankOf: (route: CatalogRoute) => number): readonly CatalogRoute[] {
  if (routes.length <= 1) return routes;
  const ranked = routes.map((route) => ({ route, rank: rankOf(route) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ route }) => route);
}

interface JudgedRoute {
  readonly route: CatalogRoute;
  readonly faults: readonly Fault[];
}

/** Returns the route that lacks the least: it gives the caller the best advice on what to leave out. */
function nearestOf(judged: readonly JudgedRoute[], request: ResolvedRequest): JudgedRoute | undefined {
  const distance = ({ route, faults }: JudgedRoute) =>
    (isForSuchMedia(route, request) ? 0 : OTHER_MEDIA) + distanceOf(faults);
  return judged.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * Tells whether a route is for such media. A route for other media is for another kind of order, so its faults would
 * not help the caller.
 */
function isForSuchMedia({ when = {} }: CatalogRoute, request: ResolvedRequest): boolean {
  const onMedia = Object.entries(when).filter(([name]) => /^(mode|video_input)$|_urls?$/.test(name));
  return holds(Object.fromEntries(onMedia), lookUpIn(request));
}

/**
 * Returns the distance of a route from a request. A route for other values ranks below one that lacks a field, because
 * the caller may not have chosen the value.
 */
function distanceOf(faults: readonly Fault[]): number {
  return faults.reduce((sum, { code }) => sum + (code === 'unsupported_field' ? 1 : 2), 0);
}

/** Names what excludes each route of a model from an order. */
function excludedFault({ model_id }: Model, reasons: readonly string[]): Fault {
  const named = [...new Set(reasons)].join('; ');
  const message = `data: no upstream of ${model_id} fits the rule of this order (${named}).`;
  return { param: 'data', code: 'unsupported_value', message };
}

function frozen({ engine, model, parameters, fixed, delivers }: CatalogRoute, rule: RouteRule | null): Route {
  return {
    engine,
    model: model ?? null,
    parameters: parameters ?? null,
    fixed: (fixed ?? {}) as JsonObject,
    ...(delivers === undefined ? {} : { delivers }),
    ...(rule === null ? {} : { rule }),
  };
}
