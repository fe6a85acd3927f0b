import { formatMicros, isoTime, type ModelReport, systemClock } from '@darkroom-service/contract';
import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { isOver } from '../../catalog/ends.ts';
import { orderBelowCost } from '../../catalog/pricing/below-cost.ts';
import { describeLoss, unknownCost } from '../../catalog/pricing/margins.ts';
import { costMultiplier, installationMultiplier, mayLose, type Terms } from '../../catalog/pricing/terms.ts';
import type { Session, TaskServices } from '../../kernel.ts';
import { publicModels } from '../../kernel-views.ts';
import { listSwitchedOff, type SwitchView } from '../../routing/switched-off.ts';
import type { MeasuredRoutes } from './reports/measured-routes.ts';

/** All engines known to the service. */
interface KnownEngines {
  /** The configured ones. */
  readonly engineNames: readonly string[];
  /** Returns the configured instances of a kind of engine. */
  readonly instancesOf: (kind: string) => readonly string[];
  /** The variable that switches each engine on, by engine name. */
  readonly engineSwitches: Readonly<Record<string, string>>;
}

/** Reports every model of the catalog. */
export async function reportModels(
  services: Pick<TaskServices, 'catalog' | 'routing' | 'settings' | 'typicalSeconds'>,
  session: Session,
  { instancesOf, engineSwitches }: KnownEngines,
  measured: MeasuredRoutes,
): Promise<ModelReport[]> {
  const switchedOff = await listSwitchedOff(session);
  const pausedEngines = new Set(switchedOff.filter(({ kind }) => kind === 'engine').map(({ name }) => name));
  const entries = new Map(
    (await publicModels(services, { hideUnavailable: false })).map((entry) => [entry.model_id, entry] as const),
  );
  return services.catalog().models.map((model) => {
    const entry = entries.get(model.model_id);
    const routes = model.routes.flatMap((route) => {
      const instances = instancesOf(route.engine);
      return (instances.length === 0 ? [route.engine] : instances).map((engine) => ({
        engine,
        model: route.model ?? null,
        cost: priceListOf(services.settings.terms, model, route, engine),
        measured: measured.of({ engine, model: route.model ?? null }, model.model_id),
        configured: instances.length > 0,
        paused: pausedEngines.has(engine),
        gone: services.routing.isGone({ engine, model: route.model ?? null }),
        deprecated_at: route.deprecated_at ?? null,
        sunset_at: route.sunset_at ?? null,
        replaced_by: route.replaced_by ?? null,
      }));
    });
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
      not_live_because: live ? null : explain(services, model, { routes, pause, pausedEngines, engineSwitches }),
      paused: pause !== undefined,
      paused_at: pause === undefined ? null : isoTime(Date.parse(pause.paused_at)),
      reason: pause?.reason ?? null,
    };
  });
}

function priceListOf(
  terms: Terms,
  model: Model,
  route: CatalogRoute,
  engine: string,
): ModelReport['routes'][number]['cost'] {
  if (route.cost === undefined) return null;
  const { as_of } = route.cost;
  if ('unknown' in route.cost) return { as_of, source: null, unknown: route.cost.unknown, below: null };
  const rates = {
    price: installationMultiplier(terms, model),
    cost: costMultiplier(terms, { name: engine, kind: route.engine }),
  };
  const stated = { as_of, source: route.cost.source, unknown: unknownCost(model, route, rates) };
  const below = orderBelowCost(model, route, rates);
  if (below === null) return { ...stated, below: null };
  const { example, price, cost } = below;
  const isSold = mayLose(terms, model.model_id);
  const loss = describeLoss({ model, route, engine, below, isSold });
  return { ...stated, below: { example, price: formatMicros(price), cost: formatMicros(cost), sold: isSold, loss } };
}

function explain(
  services: Pick<TaskServices, 'routing' | 'settings'>,
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
  const open = routes.filter(({ configured, gone }) => configured && !gone);
  if (open.length > 0 && open.every((route) => isOver(route, systemClock.now()))) {
    const successor = model.replaced_by === null ? '' : ` Its successor is ${model.replaced_by}.`;
    return `Its upstream has ended it. Give it another route in the catalog.${successor}`;
  }
  if (open.length === 0)
    return 'Its upstream no longer lists the model, so it is probably retired there. Give it another route in the catalog.';
  const chosen = services.routing.route(model, 'live', { account: null, multiplier: null });
  if (chosen === null)
    return `The engine is there, but its route does not say how orders are put, or DARKROOM_ENGINES leaves it out: ${engines.join(', ')}.`;
  if (pausedEngines.has(chosen.engine)) return `The engine ${chosen.engine} is paused. Resume it to take orders again.`;
  const multiplier = installationMultiplier(services.settings.terms, model);
  if (services.routing.route(model, 'live', { account: null, multiplier }) === null) {
    const losses = routes.flatMap(({ configured, cost }) => (configured ? (cost?.below?.loss ?? []) : []));
    return `Its orders cost more than their price: ${losses.join('. ')}.`;
  }
  const standing = services.routing.standing(chosen.engine, chosen.model);
  if (standing === 'refusing')
    return `The upstream of ${chosen.engine} wants another key or money. Mend that, then close its circuit.`;
  if (standing === 'interrupted')
    return `The upstream of ${chosen.engine} fails at the moment. Orders are taken and wait.`;
  return 'Its engine does not take orders at the moment.';
}
