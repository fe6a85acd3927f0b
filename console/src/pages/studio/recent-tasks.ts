import type { TaskView as Task } from '@darkroom-service/contract/task';
import { useApi } from '../../api/use-api.ts';

const SHOWN = 14;

/** The latest images and videos of this key, newest first. */
export function useRecent(): { readonly tasks: readonly Task[]; readonly isPending: boolean } {
  const images = useApi('GET /v1/images', { query: { limit: SHOWN } }, { keep: true });
  const videos = useApi('GET /v1/videos', { query: { limit: SHOWN } }, { keep: true });
  const tasks = [...(images.data?.items ?? []), ...(videos.data?.items ?? [])]
    .sort((left, right) => right.created_at.localeCompare(left.created_at))
    .slice(0, SHOWN);
  return { tasks, isPending: images.isPending || videos.isPending };
}
