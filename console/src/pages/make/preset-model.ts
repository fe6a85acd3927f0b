import { type CatalogModel, OURS } from '../../api/model.ts';
import type { Mode } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { DRAWN_BY } from './drawn-examples.ts';

/**
 * Returns the model to begin with. A test key's is the built-in one; a live key's the one that was used last, else the
 * cheapest of a vendor: nobody pays for drawings unasked.
 * @param models those that the key can order
 * @param last the model that the key used last
 */
export function presetModel(
  models: readonly CatalogModel[],
  last: string | null,
  mode: Mode,
): CatalogModel | undefined {
  const named = (id: string | null) => models.find(({ model_id }) => model_id === id);
  if (mode === 'test') return named(DRAWN_BY) ?? models[0];
  const byPrice = models
    .filter(({ type, vendor }) => type === 'image' && vendor !== OURS)
    .toSorted((a, b) => Number(a.pricing.from) - Number(b.pricing.from));
  return named(last) ?? byPrice[0] ?? models[0];
}

const NEWEST = { query: { limit: 1 } };

/** Returns the model that this key used last, null if there is none; undefined while that is read. */
export function useLastModel(enabled: boolean): string | null | undefined {
  const images = useApi('GET /v1/images', NEWEST, { enabled });
  const videos = useApi('GET /v1/videos', NEWEST, { enabled });
  if (images.isPending || videos.isPending) return undefined;
  const [newest] = [...(images.data?.items ?? []), ...(videos.data?.items ?? [])].sort((left, right) =>
    right.created_at.localeCompare(left.created_at),
  );
  return newest?.model_id ?? null;
}
