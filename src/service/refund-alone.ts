import type { Act } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import { refundTask } from '../tasks/refund-task.ts';
import type { Addition } from './addition.ts';
import { assignBits } from './assignments.ts';

/**
 * Gives the whole charge of an order back, once, in a process without the service. A running service finds the work of
 * the followers within a second.
 * @param additions the service's additions, whose followers are notified
 * @throws ServiceError `task_not_found`, `task_expired`, `not_refundable`
 */
export async function refundAlone(
  database: Database,
  additions: readonly Addition[],
  by: Act,
  taskId: string,
): Promise<void> {
  const { followers } = await assignBits(database, additions);
  await refundTask({ database, followers, createId: by.createId, wakeWork: () => {} }, by, taskId);
}
