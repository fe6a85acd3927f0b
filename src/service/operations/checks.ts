import type { CatalogEntry, ModelReport, ProcessView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { enginesOn } from '../../catalog/can-serve.ts';
import { earlierEnd, findEnds, isOver } from '../../catalog/ends.ts';
import { findThinMargins, reportCost, searchCosts } from '../../catalog/pricing/margins.ts';
import { installationMultiplier } from '../../catalog/pricing/terms.ts';
import { readInstallation } from '../../installation/suspension.ts';
import { mayCancel } from '../../orders/cancel-task.ts';
import { publicModels } from '../../orders/model-list.ts';
import { deadlineMsAt } from '../../record/order-times.ts';
import type { TaskRow } from '../../record/task.ts';
import { listOutages, type UpstreamOutage } from '../../routing/stored-valves.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { queuePosition } from '../../views/find-tasks.ts';
import { readWaitingFor } from '../../views/task-view.ts';
import { ENGINE_SWITCHES } from '../config/engine-variables.ts';
import { type Backlog, readBacklog } from './backlog.ts';
import {
  type LookedAt,
  problemsOfEnds,
  problemsOfInstallation,
  problemsOfMargins,
  problemsOfProcesses,
  problemsOfStandbys,
} from './problems.ts';
import { listProcesses, readSilences } from './processes.ts';
import { readStandbys, type Standby } from './standbys.ts';

/** State of the whole service as the core knows it, for reports and monitoring. Each call reads it again. */
export interface Checks {
  /** Reads every open order once, in portions: a large backlog takes seconds. */
  backlog(): Promise<Backlog>;
  /** Lists the processes, the newest first, with those that crashed within a day. */
  processes(): Promise<ProcessView[]>;
  /** Returns for open orders their positions in the queue, the orders that they wait for, and the silent processes. */
  waits(orders: readonly OpenOrder[]): Promise<Waits>;
  /** Lists the connected standbys of the PostgreSQL server. */
  standbys(): Promise<readonly Standby[]>;
  /** The parts of the installation that are looked at for problems, for all processes at once. */
  readonly parts: readonly LookedAt[];
  /** Lists the engines and upstream models that fail, with the gravest cause of each. */
  outages(): Promise<readonly UpstreamOutage[]>;
  /** Returns the models as everybody sees them, at the installation's prices. */
  models(): Promise<readonly CatalogEntry[]>;
  /**
   * Reports the routes of every model of the catalog: one for each configured instance of its kind of engine. Lets
   * other work run meanwhile.
   */
  routes(): Promise<readonly { readonly model: Model; readonly routes: readonly RouteReport[] }[]>;
  /** Finds the route that takes live orders of a model, at whatever cost, and the state of its upstream. */
  liveRoute(model: Model): LiveRoute;
  /** Returns the time of an engine's orders from their entry into the queue to their hard deadline, in milliseconds. */
  deadlineMs(engine: string): number;
  /** Tells whether a cancellation would change an order that is not final. */
  mayCancel(order: Parameters<typeof mayCancel>[1]): boolean;
  /** Tells whether some route takes live orders of a model at the installation's prices. */
  isSold(model: Model): boolean;
}

type OpenOrder = Pick<TaskRow, 'api_key_id'> & Parameters<typeof queuePosition>[2];

/** Reasons in the service why orders wait, by order. */
interface Waits {
  /** Position in the queue by order: 1 = next; null = not in the queue, or behind more than a hundred. */
  readonly positions: ReadonlyMap<string, number | null>;
  /** The orders that must end before it. */
  readonly waitingFor: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds of silence of each process that has ended or fallen silent. */
  readonly silences: ReadonlyMap<string, number>;
}

/** A route of a model as the catalog and the engines have it. */
interface RouteReport extends Omit<ModelReport['routes'][number], 'measured' | 'paused'> {
  readonly isOver: boolean;
  /** Variable that configures the engine; null = it does not exist yet. */
  readonly setting: string | null;
}

/** The route that takes live orders of a model. */
interface LiveRoute {
  /** Name of the engine; null = no route takes live orders. */
  readonly engine: string | null;
  /** Whether this installation lacks a part that the model needs. */
  readonly lacksParts: boolean;
  /** State of the upstream; null without a route. */
  readonly standing: ReturnType<TaskServices['routing']['standing']> | null;
}

/**
 * Creates the checks.
 * @param only the engines that take live orders; null = all
 * @param expectsStandbys whether the address of the database names several servers
 */
export function createChecks(
  services: Pick<
    TaskServices,
    'database' | 'clock' | 'obstacles' | 'catalog' | 'routing' | 'settings' | 'typicalSeconds' | 'parentGate'
  >,
  engines: ReadonlyMap<string, Engine>,
  only: readonly string[] | null,
  expectsStandbys = false,
): Checks {
  const { database, clock, catalog, routing, settings } = services;
  const { read } = database;
  const { terms } = settings;
  const placesOf = (model: Model) =>
    model.routes.flatMap((route) => {
      const names = [...engines.values()].filter((one) => kindOf(one) === route.engine).map(({ name }) => name);
      const configured = names.length > 0;
      return (configured ? names : [route.engine]).map((engine) => ({ model, route, engine, configured }));
    });
  const routesOf = (model: Model): RouteReport[] =>
    placesOf(model).map(({ route, engine, configured }) => {
      const end = earlierEnd(route.sunset_at, routing.endOf({ engine, model: route.model ?? null }));
      return {
        engine,
        model: route.model ?? null,
        cost: reportCost(terms, model, route, engine, routing.floor(model, '1', null)),
        configured,
        gone: routing.isGone({ engine, model: route.model ?? null }),
        deprecated_at: route.deprecated_at ?? null,
        sunset_at: end,
        replaced_by: route.replaced_by ?? null,
        isOver: isOver({ sunset_at: end }, clock.now()),
        setting: ENGINE_SWITCHES[engine] ?? null,
      };
    });
  const parts: LookedAt[] = [
    {
      what: 'prices',
      kinds: ['below_cost', 'unknown_cost'],
      async look() {
        const floorOf = (model: Model) => routing.floor(model, '1', null);
        return problemsOfMargins(await findThinMargins(catalog().models, enginesOn(engines, only), terms, floorOf));
      },
    },
    {
      what: 'ends of models',
      kinds: ['model_ends'],
      look: async () => problemsOfEnds(findEnds(catalog().models, enginesOn(engines, only), routing, clock.now())),
    },
    {
      what: 'processes',
      kinds: ['process_silent', 'process_apart'],
      look: async () => problemsOfProcesses(await listProcesses(read)),
    },
    {
      what: 'standbys',
      kinds: ['standby_behind', 'standby_asynchronous'],
      look: async () => problemsOfStandbys(await readStandbys(database), expectsStandbys),
    },
    {
      what: 'hold and sweep',
      kinds: ['held', 'sweep_stopped'],
      look: async () => problemsOfInstallation(await readInstallation(read)),
    },
  ];
  return {
    backlog: () => readBacklog(read, { ...settings, now: clock.now() }),
    processes: () => listProcesses(read),
    async waits(orders) {
      const positions = orders.map(
        async (order) => [order.id, await queuePosition(read, order.api_key_id, order)] as const,
      );
      return {
        silences: await readSilences(read),
        positions: new Map(await Promise.all(positions)),
        waitingFor: await readWaitingFor(services, read, orders),
      };
    },
    standbys: () => readStandbys(database),
    parts,
    outages: () => listOutages(read, clock.now()),
    models: () => publicModels(services, { hideUnavailable: false }),
    async routes() {
      const { models } = catalog();
      await searchCosts(terms, models.flatMap(placesOf));
      return models.map((model) => ({ model, routes: routesOf(model) }));
    },
    liveRoute(model) {
      const chosen = routing.route(model, 'live', { account: null, multiplier: null });
      return {
        engine: chosen?.engine ?? null,
        lacksParts: routing.lacksParts(model, 'live'),
        standing: chosen === null ? null : routing.standing(chosen.engine, chosen.model),
      };
    },
    deadlineMs: (engine) => deadlineMsAt(settings, engine),
    mayCancel: (order) => mayCancel(services, order),
    isSold: (model) =>
      routing.route(model, 'live', { account: null, multiplier: installationMultiplier(terms, model) }) !== null,
  };
}
