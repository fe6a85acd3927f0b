import type { CircuitView, Clock, RouteCircuitView } from '@darkroom-service/contract';
import type { Act } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import { withoutKey } from '../record/owned-instance.ts';
import type { OwnedInstances } from './owned-instances.ts';
import { listSwitchedOff, pause, resume, type SwitchKind, type SwitchView } from './switched-off.ts';
import { EVERY_CAUSE, isOutage, subjectOfRoute, viewCircuit, viewRouteCircuit } from './valve.ts';
import type { Valves } from './valves.ts';

/** The valves as operators and customers see and change them. */
export interface OperatedValves extends Pick<Valves, 'beginning' | 'isPaused' | 'refresh'> {
  /** Returns the state of an engine's circuit. */
  view(engine: string): CircuitView;
  /** Returns the shut circuits of an engine's models. */
  viewRoutes(engine: string): RouteCircuitView[];
  /** Returns the obstacle to orders of a route: at its engine, or else at its upstream model; null = none. */
  troubleOf(route: {
    readonly engine: string;
    readonly model: string | null;
  }): { readonly since: number; readonly reason: string } | null;
  /** Returns the reason why an engine fails; null = it works, or is only rate-limited. */
  failureOf(engine: string): string | null;
  /** Opens the valves of an engine and of its models by hand, unless an operator switched it off. */
  open(engine: string, by: Act): Promise<void>;
  /** Opens the valves because the engine gets no orders any more: the waiting orders go elsewhere. */
  abandon(engine: string): Promise<void>;
  /** Lists the engines and models that an operator has switched off. */
  listPaused(): Promise<SwitchView[]>;
  /** Refuses new orders; running ones continue. Pausing again replaces the reason. */
  pause(
    by: Act,
    target: { readonly kind: SwitchKind; readonly name: string; readonly reason: string | null },
  ): Promise<void>;
  /** Accepts orders again, slowly at first at engines where a lost submission cannot be repeated. */
  resume(by: Act, target: { readonly kind: SwitchKind; readonly name: string }): Promise<void>;
}

/** Lets operators and customers see and change valves. */
export function operateValves(
  valves: Valves,
  {
    database,
    clock,
    instances,
  }: {
    readonly database: Database;
    readonly clock: Clock;
    readonly instances: Pick<OwnedInstances, 'inUse'>;
  },
): OperatedValves {
  return {
    beginning: (engine) => valves.beginning(engine),
    isPaused: (kind, name) => valves.isPaused(kind, name),
    refresh: () => valves.refresh(),
    view: (engine) => viewCircuit(valves.of(engine), clock.now()),
    viewRoutes: (engine) => valves.routesOf(engine).map(viewRouteCircuit),
    troubleOf(route) {
      const shut = valves.of(route.engine) ?? valves.of(subjectOfRoute(route));
      return shut === null ? null : { since: shut.since, reason: shut.message };
    },
    failureOf(engine) {
      const shut = valves.of(engine);
      return shut !== null && isOutage(shut) ? shut.message : null;
    },
    open: (engine, by) => valves.open(engine, by),
    async abandon(engine) {
      for (const subject of [engine, ...valves.routesOf(engine).map((route) => route.subject)])
        await valves.back(subject, EVERY_CAUSE);
    },
    listPaused: () => listSwitchedOff(database.read),
    pause: (by, target) => pause(database, by, target),
    async resume(by, target) {
      const { kind, name } = target;
      // Before any process may claim.
      if (kind === 'engine' && valves.isPaused(kind, name)) await beginSlowly(name);
      await resume(database, by, target);
    },
  };

  /** Makes orders begin slowly, also at the engines of accounts, whose orders have waited too. */
  async function beginSlowly(engine: string): Promise<void> {
    const owned = (await instances.inUse()).map(({ name }) => name).filter((name) => withoutKey(name) === engine);
    for (const name of [engine, ...owned]) await valves.beginSlowly(name, 'it was paused');
  }
}
