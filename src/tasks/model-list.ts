import { isHidden, mayOrder, type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import { inputSchema } from '../catalog/input-schema.ts';
import type { Model } from '../catalog/model.ts';
import { type CatalogEntry, catalogEntry } from '../pricing/catalog-view.ts';
import { chooseModel } from './choose-model.ts';
import type { Desk, EngineStanding } from './desk.ts';

/** All public models at default prices. @param hideUnavailable leaves out those that cannot be ordered live. */
export function publicModels(desk: Desk, options: { readonly hideUnavailable: boolean }): CatalogEntry[] {
  const entries = desk.catalog().models.map((model) => entryOf(desk, model, '1'));
  return options.hideUnavailable ? entries.filter((entry) => entry.availability.live) : entries;
}

/** What this very key can order now, at its account's prices. */
export function orderableModels(desk: Desk, key: OrderingKey): CatalogEntry[] {
  return desk
    .catalog()
    .models.filter((model) => isOrderable(desk, key, model))
    .map((model) => entryOf(desk, model, priceMultiplier(key.account, model.model_id)));
}

/**
 * One model at the account's prices, with the JSON Schema of its create body.
 * @throws ServiceError `model_not_found`, `model_not_allowed`, `model_retired`
 */
export function describeModel(
  desk: Desk,
  key: OrderingKey,
  modelId: string,
): CatalogEntry & { readonly input_schema: object } {
  const model = chooseModel(desk, key, modelId, null);
  return { ...entryOf(desk, model, priceMultiplier(key.account, model.model_id)), input_schema: inputSchema(model) };
}

function isOrderable(desk: Desk, key: OrderingKey, model: Model): boolean {
  if (!mayOrder(key, model.model_id) || isHidden(key.account, model.model_id)) return false;
  if (model.status !== 'active' && model.status !== 'deprecated') return false;
  return ['ready', 'held', 'interrupted'].includes(standingOf(desk, model, key.mode) ?? '');
}

/** What a new order of the model can expect at best; null where there is no route, or the model is paused. */
function standingOf(desk: Desk, model: Model, mode: 'live' | 'test'): EngineStanding | null {
  const route = desk.routing.route(model, mode);
  if (route === null || desk.routing.isPaused('model', model.model_id)) return null;
  if (desk.routing.isPaused('engine', route.engine)) return 'paused';
  return mode === 'test' ? 'ready' : desk.routing.standing(route.engine);
}

function entryOf(desk: Desk, model: Model, multiplier: string): CatalogEntry {
  const entry = catalogEntry(model, {
    multiplier,
    live: ['ready', 'held'].includes(standingOf(desk, model, 'live') ?? ''),
    typicalSeconds: desk.typicalSeconds.of(model.model_id, 'live'),
  });
  const paused = entry.status === 'active' && desk.routing.isPaused('model', model.model_id);
  return paused ? { ...entry, status: 'paused' } : entry;
}
