import type { StoredOutput, TaskRow, TaskStep } from '../../src/record/task.ts';
import type { OrderCost } from '../../src/record/task-costs.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import { type Changes, moveTask, releaseLease } from '../../src/tasks/move-task.ts';
import { type Ending, settleTask } from '../../src/tasks/settle-task.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';

/** Writes of the worker, each in a commit of its own. */

const TOGETHER = { together: true };

/** Commits a move of a claimed task. @throws LostClaim */
export async function commitMove(
  services: TaskServices,
  task: TaskRecord,
  step: Exclude<TaskStep, 'final'>,
  changes: Changes = {},
): Promise<TaskRecord> {
  return await services.database.write(step, (trx) => moveTask(services, trx, task, step, changes), TOGETHER);
}

export async function commitRelease(
  services: TaskServices,
  task: Parameters<typeof releaseLease>[1],
  options: Parameters<typeof releaseLease>[2],
): Promise<void> {
  await services.database.write('let_go', async (trx) => releaseLease(trx, task, options), TOGETHER);
}

/** Returns the end of a picture that is charged so much and whose file is not there. */
export function succeededWith(amount: number, { id }: Pick<TaskRow, 'id'>): Extract<Ending, { status: 'succeeded' }> {
  const output: StoredOutput = {
    key: `tasks/${id}/0-out.png`,
    contentType: 'image/png',
    bytes: 1,
    width: 64,
    height: 64,
    durationSeconds: null,
    hasAudio: null,
    sha256: '',
    fps: null,
    thumbnailKey: null,
    tiles: null,
    seed: null,
    revisedPrompt: null,
  };
  return { status: 'succeeded', outputs: [output], keep: null, charge: { amount, lines: [] } };
}

/** Commits the end of a claimed task. @returns false if the claim was lost or the task has ended */
export async function commitEnding(
  services: TaskServices,
  name: string,
  task: Parameters<typeof settleTask>[2],
  ending: Ending,
  cost: OrderCost | null = null,
): Promise<boolean> {
  return await services.database.write(name, (trx) => settleTask(services, trx, task, ending, cost), TOGETHER);
}
