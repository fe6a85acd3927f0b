import { sql, type Updateable } from 'kysely';
import type { Transaction } from '../database/database.ts';
import type { TasksTable } from '../database/schema.ts';
import { databaseNow } from './claim-tasks.ts';
import type { Desk } from './desk.ts';
import { statusOfStep, stepsBefore, type TaskRow, type TaskStep } from './task.ts';

/** The claim is no longer ours: another worker has the task, or it has ended. Nothing was written. */
export class LostClaim extends Error {
  constructor(taskId: string) {
    super(`the claim on task ${taskId} was lost`);
    this.name = 'LostClaim';
  }
}

type Changes = Omit<Updateable<TasksTable>, 'step' | 'status' | 'fence' | 'revision'>;

/**
 * Takes a claimed task one step on. Fenced: a late worker changes zero rows.
 * @param name the commit point.
 * @throws LostClaim
 */
export async function moveTask(
  desk: Desk,
  name: string,
  task: TaskRow,
  step: Exclude<TaskStep, 'final'>,
  changes: Changes = {},
): Promise<TaskRow> {
  const status = statusOfStep(step);
  return await desk.database.write(name, async (trx) => {
    const row = await trx.first(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({ ...changes, step, status, revision: expression('revision', '+', 1) }))
        .where('id', '=', task.id)
        .where('fence', '=', task.fence)
        .where('step', 'in', [step, ...stepsBefore(step)])
        .returningAll(),
    );
    if (row === undefined) throw new LostClaim(task.id);
    trx.afterCommit(() => desk.events.changed(task.id));
    return row;
  });
}

/** Notes progress; it never falls. A task that is no longer ours is left alone. */
export async function noteProgress(desk: Desk, task: TaskRow, progress: number): Promise<void> {
  const whole = Math.max(0, Math.min(99, Math.floor(progress)));
  await desk.database.write('note_progress', async (trx) => {
    const changed = await trx.run(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          progress: whole,
          progressed_at: desk.clock.now(),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', task.id)
        .where('fence', '=', task.fence)
        .where('step', '!=', 'final')
        .where('progress', '<', whole),
    );
    if (changed > 0) trx.afterCommit(() => desk.events.changed(task.id));
  });
}

/** Lets a claimed task go, to be claimed again after a while. A task that is no longer ours is left alone. */
export async function letGo(
  desk: Desk,
  task: TaskRow,
  options: { readonly afterMs: number; readonly attempts: number; readonly step?: TaskStep },
): Promise<void> {
  await desk.database.write('let_go', async (trx: Transaction) => {
    const now = await databaseNow(trx);
    const nextAt = now + Math.max(0, Math.round(options.afterMs));
    await trx.run(
      trx.builder
        .updateTable('tasks')
        .set({
          worker: null,
          // A wish to cancel that came while the task was held is acted on at once.
          next_at:
            task.cancel_requested_at === null
              ? sql<number>`case when cancel_requested_at is null then cast(${nextAt} as bigint) else cast(${now} as bigint) end`
              : nextAt,
          attempts: options.attempts,
          ...(options.step === undefined ? {} : { step: options.step }),
        })
        .where('id', '=', task.id)
        .where('fence', '=', task.fence)
        .where('step', '!=', 'final'),
    );
  });
}
