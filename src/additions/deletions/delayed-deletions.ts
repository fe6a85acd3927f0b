import { type DeletionView, isoTime, type TaskView } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import type { Binding } from '../../kernel-http.ts';

/**
 * Hides a final task at once and has it erased later; until then it can be restored. A repetition changes nothing and
 * returns the valid time.
 * @throws ServiceError `task_not_found`, `not_final`
 */
export async function deleteLater(
  { clock, orders, store, tasks }: Pick<Kernel, 'clock' | 'orders' | 'store' | 'tasks'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  delaySeconds: number,
): Promise<DeletionView> {
  const { id, erased_at } = await orders.deletable(key, type, taskId);
  // Nothing is left to restore.
  if (erased_at !== null) return await orders.delete(key, type, taskId);
  const now = clock.now();
  return await store.write('delete_later', async (trx) => {
    const { builder } = trx;
    // Also written if it is hidden already, so that a restoration waits until the other row exists.
    const hidden = await trx.run(
      builder
        .updateTable('tasks')
        .set({
          deleted_at: sql<number>`coalesce(deleted_at, ${now})`,
          revision: sql<number>`revision + case when deleted_at is null then 1 else 0 end`,
        })
        .where('id', '=', id)
        .where('erased_at', 'is', null),
    );
    await trx.run(
      builder
        .insertInto('delayed_deletions')
        .values({ task_id: id, delete_at: now + delaySeconds * 1000 })
        .onConflict((conflict) => conflict.column('task_id').doNothing()),
    );
    const delayed = await trx.first(
      builder
        .selectFrom('delayed_deletions')
        .innerJoin('tasks', 'tasks.id', 'delayed_deletions.task_id')
        .select(['deleted_at', 'delete_at'])
        .where('task_id', '=', id),
    );
    // Somebody else erased it meanwhile: the row must not stay.
    if (hidden === 0 || delayed === undefined || delayed.deleted_at === null) throw tasks.notFound(type, id);
    return { task_id: id, deleted_at: isoTime(delayed.deleted_at), delete_at: isoTime(delayed.delete_at) };
  });
}

/**
 * Reverts a delayed deletion: the task is shown again, with all its data. A repetition is no fault.
 * @throws ServiceError `task_not_found` also once its time is over
 */
export async function restoreTask(
  { clock, store, tasks }: Pick<Kernel, 'clock' | 'store' | 'tasks'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  binding?: Binding,
): Promise<TaskView> {
  await tasks.row(key, type, taskId, { hidden: true });
  await store.write('restore_task', async (trx) => {
    await binding?.within(trx, taskId);
    const shown = await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((set) => ({ deleted_at: null, revision: set('revision', '+', 1) }))
        .where('id', '=', taskId)
        .where('deleted_at', 'is not', null)
        .where('erased_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('delayed_deletions')
              .select('task_id')
              .where('task_id', '=', taskId)
              .where('delete_at', '>', clock.now()),
          ),
        ),
    );
    if (shown > 0) await trx.run(trx.builder.deleteFrom('delayed_deletions').where('task_id', '=', taskId));
  });
  return await tasks.find(key, type, taskId);
}
