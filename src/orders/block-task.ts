import type { Transaction } from '../database/database.ts';
import { GATES } from '../tasks/gates.ts';
import { NO_PLACE } from '../tasks/rank.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { waitForParents } from '../tasks/waits.ts';
import type { QueuePosition } from './draft-task.ts';

/** The tasks that an order waits for. */
export interface AwaitedTasks {
  /** The tasks whose ends it waits for, without repetition. */
  readonly parents: readonly string[];
  /** Finished tasks whose outputs it uses. */
  readonly used: readonly string[];
}

/**
 * Lets a new task wait for its parents. Its own time begins when it is released, and that is at their deadline at the
 * latest. `next_at` stays null, so no worker claims it.
 */
export async function blockTask(
  services: Pick<TaskServices, 'clock' | 'settings' | 'wakeReleaser'>,
  trx: Transaction,
  id: string,
  { parents, used }: AwaitedTasks,
): Promise<QueuePosition> {
  const { waiting, parentsDeadlineAt, hasEndedParent } = await waitForParents(trx, id, parents, used);
  if (hasEndedParent) trx.afterCommit(services.wakeReleaser);
  const endsFrom = Math.max(parentsDeadlineAt, services.clock.now());
  return {
    gates: GATES.parent,
    waiting_json: JSON.stringify(waiting),
    rank: NO_PLACE,
    claimable: 0,
    next_at: null,
    deadline_at: endsFrom + services.settings.hardDeadlineMs,
  };
}
