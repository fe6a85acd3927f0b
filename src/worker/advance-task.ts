import { prepare } from '../database/prepared.ts';
import type { TaskRow } from '../record/task.ts';
import { readTask, type TaskRecord } from '../record/task-record.ts';
import { LostClaim } from '../tasks/move-task.ts';
import { followClaimed } from './apply/apply.ts';
import { storageFaultOf } from './apply/storage-fault.ts';
import type { ClaimedTask } from './claimed-task.ts';
import type { EventOf, TaskEvent } from './decide/event.ts';
import type { WorkerServices } from './worker-services.ts';

const selectTask = prepare<{ id: string }, TaskRow>('claimed_task', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')),
);

/**
 * Advances a claimed task without waiting: one step, or several if the next is due at once. Afterwards the task is
 * settled, released until its next check, or claimed by somebody else. If a write finds that the row has changed, reads
 * the row and decides again, once.
 * @throws LostClaim, and the error of a failed action
 */
export async function advanceTask(claimed: ClaimedTask, first: TaskEvent = { type: 'claimed' }): Promise<void> {
  const { work, task } = claimed;
  try {
    await followClaimed(claimed, first);
  } catch (error) {
    const row = error instanceof LostClaim && !claimed.signal.aborted ? await rereadOwn(work, task) : null;
    if (row === null) throw error;
    claimed.beginAgain(row);
    await followClaimed(claimed, { type: 'claimed' });
  }
}

/**
 * Releases a task after an error, or ends it if its deadline has come. Decides on the latest row, because an order
 * submitted since the claim may be at its engine. Never throws: a claim that cannot be released is found later.
 */
export async function abortAttempt(claimed: ClaimedTask, error: unknown): Promise<void> {
  const { task } = claimed;
  const { log } = claimed.work.services;
  const cause = causeOf(error, claimed.signal);
  if (cause === 'storage' || cause === 'other')
    log.error({ err: error, task_id: task.id, step: task.step }, 'task step failed; retrying');
  if (cause === 'storage') claimed.work.checks.record(task, 'storage', storageFaultOf(error));
  for (const couldNotSettle of [false, true]) {
    try {
      return void (await followClaimed(claimed, { type: 'broke_off', cause, couldNotSettle }));
    } catch (fault) {
      const message = couldNotSettle
        ? 'could not release the lease; it will be reclaimed'
        : 'the task cannot be settled or released right now';
      log.error({ err: fault, task_id: task.id }, message);
    }
  }
}

function causeOf(error: unknown, signal: AbortSignal): EventOf<'broke_off'>['cause'] {
  if (error instanceof LostClaim || signal.reason instanceof LostClaim) return 'claim_lost';
  if (signal.aborted) return 'interrupted';
  return storageFaultOf(error) === null ? 'other' : 'storage';
}

/** Reads the row again after a write affected nothing. @returns the changed row, or null if the claim is lost. */
async function rereadOwn({ services }: WorkerServices, known: TaskRecord): Promise<TaskRecord | null> {
  const row = await services.database.read.first(selectTask, { id: known.id }).catch(() => undefined);
  if (row === undefined || row.fence !== known.fence || row.step === 'final') return null;
  return row.revision === known.revision ? null : readTask(row);
}
