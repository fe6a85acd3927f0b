import type { OrderFacts } from './errors.ts';
import type { Batch, Task } from './generated/interface.ts';
import type { Page } from './list.ts';
import type { Transport } from './transport.ts';
import { watch } from './watch.ts';
import { batchPath, isEnded, watchedBatch } from './watch-batch.ts';
import { isFinal, POLL_RETRIES } from './watch-task.ts';

/** The lists of a batch's tasks, which are in the order of the batch. */
const TYPES = ['img', 'vid'] as const;
const PAGE = 100;

/**
 * Yields each task of a batch as soon as it is final, until the batch has ended. Tasks that were deleted are left out.
 * A list is read from the first task that is not final, and only as far as the batch's counts say that there is
 * something new.
 */
export async function* endedTasks(
  transport: Transport,
  batchId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Task> {
  const known = new Set<string>();
  const after = { img: firstOf('img'), vid: firstOf('vid') };
  let facts: OrderFacts = { batchId };

  async function* newOf(type: 'img' | 'vid', wanted: number): AsyncGenerator<Task> {
    const path = `${batchPath(batchId)}/tasks`;
    let isUnbroken = true;
    for (let from = after[type]; known.size < wanted; ) {
      const query = { limit: PAGE, after: from };
      const call = { path, query, retries: POLL_RETRIES, signal, facts };
      const { items, has_more } = (await transport.send<Page<Task>>(call)).data;
      const own = items.filter(({ task_id: id }) => id.startsWith(type));
      for (const task of own) {
        isUnbroken &&= isFinal(task);
        if (isUnbroken) after[type] = task.task_id;
        if (!isFinal(task) || known.has(task.task_id)) continue;
        known.add(task.task_id);
        yield task;
      }
      const last = own.at(-1);
      if (!has_more || last === undefined || own.length < items.length) return;
      from = last.task_id;
    }
  }

  for await (const batch of watch(transport, watchedBatch(transport, batchId), signal)) {
    facts = { batchId, batch };
    const wanted = endedOf(batch);
    for (const type of TYPES) yield* newOf(type, wanted);
    if (!isEnded(batch) || known.size >= wanted) continue;
    // A task was deleted, or appeared before one that had ended already.
    for (const type of TYPES) {
      after[type] = firstOf(type);
      yield* newOf(type, Number.POSITIVE_INFINITY);
    }
  }
}

/** An id that every id of this type follows. */
function firstOf(type: string): string {
  return `${type}_${'0'.repeat(26)}`;
}

function endedOf({ counts }: Batch): number {
  return counts.succeeded + counts.failed + counts.canceled;
}
