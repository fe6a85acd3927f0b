import type { Kernel } from '../../kernel.ts';
import { eraseInGroups } from '../../kernel-orders.ts';

/** Number of tasks that are read at a time. */
const PORTION = 200;

/** Erases the tasks whose delayed deletion is due, until none is left or a stop. */
export async function eraseDueTasks(
  { clock, orders, store }: Pick<Kernel, 'clock' | 'orders' | 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const { read } = store;
  const dueAt = clock.now();
  for (;;) {
    const due = await read.all(
      read.builder
        .selectFrom('delayed_deletions')
        .innerJoin('tasks', 'tasks.id', 'delayed_deletions.task_id')
        .select(['task_id', 'deleted_at'])
        .where('delete_at', '<=', dueAt)
        .where('erased_at', 'is', null)
        .orderBy('delete_at')
        .limit(PORTION),
    );
    await eraseInGroups(due, signal, async ({ task_id: id, deleted_at: hiddenAt }) => {
      if (hiddenAt !== null) await orders.erase(id, { deletedAt: hiddenAt, hiddenAt });
    });
    if (due.length < PORTION || signal.aborted) return;
  }
}
