import type { CatalogEntry, ModelReport, ProcessView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { enginesOn } from '../../catalog/can-serve.ts';
import { describeEnd, earlierEnd, findEnds, isOver } from '../../catalog/ends.ts';
import {
  describeLoss,
  describeUnknownCosts,
  findThinMargins,
  reportCost,
  searchCosts,
} from '../../catalog/pricing/margins.ts';
import { installationMultiplier } from '../../catalog/pricing/terms.ts';
import { REASONS, readInstallation, suspensionOf } from '../../installation/suspension.ts';
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
import { listProcesses, readSilences } from './processes.ts';
import { areAsynchronous, readStandbys, type Standby } from './standbys.ts';

/** State of the whole service as the core knows it, for reports and monitoring. Each call reads it again. */
export interface Checks {
  /** Reads every open order once, in portions: a large backlog takes seconds. */
  backlog(): Promise<Backlog>;
  /** Lists the processes, the newest first, with those that crashed within a day. */
  processes(): Promise<ProcessView[]>;
  /** Returns for open orders their positions in the queue, the orders that they wait for, and the silent processes. */
  waits(orders: readonly OpenOrder[]): Promise<Waits>;
  /** Lists the connected standbys of the PostgreSQL server. */
  standbys(): Promise<Standbys>;
  /** Returns the reasons why nothing is sent, and why files without a row are not removed; null = none. */
  stops(): Promise<{ readonly held: string | null; readonly sweep: string | null }>;
  /** Lists the engines and upstream models that fail, with the gravest cause of each. */
  outages(): Promise<readonly UpstreamOutage[]>;
  /** Finds the routes with the operator's keys at which orders cost more than their price, or an unknown amount. */
  margins(): Promise<Margins>;
  /** Finds the routes with the operator's keys that end within 30 days, or that their upstream no longer lists. */
  ends(): readonly RouteNote[];
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

/** Standbys of the database. */
interface Standbys {
  readonly found: readonly Standby[];
  /** Whether a failover could lose commits. */
  readonly areAsynchronous: boolean;
  /** Whether the address of the database names several servers. */
  readonly areExpected: boolean;
}

/** Losses and unknown costs of routes. */
interface Margins {
  readonly losses: readonly (RouteNote & { readonly isSold: boolean })[];
  /** Sentences about unknown costs, by engine. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** A route, with a note for operators. */
interface RouteNote {
  readonly modelId: string;
  /** The name of the instance. */
  readonly engine: string;
  readonly words: string;
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
    async standbys() {
      const found = await readStandbys(database);
      return { found, areAsynchronous: areAsynchronous(found), areExpected: expectsStandbys };
    },
    async stops() {
      const row = await readInstallation(read);
      const suspension = suspensionOf(row);
      return { held: suspension === null ? null : REASONS[suspension.cause], sweep: row?.sweep_stopped ?? null };
    },
    outages: () => listOutages(read, clock.now()),
    async margins() {
      const margins = await findThinMargins(catalog().models, enginesOn(engines, only), terms, (model) =>
        routing.floor(model, '1', null),
      );
      const losses = margins.flatMap((found) => {
        if (found.below === null) return [];
        const { model, engine, isSold } = found;
        return [{ modelId: model.model_id, engine, isSold, words: describeLoss(found) }];
      });
      return { losses, unknown: describeUnknownCosts(margins) };
    },
    ends: () =>
      findEnds(catalog().models, enginesOn(engines, only), routing, clock.now()).map((end) => ({
        modelId: end.model.model_id,
        engine: end.engine,
        words: describeEnd(end),
      })),
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
