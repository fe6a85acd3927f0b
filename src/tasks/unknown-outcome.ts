import type { Desk } from './desk.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import { engineOf } from './task-view.ts';

/** Whether the engine may have the order although nothing is stored by which it could be asked. */
export function isWithoutTrace(task: TaskRow): boolean {
  return task.step === 'submitting' || (task.step === 'collecting' && task.operation_json === null);
}

/** Ends a task that is never sent again, because it may have been made: released, and listed for the operator. */
export async function settleUnknown(desk: Desk, task: TaskRow): Promise<boolean> {
  const happened =
    task.step === 'collecting'
      ? 'The service was interrupted before the result was stored, and the engine hands it out only once.'
      : 'The service was interrupted while it handed the order over. Whether it was made is not known.';
  return await settleTask(desk, 'settle_unknown', task, {
    status: 'failed',
    failure: { code: 'outcome_unknown', message: `${happened} It is not charged and was not sent again.` },
    detail: { engine: engineOf(task) },
  });
}
