import type { ComparedOrder } from '@darkroom-service/contract';
import type { CatalogModel } from '../../api/model.ts';
import type { Mode } from '../../api/session.ts';
import { hasWords } from '../../components/model-search.ts';

export const NO_FILTER = {
  words: '',
  type: 'all' as 'all' | 'image' | 'video',
  liveOnly: false,
  sort: 'price' as 'name' | 'price' | 'speed',
};

export type ModelFilter = Readonly<typeof NO_FILTER>;

/**
 * Returns the filtered and sorted models: first the ones that can be ordered with the set values, then the other
 * orderable ones.
 * @param asSet prices and refusals of an order with the set values, by model
 */
export function filterModels(
  models: readonly CatalogModel[],
  orderable: ReadonlySet<string>,
  filter: ModelFilter,
  asSet: ReadonlyMap<string, ComparedOrder>,
): CatalogModel[] {
  const rank = ({ model_id: id }: CatalogModel) => (!orderable.has(id) ? 2 : asSet.get(id)?.refusal == null ? 0 : 1);
  const amountOf = ({ model_id: id }: CatalogModel) => Number(asSet.get(id)?.quote?.amount ?? Number.MAX_SAFE_INTEGER);
  return models
    .filter((model) => filter.type === 'all' || model.type === filter.type)
    .filter((model) => !filter.liveOnly || model.availability.live)
    .filter((model) => hasWords(model, filter.words))
    .sort((left, right) => rank(left) - rank(right) || compare(left, right, filter.sort, amountOf));
}

/** Reason why the key in use cannot order a model. */
export type Hindrance = 'paused' | 'retired' | 'notLive' | 'notAllowed';

export function hindranceOf({ status, availability }: CatalogModel, mode: Mode): Hindrance {
  if (status === 'paused' || status === 'retired') return status;
  return mode === 'live' && !availability.live ? 'notLive' : 'notAllowed';
}

/** Tells whether orders of the model are accepted but wait, because its upstream does not answer now. */
export function isDelayed({ availability }: CatalogModel, mode: Mode): boolean {
  return mode === 'live' && !availability.live;
}

function compare(
  left: CatalogModel,
  right: CatalogModel,
  sort: ModelFilter['sort'],
  amountOf: (model: CatalogModel) => number,
): number {
  if (sort === 'price' && amountOf(left) !== amountOf(right)) return amountOf(left) - amountOf(right);
  const seconds = ({ typical_seconds: typical }: CatalogModel) => typical?.p50 ?? Number.MAX_SAFE_INTEGER;
  if (sort === 'speed' && seconds(left) !== seconds(right)) return seconds(left) - seconds(right);
  const live = Number(right.availability.live) - Number(left.availability.live);
  return live || left.vendor.localeCompare(right.vendor) || left.name.localeCompare(right.name);
}
