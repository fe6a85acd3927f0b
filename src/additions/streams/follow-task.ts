import type { Stream } from '@darkroom-service/addition-common/http/event-streams';
import { ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import { isFinal } from '../../kernel-views.ts';

interface Follow {
  readonly key: OrderingKey;
  readonly type: 'image' | 'video';
  readonly taskId: string;
  readonly stream: Pick<Stream, 'send'>;
  readonly signal: AbortSignal;
  /** Interval at which the queue position of a waiting task is read; it changes without a revision. Default: never. */
  readonly positionEveryMs?: number;
}

/**
 * Sends the task at once and whenever it has changed, until it is final, gone, or the signal is aborted. A caller that
 * has closed its side may still read, so the first is sent in any case.
 */
export async function followTask({ tasks }: Pick<Kernel, 'tasks'>, follow: Follow): Promise<void> {
  const { key, type, taskId, stream, signal, positionEveryMs } = follow;
  // Following begins before reading, so that no change falls between the two.
  const watch = tasks.events.watch(taskId);
  let sent = { revision: -1, position: null as number | null };
  try {
    do {
      const endTurn = await tasks.events.reads.take(key.id);
      const task = await tasks
        .find(key, type, taskId)
        .catch((error: unknown) => {
          if (error instanceof ServiceError) return null;
          throw error;
        })
        .finally(endTurn);
      const position = task?.queue_position ?? null;
      const hasMoved = positionEveryMs !== undefined && position !== sent.position;
      if (task !== null && (task.revision > sent.revision || (task.revision === sent.revision && hasMoved))) {
        sent = { revision: task.revision, position };
        stream.send({ name: 'task', id: task.revision, data: JSON.stringify(task) });
      }
      if (task === null || isFinal(task.status)) break;
      const isWaiting = positionEveryMs !== undefined && position !== null;
      await watch.next(task.revision, { signal, ...(isWaiting ? { timeoutMs: positionEveryMs } : {}) });
    } while (!signal.aborted);
  } finally {
    watch.close();
  }
}
