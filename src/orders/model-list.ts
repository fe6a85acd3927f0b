import type { CatalogEntry, ModelView } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { mapInSlices } from '../base/map-in-slices.ts';
import { inputSchema } from '../catalog/input-schema.ts';
import { catalogEntry } from '../catalog/pricing/catalog-view.ts';
import { type FlooredModel, searchLowestPrices } from '../catalog/pricing/price-from.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { isOrderable, standingOf, type Viewer } from '../views/orderable.ts';
import { priceTariff } from '../views/tariff.ts';
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
  await searchLowestPrices(flooredModels(services, models, null));
  const entries = await mapInSlices(models, (model) => entryOf(services, model, null));
  return options.hideUnavailable ? entries.filter((entry) => entry.availability.live) : entries;
}

/** Returns the models that this key can order now, at the prices of its account. */
export async function orderableModels(services: ModelServices, key: OrderingKey): Promise<CatalogEntry[]> {
  const viewer = viewerOf(services, key);
  const models = services.catalog().models.filter((model) => isOrderable(services, viewer, model));
  await searchLowestPrices(flooredModels(services, models, viewer));
  return await mapInSlices(models, (model) => entryOf(services, model, viewer));
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
  const viewer = viewerOf(services, key);
  await searchLowestPrices(flooredModels(services, [model], viewer));
  return {
    ...entryOf(services, model, viewer),
    input_schema: inputSchema(model, services.fields),
  };
}

function flooredModels(services: ModelServices, models: readonly Model[], viewer: Viewer): FlooredModel[] {
  return models.map((model) => ({ model, ...tariffFor(services, model, viewer) }));
}

function tariffFor(services: ModelServices, model: Model, viewer: Viewer): ReturnType<typeof priceTariff> {
  return priceTariff(services, viewer?.key.account ?? null, model, viewer?.rule ?? null);
}

function viewerOf({ routing }: Pick<TaskServices, 'routing'>, key: OrderingKey): NonNullable<Viewer> {
  return { key, rule: routing.ruleOf(key, {}) };
}

function entryOf(services: ModelServices, model: Model, viewer: Viewer): CatalogEntry {
  const live = standingOf(services, model, 'live', viewer);
  const test = standingOf(services, model, 'test', viewer);
  const batch = standingOf(services, model, 'live', viewer, 'batch');
  const entry = catalogEntry(model, {
    ...tariffFor(services, model, viewer),
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
