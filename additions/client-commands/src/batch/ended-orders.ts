import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import type { BatchView, TaskView } from '@darkroom-service/contract';
import { isFinal } from '../describe-task.ts';
import { batchPath, PATIENCE_MS } from './place-batch.ts';

/** Finds the tasks of a batch that have ended, in the order of the batch. */
interface EndedOrders {
  /** Yields the tasks that have ended and were not yielded before. @param batch the current state of the batch */
  poll(batch: BatchView): AsyncGenerator<TaskView>;
}

/** Types of tasks, in the order in which the list of the batch has them. */
const TYPES = ['img', 'vid'] as const;
const PAGE = 100;

/** Reads the list from its first unfinished task on, and only if the counts show something new. */
export function readEndedOrders(client: ApiClient, batchId: string, signal: AbortSignal): EndedOrders {
  const known = new Set<string>();
  const after = { img: firstOf('img'), vid: firstOf('vid') };

  async function* newOf(type: 'img' | 'vid', wanted: number): AsyncGenerator<TaskView> {
    let isUnbroken = true;
    for (let from = after[type]; known.size < wanted; ) {
      const path = `${batchPath(batchId)}/tasks?limit=${PAGE}&after=${from}`;
      const page = await client.get<{ items: readonly TaskView[]; has_more: boolean }>(path, {
        signal,
        patienceMs: PATIENCE_MS,
      });
      const own = page.items.filter(({ task_id: id }) => id.startsWith(type));
      for (const task of own) {
        isUnbroken &&= isFinal(task);
        if (isUnbroken) after[type] = task.task_id;
        if (!isFinal(task) || known.has(task.task_id)) continue;
        known.add(task.task_id);
        yield task;
      }
      const last = own.at(-1);
      if (!page.has_more || last === undefined || own.length < page.items.length) return;
      from = last.task_id;
    }
  }

  return {
    async *poll({ status, counts }) {
      const ended = counts.succeeded + counts.failed + counts.canceled;
      for (const type of TYPES) yield* newOf(type, ended);
      if (status === 'processing' || known.size >= ended) return;
      // A task was deleted, or appeared before one that had ended already.
      for (const type of TYPES) {
        after[type] = firstOf(type);
        yield* newOf(type, Number.POSITIVE_INFINITY);
      }
    },
  };
}

/** Returns an id that every id of this type follows. */
function firstOf(type: string): string {
  return `${type}_${'0'.repeat(26)}`;
}
