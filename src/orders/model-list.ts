import type { CatalogEntry, ModelView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { type Account, isHidden, mayOrder, type OrderingKey } from '../accounts/api-key.ts';
import { mapInSlices } from '../base/map-in-slices.ts';
import { inputSchema } from '../catalog/input-schema.ts';
import { catalogEntry } from '../catalog/pricing/catalog-view.ts';
import { searchLowestPrices } from '../catalog/pricing/price-from.ts';
import type { EngineStatus } from '../record/route.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { multiplierFor } from '../views/tariff.ts';
import { chooseModel } from './choose-model.ts';

type ModelServices = Pick<TaskServices, 'catalog' | 'routing' | 'settings' | 'typicalSeconds'>;

/**
 * Returns all public models at the installation's prices.
 * @param options.hideUnavailable omits those that cannot be ordered live
 */
export async function publicModels(
  services: ModelServices,
  options: { readonly hideUnavailable: boolean },
): Promise<CatalogEntry[]> {
  const { models } = services.catalog();
  await searchLowestPrices(models);
  const entries = await mapInSlices(models, (model) => entryOf(services, model, null));
  return options.hideUnavailable ? entries.filter((entry) => entry.availability.live) : entries;
}

/** Returns the models that this key can order now, at the prices of its account. */
export async function orderableModels(services: ModelServices, key: OrderingKey): Promise<CatalogEntry[]> {
  const models = services.catalog().models.filter((model) => isOrderable(services, key, model));
  await searchLowestPrices(models);
  return await mapInSlices(models, (model) => entryOf(services, model, key.account));
}

/**
 * Returns a model at the account's prices, with the JSON Schema of its create body.
 * @throws ServiceError `model_not_found`, `model_not_allowed`, `model_retired`
 */
export async function describeModel(
  services: ModelServices & Pick<TaskServices, 'fields'>,
  key: OrderingKey,
  modelId: string,
): Promise<ModelView> {
  const model = chooseModel(services, key, modelId, null);
  await searchLowestPrices([model]);
  return {
    ...entryOf(services, model, key.account),
    input_schema: inputSchema(model, services.fields),
  };
}

function isOrderable(services: Pick<TaskServices, 'routing' | 'settings'>, key: OrderingKey, model: Model): boolean {
  if (!mayOrder(key, model.model_id) || isHidden(key.account, model.model_id)) return false;
  if (model.status !== 'active' && model.status !== 'deprecated') return false;
  const standings = ([undefined, 'batch'] as const).map((lane) =>
    standingOf(services, model, key.mode, key.account, lane),
  );
  return standings.some((standing) => ['ready', 'throttled', 'interrupted'].includes(standing ?? ''));
}

/** Returns the best state among a model's routes of a lane for a new order; null if it has no route or is paused. */
function standingOf(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  model: Model,
  mode: 'live' | 'test',
  account: Account | null,
  lane?: 'batch',
): EngineStatus | null {
  const multiplier = multiplierFor(services, account, model);
  const route = services.routing.route(model, mode, {
    account: account?.id ?? null,
    multiplier,
    ...(lane && { lane }),
  });
  if (route === null || services.routing.isPaused('model', model.model_id)) return null;
  if (services.routing.isPaused('engine', route.engine)) return 'paused';
  return mode === 'test' ? 'ready' : services.routing.standing(route.engine, route.model);
}

function entryOf(services: ModelServices, model: Model, account: Account | null): CatalogEntry {
  const multiplier = multiplierFor(services, account, model);
  const live = standingOf(services, model, 'live', account);
  const test = standingOf(services, model, 'test', account);
  const batch = standingOf(services, model, 'live', account, 'batch');
  const entry = catalogEntry(model, {
    multiplier,
    live: live === 'ready' || live === 'throttled',
    test: test === 'ready',
    batch: batch === 'ready' || batch === 'throttled',
    typicalSeconds: services.typicalSeconds.of(model.model_id, 'live'),
  });
  const isPaused = services.routing.isPaused('model', model.model_id);
  // If its engines are paused, nobody can order it.
  const isOfPausedEngines = test === 'paused' && (live === null || live === 'paused');
  return entry.status === 'active' && (isPaused || isOfPausedEngines) ? { ...entry, status: 'paused' } : entry;
}
