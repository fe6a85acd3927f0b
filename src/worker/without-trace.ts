import type { TaskRow } from '../tasks/task.ts';

/** Whether the engine may have the order although nothing is stored by which it could be asked. */
export function isWithoutTrace(task: Pick<TaskRow, 'step' | 'operation_json'>): boolean {
  return task.step === 'submitting' || (task.step === 'collecting' && task.operation_json === null);
}
