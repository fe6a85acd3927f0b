import { LostClaim } from '../tasks/move-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { readFences } from './ownership/claimed-tasks.ts';

/** Aborts work on tasks that were taken over while this process was silent. Calls that cannot be resumed continue. */
export async function breakOffLost(
  attempts: readonly ClaimedTask[],
  { database, log }: Pick<TaskServices, 'database' | 'log'>,
): Promise<void> {
  if (attempts.length === 0) return;
  try {
    const fences = await readFences(
      database.read,
      attempts.map(({ task }) => task.id),
    );
    for (const attempt of attempts) {
      const { id, fence } = attempt.task;
      if (fences.get(id) !== fence) attempt.interruption.abortIfResumable(new LostClaim(id));
    }
  } catch (error) {
    // The writes are fenced anyway.
    log.warn({ err: error }, 'could not check leases after a stall');
  }
}
