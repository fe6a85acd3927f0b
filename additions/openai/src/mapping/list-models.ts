import { type CatalogEntry, cutText, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import type { Alias } from '../openai-settings.ts';
import { DEFAULT_ALIASES, resolveAlias } from './aliases.ts';
import { modalitiesOf } from './model-modalities.ts';
import type { OpenaiModelView } from './video-wire.ts';

/** Lists the models that a key can order, images first; after the models of each kind the aliases of one of them. */
export async function listOpenaiModels(
  kernel: Pick<Kernel, 'models' | 'orders'>,
  key: OrderingKey,
  aliases: readonly Alias[],
): Promise<OpenaiModelView[]> {
  const models = await kernel.models.list(key);
  const names = namesFor(models, kernel, aliases);
  return (['image', 'video'] as const).flatMap((type) => [
    ...models.filter((model) => model.type === type).map((model) => viewModel(model.model_id, model)),
    ...names.filter(({ model }) => model.type === type).map(({ name, model }) => viewModel(name, model)),
  ]);
}

/** Finds a model by its id or alias, in OpenAI's shape. @throws ServiceError `model_not_found` */
export async function findOpenaiModel(
  kernel: Pick<Kernel, 'models' | 'orders'>,
  key: OrderingKey,
  aliases: readonly Alias[],
  name: string,
): Promise<OpenaiModelView> {
  const catalog = kernel.orders.catalog();
  const model = catalog.find(resolveAlias(name, aliases, (id) => catalog.find(id) !== null));
  const entries = model === null ? [] : await kernel.models.list(key);
  const entry = entries.find(({ model_id: id }) => id === model?.model_id);
  if (entry !== undefined) return viewModel(name, entry);
  throw new ServiceError(
    'model_not_found',
    `This API key cannot order a model '${cutText(name, 64)}'. GET /openai/v1/models lists those that it can order.`,
    { param: 'model' },
  );
}

/** Returns the aliases of models. Aliases with `*` match any number of names, so they are not listed. */
function namesFor(models: readonly CatalogEntry[], { orders }: Pick<Kernel, 'orders'>, aliases: readonly Alias[]) {
  const catalog = orders.catalog();
  const names = [...aliases, ...DEFAULT_ALIASES].map(({ name }) => name).filter((name) => !name.includes('*'));
  return [...new Set(names)].flatMap((name) => {
    if (models.some(({ model_id: id }) => id === name)) return [];
    const target = catalog.find(resolveAlias(name, aliases, (id) => catalog.find(id) !== null));
    const model = models.find(({ model_id: id }) => id === target?.model_id);
    return model === undefined ? [] : [{ name, model }];
  });
}

/** Returns a model in OpenAI's shape. The catalog does not say when a model appeared. */
function viewModel(id: string, entry: CatalogEntry): OpenaiModelView {
  const { vendor, sunset_at, type } = entry;
  const architecture = modalitiesOf(entry);
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: vendor,
    ...(sunset_at === null ? {} : { shutdown_date: sunset_at }),
    architecture,
    capabilities: {
      image_generation: type === 'image',
      video_generation: type === 'video',
      vision: architecture.input_modalities.includes('image'),
    },
  };
}
