import type { QuoteView, TaskView as Task } from '@darkroom-service/contract';
import { type CatalogModel, mediaParameter, OURS, type Values, withoutEmpty } from '../../api/model.ts';
import { MOST_COMPARED, useComparedPrices, useOrderableModels } from '../../api/use-models.ts';
import type { WantedOrder } from './order/use-ordering.ts';

/** Returns the parameter for a result as input: the first frame when a video is made from an image, else references. */
export function referencePlace(model: CatalogModel | undefined, kind: Task['type']): string | null {
  if (model === undefined) return null;
  const takes = (name: string) => mediaParameter(model, name)?.kind === kind;
  if (kind === 'video') return Object.keys(model.parameters).find(takes) ?? null;
  const order = model.type === 'video' ? ['first_frame_url', 'image_urls'] : ['image_urls'];
  return order.find(takes) ?? null;
}

/** Returns the values with a task's result as input. */
export function referenceIn(model: CatalogModel, values: Values, task: Task): Values {
  const name = referencePlace(model, task.type);
  if (name === null) return {};
  const parameter = mediaParameter(model, name);
  const source = `task:${task.task_id}`;
  const before = values[name];
  if (parameter?.list !== true) return { [name]: source };
  const list = Array.isArray(before) ? before.filter((one) => one !== source) : [];
  return { [name]: [...list, source].slice(-parameter.most) };
}

/** Returns the models that make a video from an image. */
function moversIn(models: readonly CatalogModel[]): readonly CatalogModel[] {
  return models.filter(
    (model) =>
      model.type === 'video' &&
      model.supported_features.includes('image_to_video') &&
      referencePlace(model, 'image') !== null,
  );
}

/**
 * Returns the rank of a model for a task's image: first the same vendor's. The built-in ones come before the others for
 * a test, and last for a live order: nobody should pay for drawings without choosing them.
 */
function rankFor({ mode }: Task, vendor: string | undefined, model: CatalogModel): number {
  return model.vendor === vendor ? 0 : model.vendor !== OURS ? 2 : mode === 'test' ? 1 : 3;
}

/** An order of a video from an image that can be placed now, and its price without the prompt. */
interface Move {
  readonly order: WantedOrder;
  readonly quote: Pick<QuoteView, 'amount' | 'exact'>;
}

/**
 * Finds a model that can make a video from a task's image now: of the first rank, the cheapest. One request asks for
 * all.
 * @returns undefined while unknown; null if there is none
 */
export function useMove(task: Task, further: Values = {}, enabled = true): Move | null | undefined {
  const { models = [] } = useOrderableModels();
  const movers = task.type === 'image' && enabled ? moversIn(models).slice(0, MOST_COMPARED) : [];
  // Without the prompt, which may be too long to send once for each model.
  const orders = movers.map((model) => ({ model_id: model.model_id, ...referenceIn(model, {}, task), ...further }));
  const { data, isError } = useComparedPrices(orders);
  if (task.type !== 'image' || isError) return null;
  if (data === undefined) return models.length > 0 && orders.length === 0 ? null : undefined;
  const vendor = models.find(({ model_id: id }) => id === task.model_id)?.vendor;
  const offers = data.items.flatMap(({ quote, refusal }, index) => {
    const [model, order] = [movers[index], orders[index]];
    if (refusal !== null || quote === null || model === undefined || order === undefined) return [];
    return [{ order, quote, rank: rankFor(task, vendor, model) }];
  });
  const [best] = offers.toSorted(
    (left, right) => left.rank - right.rank || Number(left.quote.amount) - Number(right.quote.amount),
  );
  if (best === undefined) return null;
  const { prompt = null } = withoutEmpty({ prompt: task.input.prompt ?? null });
  const body = { ...(prompt === null ? {} : { prompt }), ...best.order };
  return { order: { kind: 'video', body }, quote: best.quote };
}
