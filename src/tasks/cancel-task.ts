import type { OrderingKey } from '../accounts/api-key.ts';
import { ServiceError } from '../base/errors.ts';
import type { Transaction } from '../database/database.ts';
import { databaseNow } from './claim-tasks.ts';
import type { Desk } from './desk.ts';
import { findTask, findTaskRow } from './find-tasks.ts';
import { settleWithin } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import { engineOf, type TaskView } from './task-view.ts';

/**
 * Cancels a task: one that no engine has at once, any other by asking its engine where that can stop. Repeating it is no fault.
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
    // Where another process takes or ends the task between a look and what it leads to, nothing is changed and it is looked at again.
    while (!(await cancelAsFound(desk, trx, taskId)));
  });
  return await findTask(desk, key, type, taskId);
}

/** @returns whether there is nothing more to do. */
async function cancelAsFound(desk: Desk, trx: Transaction, taskId: string): Promise<boolean> {
  const task = await trx.first(trx.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (task === undefined) throw new Error(`the task ${taskId} has gone`);
  if (task.status === 'canceled') return true;
  // No engine has it, nor is it being handed to one.
  const isNobodys = task.status === 'queued' || (task.step === 'deferred' && task.worker === null);
  if (isNobodys) return await settleWithin(desk, trx, task, { status: 'canceled' });
  if (task.status !== 'processing') throw notCancelable(task, `it has ${task.status}`);
  if (!desk.routing.canCancel(engineOf(task)))
    throw notCancelable(task, 'its engine cannot stop what it has begun. It runs on');
  if (task.cancel_requested_at !== null) return true;
  // Nobody holds it: it is looked at now. Whoever holds it is told below, or by its next renewal.
  const next_at = task.worker === null ? await databaseNow(trx) : task.next_at;
  const changed = await trx.run(
    trx.builder
      .updateTable('tasks')
      .set((expression) => ({
        cancel_requested_at: desk.clock.now(),
        next_at,
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', task.id)
      .where('fence', '=', task.fence)
      .where('step', '!=', 'final'),
  );
  if (changed === 0) return false;
  trx.afterCommit(() => {
    desk.events.changed(task.id);
    desk.cancelRequested(task.id);
    desk.wakeRunner();
  });
  return true;
}

function notCancelable(task: TaskRow, reason: string): ServiceError {
  return new ServiceError('not_cancelable', `The task ${task.id} cannot be canceled: ${reason}.`, { param: 'task_id' });
}
