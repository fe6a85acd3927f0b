import { ServiceError } from '../base/errors.ts';
import { timeOfId } from '../base/ids.ts';
import type { Session } from '../database/database.ts';

/** Names the UTC month of a time, such as `2026-03`. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm'.length);
}

/**
 * Refuses to say more of a task that may be archived. Whether it exists is not told, since it may be of another key.
 * @throws ServiceError `task_archived` if tasks of the month in which the id was made are archived
 */
export async function assertNotArchived(session: Session, taskId: string): Promise<void> {
  const time = timeOfId(taskId);
  if (time === null) return;
  const month = monthOf(time);
  const archive = await session.first(
    session.builder.selectFrom('archives').select('id').where('month', '=', month).limit(1),
  );
  if (archive === undefined) return;
  throw new ServiceError(
    'task_archived',
    `Finished tasks of ${month} are archived. If this API key had a task '${taskId.slice(0, 64)}', only the operator has it now.`,
    { param: 'task_id' },
  );
}
