import type { TaskRow } from '../tasks/task.ts';

/** Tells whether the engine may have the order although no operation is stored to ask it. */
export function isWithoutTrace(task: Pick<TaskRow, 'step'>): boolean {
  return task.step === 'submitting';
}
