import type { TaskView as Task } from '@darkroom-service/contract';
import type { CatalogModel, Values } from '../../api/model.ts';
import { MOST_COMPARED, useComparedPrices, useOrderableModels } from '../../api/use-models.ts';
import { moversFor, referenceIn } from './references.ts';

/** A video that can be ordered now of an image. */
interface Move {
  readonly model: CatalogModel;
  /** The fields beside the model. */
  readonly values: Values;
}

/**
 * Finds the first model that makes a video of a task's image here and now. All are asked in one request.
 * @returns undefined while that is not known; null if none does
 */
export function useMove(task: Task, further: Values = {}): Move | null | undefined {
  const { models = [] } = useOrderableModels();
  const movers = task.type === 'image' ? moversFor(task, models).slice(0, MOST_COMPARED) : [];
  const prompt = String(task.input.prompt ?? '');
  // Without the prompt, which may be so long that a request does not hold it once for each model.
  const orders = movers.map((model) => ({ model_id: model.model_id, ...referenceIn(model, {}, task), ...further }));
  const { data, isError } = useComparedPrices(orders);
  if (task.type !== 'image' || isError) return null;
  if (data === undefined) return models.length > 0 && orders.length === 0 ? null : undefined;
  for (const [index, { quote, refusal }] of data.items.entries()) {
    const [model, order] = [movers[index], orders[index]];
    if (refusal !== null || quote === null || model === undefined || order === undefined) continue;
    const { model_id: _id, ...values } = order;
    return { model, values: { ...(prompt === '' ? {} : { prompt }), ...values } };
  }
  return null;
}
