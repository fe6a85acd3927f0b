import { shortageOf } from '../base/machine-fault.ts';
import { prepare } from '../database/prepared.ts';
import { StorageError } from '../storage/storage.ts';
import { LostClaim } from '../tasks/move-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import { ClaimedTask } from './apply/apply.ts';
import { followTask } from './decide/decide.ts';
import type { EventOf, TaskEvent } from './decide/event.ts';
import type { Held, WorkerServices } from './worker-services.ts';

const selectTask = prepare<{ id: string }, TaskRow>('claimed_task', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')),
);

/** Advances a claimed task. On an error the task is released, or ended if its deadline has come. Never throws: a claim that cannot be released is found later. */
export async function workOnTask(
  work: WorkerServices,
  claimed: TaskRow,
  held: Held,
  onFault: () => void,
): Promise<void> {
  const attempt = new ClaimedTask(work, held, claimed);
  try {
    await advance(attempt);
  } catch (error) {
    onFault();
    await breakOff(attempt, error);
  }
}

/**
 * Advances a claimed task without waiting: one step, or several if the next is due at once. Afterwards the task is settled, released until
 * its next check, or claimed by somebody else.
 * @throws LostClaim, and the error of a failed action
 */
export async function advanceTask(work: WorkerServices, claimed: TaskRow, held: Held): Promise<void> {
  await advance(new ClaimedTask(work, held, claimed));
}

/**
 * Handles an event of a task that nobody has claimed. Writes are fenced all the same: if somebody changed the task meanwhile, nothing is
 * written.
 * @throws the error of an action
 */
export async function handleUnclaimed(work: WorkerServices, task: TaskRow, event: TaskEvent): Promise<void> {
  const held: Held = { signal: new AbortController().signal, onCancel: undefined, setResumable: () => {} };
  await followTask(new ClaimedTask(work, held, task), event);
}

/** If a write finds that the row has changed, reads the row and decides again, once. */
async function advance(attempt: ClaimedTask): Promise<void> {
  const { work, held, task } = attempt;
  try {
    await followTask(attempt, { type: 'claimed' });
  } catch (error) {
    const row = error instanceof LostClaim && !held.signal.aborted ? await rereadOwn(work, task) : null;
    if (row === null) throw error;
    attempt.beginAgain(row);
    await followTask(attempt, { type: 'claimed' });
  }
}

/** Decides on the latest row, because an order submitted since the claim may be at its engine. */
async function breakOff(attempt: ClaimedTask, error: unknown): Promise<void> {
  const { task, held } = attempt;
  const { log } = attempt.work.services;
  const cause = causeOf(error, held);
  if (cause === 'storage' || cause === 'other')
    log.error({ err: error, task_id: task.id, step: task.step }, 'task step failed; retrying');
  for (const couldNotSettle of [false, true]) {
    try {
      return void (await followTask(attempt, { type: 'broke_off', cause, couldNotSettle }));
    } catch (fault) {
      const message = couldNotSettle
        ? 'could not release the lease; it will be reclaimed'
        : 'the task cannot be settled or released right now';
      log.error({ err: fault, task_id: task.id }, message);
    }
  }
}

function causeOf(error: unknown, held: Held): EventOf<'broke_off'>['cause'] {
  if (error instanceof LostClaim || held.signal.reason instanceof LostClaim) return 'claim_lost';
  if (held.signal.aborted) return 'interrupted';
  return error instanceof StorageError || shortageOf(error) !== null ? 'storage' : 'other';
}

/** Reads the row again after a write affected nothing. @returns the changed row, or null if the claim is lost. */
async function rereadOwn({ services }: WorkerServices, known: TaskRow): Promise<TaskRow | null> {
  const row = await services.database.read.first(selectTask, { id: known.id }).catch(() => undefined);
  if (row === undefined || row.fence !== known.fence || row.step === 'final') return null;
  return row.revision === known.revision ? null : row;
}
