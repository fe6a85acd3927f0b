import { isoTime } from '../base/clock.ts';
import type { Model } from '../catalog/model.ts';
import type { Session } from '../database/database.ts';
import type { Desk } from './desk.ts';
import { publicModels } from './model-list.ts';
import { listSwitches, type SwitchView } from './switches.ts';

/** A model as an operator sees it: who could make it, and why nobody does. */
export interface ModelReport {
  readonly model_id: string;
  readonly name: string;
  readonly vendor: string;
  readonly type: 'image' | 'video';
  readonly status: Model['status'];
  readonly availability: { readonly live: boolean; readonly test: boolean };
  /** In the order in which they are tried. */
  readonly routes: readonly {
    readonly engine: string;
    readonly model: string | null;
    readonly configured: boolean;
    readonly paused: boolean;
  }[];
  /** A sentence on why live orders are refused; null while they are taken. */
  readonly not_live_because: string | null;
  readonly paused: boolean;
  readonly paused_at: string | null;
  readonly reason: string | null;
}

/** The engines that there are. */
export interface KnownEngines {
  /** Those that are configured. */
  readonly engineNames: readonly string[];
  /** The variable that switches each on, by its name. */
  readonly engineSwitches: Readonly<Record<string, string>>;
}

/** Every model of the catalog. */
export async function reportModels(
  desk: Desk,
  session: Session,
  { engineNames, engineSwitches }: KnownEngines,
): Promise<ModelReport[]> {
  const switches = await listSwitches(session);
  const pausedEngines = new Set(switches.filter(({ kind }) => kind === 'engine').map(({ name }) => name));
  const entries = new Map(
    publicModels(desk, { hideUnavailable: false }).map((entry) => [entry.model_id, entry] as const),
  );
  return desk.catalog().models.map((model) => {
    const entry = entries.get(model.model_id);
    const routes = model.routes.map((route) => ({
      engine: route.engine,
      model: route.model ?? null,
      configured: engineNames.includes(route.engine),
      paused: pausedEngines.has(route.engine),
    }));
    const pause = switches.find(({ kind, name }) => kind === 'model' && name === model.model_id);
    const live = entry?.availability.live ?? false;
    return {
      model_id: model.model_id,
      name: model.name,
      vendor: model.vendor,
      type: model.type,
      status: entry?.status ?? model.status,
      availability: { live, test: true },
      routes,
      not_live_because: live ? null : explain(desk, model, { routes, pause, pausedEngines, engineSwitches }),
      paused: pause !== undefined,
      paused_at: pause === undefined ? null : isoTime(Date.parse(pause.paused_at)),
      reason: pause?.reason ?? null,
    };
  });
}

function explain(
  desk: Desk,
  model: Model,
  found: {
    readonly routes: ModelReport['routes'];
    readonly pause: SwitchView | undefined;
    readonly pausedEngines: ReadonlySet<string>;
    readonly engineSwitches: KnownEngines['engineSwitches'];
  },
): string {
  const { routes, pause, pausedEngines, engineSwitches } = found;
  const because = (reason: string | null) => (reason === null ? '' : `: ${reason}`);
  if (pause !== undefined) return `The model is paused${because(pause.reason)}. Resume it to take orders again.`;
  if (routes.length === 0) return 'No route is known for it. Add one to its entry in the catalog.';
  const engines = [...new Set(routes.map(({ engine }) => engine))];
  if (!routes.some(({ configured }) => configured)) {
    const switches = engines.flatMap((engine) => engineSwitches[engine] ?? []);
    if (switches.length === 0)
      return `It waits for an engine that does not exist yet (${engines.join(', ')}), or for a route of another one in the catalog.`;
    return `None of its engines is set up. Set one of these and start again: ${switches.join(', ')}.`;
  }
  const chosen = desk.routing.route(model, 'live');
  if (chosen === null)
    return `The engine is there, but its route does not say how orders are put, or DARKROOM_ENGINES leaves it out: ${engines.join(', ')}.`;
  if (pausedEngines.has(chosen.engine)) return `The engine ${chosen.engine} is paused. Resume it to take orders again.`;
  const standing = desk.routing.standing(chosen.engine);
  if (standing === 'refusing')
    return `The upstream of ${chosen.engine} wants another key or money. Mend that, then close its circuit.`;
  if (standing === 'interrupted')
    return `The upstream of ${chosen.engine} fails at the moment. Orders are taken and wait.`;
  return 'Its engine does not take orders at the moment.';
}
