import type { Transaction } from '../../database/database.ts';

/**
 * Removes an erased task from all share links, and the links that show nothing else. `task_id` of the others is again
 * the first task that they show.
 */
export async function withdrawTask(
  trx: Transaction,
  { id: taskId, keyId }: { readonly id: string; readonly keyId: string },
): Promise<void> {
  const { builder } = trx;
  const among = await trx.first(
    builder.selectFrom('share_tasks').select('share_id').where('task_id', '=', taskId).limit(1),
  );
  if (among !== undefined) {
    // Two tasks of a link that are erased at the same moment must see each other's removal.
    await trx.lock(`shares:${keyId}`);
    await trx.run(builder.deleteFrom('share_tasks').where('task_id', '=', taskId));
    await trx.run(
      builder
        .updateTable('shares')
        .set((set) => ({
          task_id: set.fn.coalesce(
            set
              .selectFrom('share_tasks')
              .select('share_tasks.task_id')
              .whereRef('share_id', '=', 'shares.id')
              .orderBy('position')
              .limit(1),
            'shares.task_id',
          ),
        }))
        .where('task_id', '=', taskId),
    );
  }
  await trx.run(builder.deleteFrom('shares').where('task_id', '=', taskId));
}
