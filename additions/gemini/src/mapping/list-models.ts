import type { Alias } from '@darkroom-service/addition-openai/openai-settings';
import { type CatalogEntry, cutText, ServiceError } from '@darkroom-service/contract';
import { Text, type Wire } from '@darkroom-service/contract/parts';
import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import { Type } from 'typebox';
import { modelIdOf } from './aliases.ts';

/** A model in the shape of the Gemini API. */
export const GeminiModel = Type.Object({
  name: Type.String({ description: '`models/` and the id of a model of the catalog.' }),
  baseModelId: Text,
  version: Text,
  displayName: Text,
  description: Text,
  supportedGenerationMethods: Type.Unsafe<readonly string[]>(Type.Array(Text)),
});
type GeminiModelView = Wire<typeof GeminiModel>;

const Listed = Type.Optional(Type.Unsafe<readonly GeminiModelView[]>(Type.Array(GeminiModel)));
/** The list of models, whose name depends on the form. */
export const GeminiModels = Type.Object({ models: Listed, publisherModels: Listed });

const METHODS = {
  image: ['generateContent', 'streamGenerateContent', 'predict', 'createInteraction'],
  video: ['predictLongRunning', 'createInteraction'],
} as const;

/** Lists the models that a key can order, images first. */
export async function listModels(kernel: Pick<Kernel, 'models'>, key: OrderingKey): Promise<GeminiModelView[]> {
  const models = await kernel.models.list(key);
  return (['image', 'video'] as const).flatMap((type) => models.filter((model) => model.type === type).map(viewModel));
}

/** Finds a model by the name that a client has for it. @throws ServiceError `model_not_found` */
export async function findModel(
  kernel: Pick<Kernel, 'models' | 'orders'>,
  key: OrderingKey,
  name: string,
  aliases: readonly Alias[],
): Promise<GeminiModelView> {
  const catalog = kernel.orders.catalog();
  const id = catalog.find(modelIdOf(name, catalog, aliases))?.model_id;
  const entry = (await kernel.models.list(key)).find(({ model_id: known }) => known === id);
  if (entry !== undefined) return viewModel(entry);
  throw new ServiceError(
    'model_not_found',
    `This API key cannot order a model '${cutText(name, 64)}'. GET /gemini/v1beta/models lists those that it can order.`,
    { param: 'model' },
  );
}

function viewModel({ model_id: id, name, type, vendor }: CatalogEntry): GeminiModelView {
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '1',
    displayName: name,
    description: `Makes ${type === 'image' ? 'images' : 'films'}; by ${vendor}.`,
    supportedGenerationMethods: METHODS[type],
  };
}
