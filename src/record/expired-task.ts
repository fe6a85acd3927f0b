import { ServiceError } from '@darkroom-service/contract';
import type { Session } from '../database/database.ts';

/**
 * Distinguishes an id whose row was removed by age from one that never existed. Every ended order, also a free or
 * failed one, has one `release` in the ledger, which stays; so such an entry without a task proves a removed task.
 * @param keyId the key that asks; null = an operator
 * @throws ServiceError `task_expired`
 */
export async function assertNotExpired(session: Session, taskId: string, keyId: string | null): Promise<void> {
  const entry = await session.first(
    session.builder
      .selectFrom('ledger')
      .select('api_key_id')
      .where('task_id', '=', taskId)
      .where('kind', '=', 'release'),
  );
  if (entry === undefined || (keyId !== null && entry.api_key_id !== keyId)) return;
  throw new ServiceError(
    'task_expired',
    `The task '${taskId}' was removed because of its age. Its ledger entries remain.`,
    {
      param: 'task_id',
    },
  );
}
