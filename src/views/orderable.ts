import type { Model } from '@darkroom-service/contract/catalog';
import { isHidden, mayOrder, type OrderingKey } from '../accounts/api-key.ts';
import type { EngineStatus } from '../record/route.ts';
import type { RouteRule } from '../record/route-filter.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { multiplierFor } from './tariff.ts';

/** The key whose models are shown, and the rule of its orders; null = nobody's. */
export type Viewer = { readonly key: OrderingKey; readonly rule: RouteRule | null } | null;

const LANES = [undefined, 'batch'] as const;

/** Tells whether a key can order a model now: it may, the model has not ended, and one of its routes takes orders. */
export function isOrderable(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  viewer: NonNullable<Viewer>,
  model: Model,
): boolean {
  const { key } = viewer;
  if (!mayOrder(key, model.model_id) || isHidden(key.account, model.model_id)) return false;
  if (model.status !== 'active' && model.status !== 'deprecated') return false;
  const standings = LANES.map((lane) => standingOf(services, model, key.mode, viewer, lane));
  return standings.some((standing) => ['ready', 'throttled', 'interrupted'].includes(standing ?? ''));
}

/** Returns the best state among a model's routes of a lane for a new order; null if it has no route or is paused. */
export function standingOf(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  model: Model,
  mode: 'live' | 'test',
  viewer: Viewer,
  lane?: 'batch',
): EngineStatus | null {
  const account = viewer?.key.account ?? null;
  const multiplier = multiplierFor(services, account, model);
  const route = services.routing.route(model, mode, {
    account: account?.id ?? null,
    multiplier,
    rule: viewer?.rule ?? null,
    ...(lane && { lane }),
  });
  if (route === null || services.routing.isPaused('model', model.model_id)) return null;
  if (services.routing.isPaused('engine', route.engine)) return 'paused';
  return mode === 'test' ? 'ready' : services.routing.standing(route.engine, route.model);
}
