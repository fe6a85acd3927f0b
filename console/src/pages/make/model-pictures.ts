import type { TaskView as Task } from '@darkroom-service/contract';
import { type CatalogModel, OURS } from '../../api/model.ts';
import { nearUrl } from '../../api/service-url.ts';
import { useApi } from '../../api/use-api.ts';
import { DRAWN_BY, DRAWN_EXAMPLES } from './example-card.tsx';

const NEWEST = { query: { limit: 100, status: 'succeeded' } };
const SHORTLY = { staleTime: 60_000 };

/**
 * Returns a picture that each model made, by model id: the operator's example, otherwise the newest own result. Test
 * results of other vendors' models are drawings and do not count. Undefined while it loads.
 */
export function useModelPictures(models: readonly CatalogModel[]): ReadonlyMap<string, string> | undefined {
  const examples = useApi('GET /v1/examples', {}, SHORTLY);
  const images = useApi('GET /v1/images', NEWEST, SHORTLY);
  const videos = useApi('GET /v1/videos', NEWEST, SHORTLY);
  if (examples.isLoading || images.isLoading || videos.isLoading) return undefined;
  const ours = new Set(models.filter(({ vendor }) => vendor === OURS).map(({ model_id: id }) => id));
  const made = ({ mode, action, model_id: id }: Task) => action === null && (mode === 'live' || ours.has(id));
  const pictures = new Map<string, string>();
  for (const task of [...(images.data?.items ?? []), ...(videos.data?.items ?? [])].filter(made)) {
    const thumbnail = task.outputs[0]?.thumbnail_url ?? null;
    if (thumbnail !== null && !pictures.has(task.model_id)) pictures.set(task.model_id, nearUrl(thumbnail));
  }
  const [drawn] = DRAWN_EXAMPLES;
  if (drawn !== undefined && !pictures.has(DRAWN_BY)) pictures.set(DRAWN_BY, drawn.picture.src);
  for (const { model_id: id, picture_url: url } of examples.data?.items ?? []) pictures.set(id, nearUrl(url));
  return pictures;
}
