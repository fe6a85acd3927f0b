import type { Darkroom, ModelTypes, TaskHandle } from '@darkroom/client';

/** A client that takes any model with any field. */
export type OpenClient = Darkroom<ModelTypes>;

/** A node that n8n retries more often than this gives its last failure. */
const MOST_TRIES = 20;

/**
 * Orders once for a key. A repetition finds the order of the earlier one; if that failed, and so cost nothing, it is
 * ordered again, with a key that follows from the first one.
 */
export async function placeOnce(
  tasks: Pick<OpenClient['videos'], 'create'>,
  order: { readonly model_id: string },
  key: string,
  signal: AbortSignal | undefined,
): Promise<TaskHandle> {
  for (let tries = 1; ; tries++) {
    const handle = await tasks.create(order, { idempotencyKey: tries === 1 ? key : `${key}-${tries}`, signal });
    if (!handle.replayed || handle.task.status !== 'failed' || tries === MOST_TRIES) return handle;
  }
}
