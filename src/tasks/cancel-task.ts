import type { OrderingKey } from '../accounts/api-key.ts';
import { ServiceError } from '../base/errors.ts';
import { databaseNow } from './claim-tasks.ts';
import type { Desk } from './desk.ts';
import { findTask, findTaskRow } from './find-tasks.ts';
import { settleWithin } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import { engineOf, type TaskView } from './task-view.ts';

/**
 * Cancels a task: a queued one at once, a processing one by asking its engine where that can stop. Repeating it is no fault.
 * @throws ServiceError `task_not_found`, `not_cancelable`
 */
export async function cancelTask(
  desk: Desk,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<TaskView> {
  await findTaskRow(desk.database.read, key.id, type, taskId);
  await desk.database.write('cancel_task', async (trx) => {
    const task = await trx.first(trx.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
    if (task === undefined) throw new Error(`the task ${taskId} has gone`);
    if (task.status === 'canceled') return;
    if (task.status === 'queued') return void (await settleWithin(desk, trx, task, { status: 'canceled' }));
    if (task.status !== 'processing') throw notCancelable(task, `it has ${task.status}`);
    if (!desk.routing.canCancel(engineOf(task)))
      throw notCancelable(task, 'its engine cannot stop what it has begun. It runs on');
    if (task.cancel_requested_at !== null) return;
    // Nobody holds it: it is looked at now. Whoever holds it is told below, or by its next renewal.
    const next_at = task.worker === null ? await databaseNow(trx) : task.next_at;
    await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          cancel_requested_at: desk.clock.now(),
          next_at,
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', task.id),
    );
    trx.afterCommit(() => {
      desk.events.changed(task.id);
      desk.cancelRequested(task.id);
      desk.wakeRunner();
    });
  });
  return await findTask(desk, key, type, taskId);
}

function notCancelable(task: TaskRow, reason: string): ServiceError {
  return new ServiceError('not_cancelable', `The task ${task.id} cannot be canceled: ${reason}.`, { param: 'task_id' });
}
