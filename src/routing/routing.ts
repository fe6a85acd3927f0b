import { type Fault, type JsonObject, world } from '@darkroom-service/contract';
import {
  type CatalogRoute,
  holds,
  lookUpIn,
  type Model,
  type ResolvedRequest,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { DEFAULT_INSTANCE, type Engine, kindOf } from '@darkroom-service/engines';
import { canServe, isFreeEngine } from '../catalog/can-serve.ts';
import { isOver } from '../catalog/ends.ts';
import { coversSomeOrder } from '../catalog/pricing/below-cost.ts';
import { expectedCost, greatestCost } from '../catalog/pricing/order-cost.ts';
import { costMultiplier, mayLose, NO_TERMS, type Terms } from '../catalog/pricing/terms.ts';
import { unsupportedFields } from '../catalog/route-coverage.ts';
import { isKeyed, withoutKey } from '../record/owned-instance.ts';
import type { EngineStatus, Payment, Route, Routing } from '../record/route.ts';
import type { ModelLists } from './model-lists.ts';
import type { OwnedInstances } from './owned-instances.ts';
import { instancesFor, pickRoute, type RoutePolicy } from './pick-route.ts';
import { isLasting, isOutage, stateOf, subjectOfRoute } from './valve.ts';
import type { Valves } from './valves.ts';

/** Engine for all orders of test keys. */
const BUILT_IN_ENGINE = 'sketch';
const OTHER_MEDIA = 1000;
/** States from the best for a new order to the worst. */
const PREFERRED: readonly EngineStatus[] = ['ready', 'throttled', 'interrupted', 'refusing', 'paused'];

/**
 * Chooses the engine of an order by the configured engines, their valves and the operator's policy.
 * @param options.live the only engines for live orders; null = any. Test keys always have the built-in engine.
 * @param options.lists the upstreams' lists of models; a route whose model is gone is not used
 * @param options.now the clock of the valves, in ms
 * @param options.secondsOf the measured median duration of a model's orders at an engine, in seconds
 */
export function createRouting(
  engines: ReadonlyMap<string, Engine>,
  valves: Pick<Valves, 'of' | 'isPaused'>,
  options: {
    readonly live: readonly string[] | null;
    readonly now: () => number;
    readonly lists?: Pick<ModelLists, 'isGone'>;
    /** The engines of accounts. */
    readonly instances?: Pick<OwnedInstances, 'of' | 'kinds'>;
    readonly policy?: RoutePolicy;
    /** The operator's costs, and the models that may be sold below cost. */
    readonly terms?: Pick<Terms, 'costs' | 'belowCost'>;
    readonly secondsOf?: (modelId: string, engine: string) => number | null;
    /** Returns a number from 0 up to 1. */
    readonly random?: () => number;
  },
): Routing {
  const { policy = 'order', random = () => world.random(), terms = NO_TERMS } = options;
  const { instances } = options;
  /** Tells whether a model is gone. The list read with the operator's key applies to all keys. */
  const isGone: Routing['isGone'] = ({ engine, model = null }) =>
    options.lists?.isGone({ engine: withoutKey(engine), model }) === true;
  const canUse = (engine: Engine, route: CatalogRoute) =>
    options.live?.includes(engine.name) !== false && canServe(engine, route);
  const byKind = Map.groupBy(engines.values(), kindOf);
  /** Returns the routes in the order of the catalog, each with its instances in the order of the configuration. */
  const instanceRoutesOf = (model: Model, account: string | null): readonly CatalogRoute[] =>
    model.routes.flatMap((route) =>
      instancesFor(byKind.get(route.engine) ?? [], account)
        .filter((engine) => canUse(engine, route))
        .map(({ name }) => (name === route.engine ? route : { ...route, engine: name })),
    );
  const canMake = (engine: string, { type }: Model) => engines.get(engine)?.makes?.(type) !== false;
  const isClosed = (route: CatalogRoute) => isOver(route, options.now()) || isGone(route);
  /** Returns the routes to engines of the account. */
  const keyedRoutesOf = (model: Model, account: string | null): readonly CatalogRoute[] => {
    const owned = account === null ? undefined : instances?.of(account);
    if (owned === undefined || owned.size === 0) return [];
    return model.routes.flatMap((route) => {
      const [name, kind] = [owned.get(route.engine), instances?.kinds.get(route.engine)];
      return name !== undefined && kind !== undefined && canUse(kind, route) ? [{ ...route, engine: name }] : [];
    });
  };
  const usesOwnKey = (model: Model, account: string | null) => keyedRoutesOf(model, account).length > 0;
  const configuredRoutesOf = (model: Model, account: string | null, isKeyed = usesOwnKey(model, account)) =>
    isKeyed ? keyedRoutesOf(model, account) : instanceRoutesOf(model, account);
  const routesOf = (model: Model, account: string | null, isKeyed?: boolean) =>
    configuredRoutesOf(model, account, isKeyed).filter((route) => !isClosed(route) && canMake(route.engine, model));
  const built = frozen({ engine: BUILT_IN_ENGINE });
  const testRoute = (model: Model) => (engines.has(BUILT_IN_ENGINE) && canMake(BUILT_IN_ENGINE, model) ? built : null);

  function standing(engine: string, model?: string | null): EngineStatus {
    if (valves.isPaused('engine', engine)) return 'paused';
    const route = model === undefined ? null : valves.of(subjectOfRoute({ engine, model }));
    if (route !== null && stateOf(route, options.now()) === 'shut') return 'refusing';
    const shut = valves.of(engine);
    // The next order is the test order.
    if (shut === null || stateOf(shut, options.now()) === 'on_trial') return 'ready';
    if (isLasting(shut.fault)) return 'refusing';
    return isOutage(shut) ? 'interrupted' : 'throttled';
  }
  const rankOf = ({ engine, model }: CatalogRoute) => PREFERRED.indexOf(standing(engine, model ?? null));
  /** Returns routes in the order of their states, from the best. */
  const inOrder = (routes: readonly CatalogRoute[]) => {
    if (routes.length <= 1) return routes;
    const ranked = routes.map((route) => ({ route, rank: rankOf(route) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ route }) => route);
  };
  const weightOf = ({ engine }: CatalogRoute) => engines.get(engine)?.instance?.weight ?? DEFAULT_INSTANCE.weight;
  const costMultiplierOf = ({ engine: name }: CatalogRoute) => {
    const engine = engines.get(name);
    return costMultiplier(terms, { name, kind: kindOf(engine ?? { name }) });
  };
  /**
   * Tells whether orders of a route can cost the operator more than they pay: not if they are free for the operator, or
   * if the operator allows it.
   */
  const canLose = (model: Model, { engine: name }: CatalogRoute) => {
    const engine = engines.get(name);
    return engine !== undefined && !isKeyed(name) && !isFreeEngine(engine) && !mayLose(terms, model.model_id);
  };
  const isBelowCost = (model: Model, route: CatalogRoute, request: ResolvedRequest, payment: Payment) => {
    const stated = statedCost(route);
    if (stated === undefined || !canLose(model, route)) return false;
    const cost = greatestCost(model, stated, request, payment.measurements, costMultiplierOf(route));
    return cost !== null && cost > payment.amount();
  };
  const best = (model: Model, request: ResolvedRequest, routes: readonly CatalogRoute[]) => {
    const secondsOf = ({ engine }: CatalogRoute) => options.secondsOf?.(model.model_id, engine) ?? null;
    const costOf = (route: CatalogRoute) => expectedCost(statedCost(route), request, [], costMultiplierOf(route));
    return pickRoute(routes, policy, { rankOf, weightOf, secondsOf, costOf }, random());
  };

  return {
    standing,
    secondsToTrial(route) {
      const shut = [valves.of(route.engine), valves.of(subjectOfRoute(route))];
      const waitsMs = shut.map((one) => (one === null ? 0 : one.retry_at - options.now()));
      return Math.max(0, ...waitsMs) / 1000;
    },
    route(model, mode, { account, multiplier, lane }) {
      if (mode === 'test') return testRoute(model);
      // Under every policy, the state of the best route is the same.
      const [first] = routesOf(model, account)
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .filter(
          (route) =>
            route.lane === lane &&
            (multiplier === null ||
              !canLose(model, route) ||
              coversSomeOrder(model, route, { price: multiplier, cost: costMultiplierOf(route) })),
        );
      return first === undefined ? null : frozen(first);
    },
    usesOwnKey: (model, mode, account) => mode === 'live' && usesOwnKey(model, account),
    routeFor(model, mode, request, wish) {
      if (mode === 'test') return { route: testRoute(model), faults: [], isBelowCost: false };
      const { account, keepTo = null, payment } = wish;
      const keyed = wish.isKeyed ?? (keepTo === null ? undefined : isKeyed(keepTo));
      const possible = routesOf(model, account, keyed).filter((route) => keepTo === null || route.engine === keepTo);
      const pays = (route: CatalogRoute) => payment === null || !isBelowCost(model, route, request, payment);
      if (policy === 'order') {
        // The first route in the best state is chosen, so those behind it need not be judged.
        const first = inOrder(possible).find(
          (route) => unsupportedFields(route, model, request).length === 0 && pays(route),
        );
        if (first !== undefined) return { route: frozen(first), faults: [], isBelowCost: false };
      }
      const judged = possible.map((route) => ({ route, faults: unsupportedFields(route, model, request) }));
      const able = judged.filter(({ faults }) => faults.length === 0).map(({ route }) => route);
      const chosen = best(model, request, able.filter(pays));
      if (chosen !== undefined) return { route: frozen(chosen), faults: [], isBelowCost: false };
      if (able.length > 0) return { route: null, faults: [], isBelowCost: true };
      // The route that lacks the least gives the caller the best advice on what to leave out.
      const distance = ({ route, faults }: (typeof judged)[number]) =>
        (isForSuchMedia(route, request) ? 0 : OTHER_MEDIA) + distanceOf(faults);
      const [nearest] = judged.sort((a, b) => distance(a) - distance(b));
      return { route: null, faults: nearest?.faults ?? [], isBelowCost: false };
    },
    nextRoute(model, request, { account, tried, keepTo, isKeyed, standings, notAt, payment }) {
      const next = best(
        model,
        request,
        routesOf(model, account, isKeyed).filter(
          (route) =>
            route.engine !== notAt &&
            standings.includes(standing(route.engine, route.model ?? null)) &&
            (keepTo === null || route.engine === keepTo) &&
            !tried.some((one) => one.engine === route.engine && one.model === (route.model ?? null)) &&
            unsupportedFields(route, model, request).length === 0 &&
            !isBelowCost(model, route, request, payment),
        ),
      );
      return next === undefined ? null : frozen(next);
    },
    isGone,
    hasEnded(model, mode, account) {
      const routes = mode === 'live' ? configuredRoutesOf(model, account) : [];
      return routes.length > 0 && routes.every(isClosed);
    },
    lacksParts: (model, mode) =>
      (mode === 'test' ? [built] : model.routes).some(({ engine }) => engines.has(engine) && !canMake(engine, model)),
    isPaused: (kind, name) => valves.isPaused(kind, name),
    canCancel: (engine) =>
      (isKeyed(engine) ? instances?.kinds.get(withoutKey(engine)) : engines.get(engine))?.cancel !== undefined,
  };
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

function frozen({ engine, model, parameters, fixed, delivers }: CatalogRoute): Route {
  return {
    engine,
    model: model ?? null,
    parameters: parameters ?? null,
    fixed: (fixed ?? {}) as JsonObject,
    ...(delivers === undefined ? {} : { delivers }),
  };
}
