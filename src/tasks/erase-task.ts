import { scopeDigest } from '../accounts/scope.ts';
import { countErased, lockStored } from '../accounts/stored-bytes.ts';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { WorkKind } from '../database/work.ts';
import { isAwaited } from './parent-gate.ts';
import { type TaskRow, taskFilePrefixes } from './task.ts';
import { outputsOf } from './task-json.ts';
import type { TaskServices } from './task-services.ts';

const selectStored = prepare<{ id: string }, Pick<TaskRow, 'api_key_id' | 'input_bytes'>>(
  'erase_stored',
  (builder, argument) =>
    builder.selectFrom('tasks').select(['api_key_id', 'input_bytes']).where('id', '=', argument('id')),
);

/**
 * Erases the customer's data of a final task: first in the row, so that nothing is shown any more, then the files. The
 * sweep finds files that a kill leaves behind, because no row names them. Retention spares a task that others wait for;
 * if its customer deletes it, they fail.
 * @param options.deletedAt set if the customer deleted the task; null if its retention ended
 * @param options.dueAt only if the task has a delayed deletion that is due at this time
 */
export async function eraseTask(
  services: Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'parentGate' | 'storage' | 'wakeWork'>,
  taskId: string,
  options: { readonly deletedAt: number | null; readonly dueAt?: number },
): Promise<void> {
  const mayHaveFiles = await services.database.write('erase_task', async (trx) => {
    const stored = await trx.first(selectStored, { id: taskId });
    if (stored === undefined) return false;
    const awaited = trx.builder.selectFrom('tasks').select('id').where('id', '=', taskId).where(isAwaited(services));
    if (options.deletedAt === null && (await trx.first(awaited)) !== undefined) return false;
    if (stored.input_bytes !== null) await lockStored(trx, stored.api_key_id);
    // Before the task, so that this and a restoration of the task wait for each other.
    const isDue = await endDelay(trx, taskId, options.dueAt);
    if (options.dueAt !== undefined && !isDue) return false;
    const task = await trx.first(
      trx.builder
        .selectFrom('tasks')
        .select([
          'api_key_id',
          'account_id',
          'end_user',
          'model_id',
          'parent_task_id',
          'action',
          'erased_at',
          'deleted_at',
        ])
        .select(['input_bytes', 'outputs_json', 'media_json'])
        .where('id', '=', taskId),
    );
    if (task === undefined) return false;
    const { model_id, parent_task_id, action } = task;
    const input = action === null ? { model_id } : { model_id, parent_task_id, action };
    const erased = await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          input_json: JSON.stringify(input),
          request_json: '{}',
          media_json: null,
          input_bytes: null,
          outputs_json: '[]',
          keep_json: null,
          operation_json: null,
          deliver_json: null,
          metadata_json: '{}',
          end_user: null,
          // Its spending still counts against its limits.
          ...(task.end_user === null ? {} : { erased_end_user: scopeDigest(task.api_key_id, task.end_user) }),
          erased_at: task.erased_at ?? services.clock.now(),
          ...(options.deletedAt === null ? {} : { deleted_at: options.deletedAt }),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', taskId)
        .where('step', '=', 'final'),
    );
    const isDeleted = options.deletedAt !== null || task.deleted_at !== null;
    const subject = {
      id: taskId,
      keyId: task.api_key_id,
      accountId: task.account_id,
      outputs: outputsOf(task),
      isDeleted,
    };
    const wake = (kind: WorkKind) => trx.afterCommit(() => services.wakeWork(kind));
    if (erased > 0) for (const { erased } of services.hooks) await erased?.(trx, subject, wake);
    if (erased > 0) countErased(trx, { keyId: task.api_key_id, endUser: task.end_user }, task.input_bytes ?? 0);
    // For expired tasks the sweep removes the rest, because listing costs a call per task.
    return options.deletedAt !== null || task.outputs_json !== '[]' || task.media_json !== null;
  });
  if (mayHaveFiles) await removeTaskFiles(services, taskId);
}

/** Ends the delay of a deletion. @returns false if there was none, or it is not due yet */
async function endDelay(trx: Transaction, taskId: string, dueAt: number | undefined): Promise<boolean> {
  const ended = trx.builder.deleteFrom('delayed_deletions').where('task_id', '=', taskId);
  return (await trx.run(dueAt === undefined ? ended : ended.where('delete_at', '<=', dueAt))) > 0;
}

/** Removes all files of a task, whichever claim stored them. */
export async function removeTaskFiles(services: Pick<TaskServices, 'storage'>, taskId: string): Promise<void> {
  const keys: string[] = [];
  for (const prefix of taskFilePrefixes(taskId))
    for await (const { key } of services.storage.list(prefix)) keys.push(key);
  for (const key of keys) await services.storage.remove(key);
}
