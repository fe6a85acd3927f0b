import { canonicalName, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import { isFinal, VIEW_COLUMNS } from '@darkroom-service/darkroom/kernel-views';
import { viewVideo } from './video-view.ts';
import type { OpenaiVideoDeletionView, OpenaiVideosView, OpenaiVideoView } from './video-wire.ts';

/** A page of the videos of an API key. */
interface VideoQuery {
  readonly limit: number;
  /** Id after which the page begins, in its order. */
  readonly after: string | null;
  readonly order: 'asc' | 'desc';
}

/** Time that a deletion waits for its video to stop, in seconds. */
const STOPS_WITHIN_SECONDS = 20;

/** Finds a task that was ordered as a video, in OpenAI's shape. @throws ServiceError `task_not_found` */
export async function findVideo(
  { tasks }: Pick<Kernel, 'tasks'>,
  key: OrderingKey,
  videoId: string,
): Promise<OpenaiVideoView> {
  return viewVideo(await tasks.row(key, 'video', videoId));
}

export async function listVideos(
  { store: { read } }: Pick<Kernel, 'store'>,
  key: OrderingKey,
  { limit, after, order }: VideoQuery,
): Promise<OpenaiVideosView> {
  let select = read.builder
    .selectFrom('tasks')
    .select(VIEW_COLUMNS)
    .where('api_key_id', '=', key.id)
    .where('type', '=', 'video')
    .where('deleted_at', 'is', null)
    .orderBy('id', order)
    .limit(limit + 1);
  if (key.client !== undefined) select = select.where('end_user', '=', canonicalName(key.client.endUser));
  if (after !== null) select = select.where('id', order === 'asc' ? '>' : '<', after);
  const rows = await read.all(select);
  const data = rows.slice(0, limit).map(viewVideo);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > limit,
  };
}

/**
 * Erases a video. One that is still being made is canceled first: OpenAI's clients have no other way to cancel. A
 * repetition succeeds, as after a lost answer.
 * @throws ServiceError `task_not_found`, `not_cancelable`, `not_final` if it does not stop in time
 */
export async function deleteVideo(
  kernel: Pick<Kernel, 'orders' | 'tasks'>,
  key: OrderingKey,
  videoId: string,
  signal: AbortSignal,
): Promise<OpenaiVideoDeletionView> {
  const deletion = { id: videoId, object: 'video.deleted', deleted: true } as const;
  const known = await kernel.tasks.anyRow(key, videoId);
  if (known?.type === 'video' && known.deleted_at !== null) return deletion;
  const row = await kernel.tasks.row(key, 'video', videoId);
  if (!isFinal(row.status)) await cancelVideo(kernel, key, videoId, signal);
  await kernel.orders.delete(key, 'video', videoId);
  return deletion;
}

async function cancelVideo(
  { orders, tasks }: Pick<Kernel, 'orders' | 'tasks'>,
  key: OrderingKey,
  videoId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await orders.cancel(key, 'video', videoId);
  } catch (error) {
    // It ended between the two reads.
    const row = await tasks.row(key, 'video', videoId);
    if (error instanceof ServiceError && isFinal(row.status)) return;
    throw error;
  }
  await tasks.wait(key, 'video', videoId, { seconds: STOPS_WITHIN_SECONDS, signal });
}
