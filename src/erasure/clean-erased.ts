import type { Database, Transaction } from '../database/database.ts';
import { expireKeys } from '../database/deeds.ts';
import type { TaskRow } from '../record/task.ts';
import { failureOfErased } from '../record/task-json.ts';
import { shortenReports } from '../tasks/report-to-operator.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { removeTaskFiles } from './erase-task.ts';
import { forgetErasedGroups } from './erased-groups.ts';

/**
 * Removes what the erasure of tasks leaves behind: files that a kill left, Idempotency-Keys, of which hashes stay, the
 * additions' data, and data of earlier versions.
 * @param options.since looks for files of tasks that were deleted then or later
 * @param options.within continues in the same unit with the Idempotency-Keys and the additions' data of the erased
 * tasks
 */
export async function cleanErased(
  {
    database,
    hooks,
    storage,
  }: Pick<TaskServices, 'hooks' | 'storage'> & { readonly database: Pick<Database, 'write'> },
  tasks: readonly Pick<TaskRow, 'id' | 'deleted_at'>[],
  options: {
    readonly since: number;
    readonly within: (trx: Transaction, erased: readonly string[]) => Promise<unknown>;
  },
): Promise<void> {
  // Files of tasks that were erased by age are already removed: listing them costs calls.
  for (const { id, deleted_at: at } of tasks) if ((at ?? 0) >= options.since) await removeTaskFiles({ storage }, id);
  await database.write('erasure_cleans', async (trx) => {
    const { builder } = trx;
    const rows = await trx.all(
      builder
        .selectFrom('tasks')
        .select(['id', 'error_json', 'line'])
        .where(
          'id',
          'in',
          tasks.map(({ id }) => id),
        )
        .where('erased_at', 'is not', null)
        .orderBy('id')
        .forUpdate(),
    );
    const erased = rows.map(({ id }) => id);
    if (erased.length > 0) {
      trx.erases('soon');
      await trx.run(builder.updateTable('tasks').set({ webhook_url: null }).where('id', 'in', erased));
      for (const row of rows) {
        const error_json = failureOfErased(row);
        if (error_json !== row.error_json)
          await trx.run(builder.updateTable('tasks').set({ error_json }).where('id', '=', row.id));
      }
      await shortenReports(trx, erased);
      for (const { forgotten } of hooks) await forgotten?.(trx, erased);
      // Customers choose Idempotency-Keys.
      await expireKeys(trx, [...erased, ...(await forgetErasedGroups({ hooks }, trx, rows))], true);
    }
    await options.within(trx, erased);
  });
}
