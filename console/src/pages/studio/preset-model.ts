import type { TaskView as Task } from '@darkroom-service/contract/task';
import type { CatalogModel } from '../../api/model.ts';
import type { Mode } from '../../api/session.ts';
import { DRAWN_BY } from './drawn-examples.ts';

const OURS = 'Darkroom';

/**
 * Returns the model to begin with. A test key's is the built-in one; a live key's the one that was used last, else the
 * cheapest of a vendor: nobody pays for drawings unasked.
 * @param models those that the key can order
 * @param recent orders of the key, newest first
 */
export function presetModel(
  models: readonly CatalogModel[],
  recent: readonly Pick<Task, 'model_id'>[],
  mode: Mode,
): CatalogModel | undefined {
  const named = (id: string | undefined) => models.find(({ model_id }) => model_id === id);
  if (mode === 'test') return named(DRAWN_BY) ?? models[0];
  const byPrice = models
    .filter(({ type, vendor }) => type === 'image' && vendor !== OURS)
    .toSorted((a, b) => Number(a.pricing.from) - Number(b.pricing.from));
  return named(recent[0]?.model_id) ?? byPrice[0] ?? models[0];
}
