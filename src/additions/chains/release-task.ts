import type { TaskRow, TaskServices, Transaction } from '../../kernel.ts';
import { countStored, lockStored } from '../../kernel-accounts.ts';
import { LostClaim, openParentGate, type Resolved } from '../../kernel-orders.ts';
import { storerOfMedia } from '../../kernel-views.ts';
import { PARENT_GATE } from './waits.ts';

export type ReleaseServices = Pick<
  TaskServices,
  'clock' | 'database' | 'events' | 'followers' | 'settings' | 'wakeRunner' | 'wakeWork'
>;

/**
 * Puts a task that waited for others into the fair queue of its engine, or back to its batch, which enqueues it. Its
 * deadline and its retention begin now.
 * @throws LostClaim if it no longer waits, or if somebody else is writing it: then its parents are examined again.
 * ServiceError `storage_limit_reached`
 */
export async function releaseTask(services: ReleaseServices, task: TaskRow, release: Resolved): Promise<void> {
  const { media, newBytes } = release;
  const write = async (trx: Transaction) => {
    if (newBytes > 0) await lockStored(trx, task.api_key_id);
    if (!(await openParentGate(services, trx, task, release))) return false;
    PARENT_GATE.forget(trx, task.id);
    if (newBytes > 0) await countStored(trx, storerOfMedia(task, media), newBytes, services.settings.storageLimits);
    return true;
  };
  const released = await services.database.write('release_child', write, { together: true });
  if (!released) throw new LostClaim(task.id);
}
