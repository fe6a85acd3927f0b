import { isoTime, type ModelReport } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { MeasuredRoutes } from './reports/measured-routes.ts';

/** An engine or a model that an operator has paused. */
export type SwitchView = Awaited<ReturnType<Kernel['engines']['valves']['listPaused']>>[number];

type ModelChecks = Pick<Kernel['checks'], 'models' | 'routes' | 'liveRoute' | 'isSold'>;

/** Reports every model of the catalog. */
export async function reportModels(
  { checks, engines: { valves } }: Pick<Kernel, 'checks' | 'engines'>,
  measured: MeasuredRoutes,
): Promise<ModelReport[]> {
  const switchedOff = await valves.listPaused();
  const pausedEngines = new Set(switchedOff.filter(({ kind }) => kind === 'engine').map(({ name }) => name));
  const entries = new Map((await checks.models()).map((entry) => [entry.model_id, entry] as const));
  return (await checks.routes()).map(({ model, routes: found }) => {
    const entry = entries.get(model.model_id);
    const routes = found.map(({ isOver: _isOver, setting: _setting, ...route }) => ({
      ...route,
      measured: measured.of({ engine: route.engine, model: route.model }, model.model_id),
      paused: pausedEngines.has(route.engine),
    }));
    const pause = switchedOff.find(({ kind, name }) => kind === 'model' && name === model.model_id);
    const live = entry?.availability.live ?? false;
    return {
      model_id: model.model_id,
      name: model.name,
      vendor: model.vendor,
      type: model.type,
      status: entry?.status ?? model.status,
      availability: { live, test: entry?.availability.test ?? false },
      routes,
      not_live_because: live ? null : explain(checks, model, { routes: found, pause, pausedEngines }),
      paused: pause !== undefined,
      paused_at: pause === undefined ? null : isoTime(Date.parse(pause.paused_at)),
      reason: pause?.reason ?? null,
    };
  });
}

function explain(
  checks: ModelChecks,
  model: Model,
  found: {
    readonly routes: Awaited<ReturnType<ModelChecks['routes']>>[number]['routes'];
    readonly pause: SwitchView | undefined;
    readonly pausedEngines: ReadonlySet<string>;
  },
): string {
  const { routes, pause, pausedEngines } = found;
  const because = (reason: string | null) => (reason === null ? '' : `: ${reason}`);
  if (pause !== undefined) return `The model is paused${because(pause.reason)}. Resume it to take orders again.`;
  if (routes.length === 0) return 'No route is known for it. Add one to its entry in the catalog.';
  const engines = [...new Set(routes.map(({ engine }) => engine))];
  if (!routes.some(({ configured }) => configured)) {
    const switches = [...new Set(routes.flatMap(({ setting }) => setting ?? []))];
    if (switches.length === 0)
      return `It waits for an engine that does not exist yet (${engines.join(', ')}), or for a route of another one in the catalog.`;
    return `None of its engines is set up. Set one of these and start again: ${switches.join(', ')}.`;
  }
  const open = routes.filter(({ configured, gone }) => configured && !gone);
  if (open.length > 0 && open.every(({ isOver }) => isOver)) {
    const successor = model.replaced_by === null ? '' : ` Its successor is ${model.replaced_by}.`;
    return `Its upstream has ended it. Give it another route in the catalog.${successor}`;
  }
  if (open.length === 0)
    return 'Its upstream no longer lists the model, so it is probably retired there. Give it another route in the catalog.';
  const { engine, lacksParts, standing } = checks.liveRoute(model);
  if (engine === null && lacksParts)
    return `This installation lacks a part that ${engines.join(', ')} needs for it. Run darkroom doctor, which names the part and what to do.`;
  if (engine === null)
    return `The engine is there, but its route does not say how orders are put, or DARKROOM_ENGINES leaves it out: ${engines.join(', ')}.`;
  if (pausedEngines.has(engine)) return `The engine ${engine} is paused. Resume it to take orders again.`;
  if (!checks.isSold(model)) {
    const losses = routes.flatMap(({ configured, cost }) => (configured ? (cost?.below?.loss ?? []) : []));
    return `Its orders cost more than their price: ${losses.join('. ')}.`;
  }
  if (standing === 'refusing')
    return `The upstream of ${engine} wants another key or money. Mend that, then close its circuit.`;
  if (standing === 'interrupted') return `The upstream of ${engine} fails at the moment. Orders are taken and wait.`;
  return 'Its engine does not take orders at the moment.';
}
