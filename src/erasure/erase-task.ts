import { sleep, world } from '@darkroom-service/contract';
import { countErased, lockStored } from '../accounts/stored-bytes.ts';
import { forgetInQuarter, lockQuarters } from '../accounts/usage-quarters.ts';
import { prepare } from '../database/prepared.ts';
import type { WorkKind } from '../database/work.ts';
import { NAMES_SEVERAL } from '../record/order-models.ts';
import { storedRoute } from '../record/stored-json.ts';
import { type TaskRow, taskFilePrefixes, taskOfFileKey } from '../record/task.ts';
import { failureOfErased, mediaOf, outputsOf, routeOfErased } from '../record/task-json.ts';
import { isAwaited } from '../tasks/parent-gate.ts';
import { shortenReports } from '../tasks/report-to-operator.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { forgetErasedGroups } from './erased-groups.ts';

const selectStored = prepare<{ id: string }, Pick<TaskRow, 'api_key_id' | 'input_bytes'>>(
  'erase_stored',
  (builder, argument) =>
    builder.selectFrom('tasks').select(['api_key_id', 'input_bytes']).where('id', '=', argument('id')),
);

/** The parts of the process that erase tasks. */
export type EraseServices = Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'parentGate' | 'storage' | 'wakeWork'>;

/** Tasks or files erased together: their writes share a commit, and their files are removed in parallel. */
const ERASED_TOGETHER = 16;
const MAX_PAUSE_MS = 200;

/**
 * Erases the customer's data of a final task: first in the row, so that nothing is shown any more, then the files. The
 * sweep finds files that a kill leaves behind, because no row names them. Retention spares a task that others wait for;
 * if its customer deletes it, the waiting orders fail.
 * @param options.deletedAt set if the customer deleted the task; null if its retention ended
 * @param options.hiddenAt erases only a task that has been hidden since this time and is not erased: nobody has
 * restored it meanwhile
 */
export async function eraseTask(
  services: EraseServices,
  taskId: string,
  options: { readonly deletedAt: number | null; readonly hiddenAt?: number },
): Promise<void> {
  const files = await services.database.write('erase_task', async (trx) => {
    const stored = await trx.first(selectStored, { id: taskId });
    if (stored === undefined) return null;
    const awaited = trx.builder.selectFrom('tasks').select('id').where('id', '=', taskId).where(isAwaited(services));
    if (options.deletedAt === null && (await trx.first(awaited)) !== undefined) return null;
    if (stored.input_bytes !== null) await lockStored(trx, stored.api_key_id);
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
          'status',
          'created_at',
          'charged',
          'erased_at',
          'deleted_at',
          'line',
        ])
        .select(['input_bytes', 'outputs_json', 'media_json', 'error_json', 'route_json'])
        .where('id', '=', taskId),
    );
    if (task === undefined) return null;
    const summedBefore = task.end_user === null ? null : await lockQuarters(trx, task);
    const { model_id, parent_task_id, action } = task;
    const input = action === null ? { model_id } : { model_id, parent_task_id, action };
    const erased = await trx.run(
      trx.builder
        .updateTable('tasks')
        .$if(options.hiddenAt !== undefined, (update) =>
          update.where('deleted_at', '=', options.hiddenAt ?? null).where('erased_at', 'is', null),
        )
        .set((expression) => ({
          input_json: JSON.stringify(input),
          request_json: '{}',
          ...(task.route_json.includes(NAMES_SEVERAL) ? { route_json: storedRoute(routeOfErased(task)) } : {}),
          media_json: null,
          input_bytes: null,
          outputs_json: '[]',
          keep_json: null,
          operation_json: null,
          deliver_json: null,
          webhook_url: null,
          error_json: failureOfErased(task),
          metadata_json: '{}',
          // Its scope stays: it still names the order's owner.
          end_user: null,
          end_user_sent: null,
          erased_at: task.erased_at ?? services.clock.now(),
          ...(options.deletedAt === null ? {} : { deleted_at: options.deletedAt }),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', taskId)
        .where('step', '=', 'final'),
    );
    if (erased === 0) return null;
    await shortenReports(trx, [taskId]);
    if (summedBefore !== null) await forgetInQuarter(trx, task, summedBefore);
    const isDeleted = options.deletedAt !== null || task.deleted_at !== null;
    trx.erases(isDeleted ? 'soon' : 'later');
    const subject = {
      id: taskId,
      keyId: task.api_key_id,
      accountId: task.account_id,
      outputs: outputsOf(task),
      isDeleted,
    };
    const wake = (kind: WorkKind) => trx.afterCommit(() => services.wakeWork(kind));
    for (const { erased } of services.hooks) await erased?.(trx, subject, wake);
    // The group of a task that is erased by age may still have something to report. It is erased by its own age.
    if (isDeleted) await forgetErasedGroups(services, trx, [{ id: taskId, line: task.line }]);
    countErased(trx, { keyId: task.api_key_id, endUser: task.end_user }, task.input_bytes ?? 0);
    // For expired tasks the sweep removes the rest, because listing costs a call per task.
    const named = namedFiles(taskId, task);
    return options.deletedAt !== null || task.outputs_json !== '[]' || task.media_json !== null ? named : null;
  });
  if (files !== null) await removeTaskFiles(services, taskId, files);
}

/** Erases some rows at a time, with pauses that leave time for orders, until a stop. */
export async function eraseInGroups<Due>(
  due: readonly Due[],
  signal: AbortSignal,
  erase: (one: Due) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < due.length && !signal.aborted; at += ERASED_TOGETHER) {
    const began = world.monotonic();
    await Promise.all(due.slice(at, at + ERASED_TOGETHER).map(erase));
    // A pause as long as the work took.
    await sleep(Math.min(MAX_PAUSE_MS, world.monotonic() - began));
  }
}

/** Returns the files of a task that its row names. */
function namedFiles(taskId: string, row: Pick<TaskRow, 'outputs_json' | 'media_json'>): readonly string[] {
  const outputs = outputsOf(row).flatMap(({ key, thumbnailKey, previewKey }) => [key, thumbnailKey, previewKey]);
  const media = mediaOf(row).map(({ stored }) => stored?.key);
  return [...outputs, ...media].filter((key) => typeof key === 'string' && taskOfFileKey(key) === taskId) as string[];
}

/**
 * Removes all files of a task, no matter which claim stored them.
 * @param named files that its row names: they are removed even if a storage does not list them
 */
export async function removeTaskFiles(
  services: Pick<TaskServices, 'storage'>,
  taskId: string,
  named: readonly string[] = [],
): Promise<void> {
  const keys = new Set(named);
  for (const prefix of taskFilePrefixes(taskId))
    for await (const { key } of services.storage.list(prefix)) keys.add(key);
  for (const key of keys) await services.storage.remove(key);
}
