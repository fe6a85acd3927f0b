import type { Kernel, TaskRow, Transaction } from '../../kernel.ts';
import { LostClaim } from '../../kernel-orders.ts';
import type { Resolved } from './outlook.ts';
import { PARENT_GATE } from './waits.ts';

export type ReleaseKernel = Pick<Kernel, 'files' | 'gates' | 'store'>;

/**
 * Puts a task that waited for others into the fair queue of its engine, or back to its batch, which enqueues it. Its
 * deadline and its retention begin now.
 * @throws LostClaim if it no longer waits, or if somebody else is writing it: then its parents are examined again.
 * ServiceError `storage_limit_reached`
 */
export async function releaseTask(
  { files, gates, store }: ReleaseKernel,
  task: TaskRow,
  release: Resolved,
): Promise<void> {
  const { media, newBytes } = release;
  const write = async (trx: Transaction) => {
    if (newBytes > 0) await files.lock(trx, task.api_key_id);
    if (!(await gates.openParent(trx, task, release))) return false;
    PARENT_GATE.forget(trx, task.id);
    if (newBytes > 0) await files.count(trx, files.storerOf(task, media), newBytes);
    return true;
  };
  const released = await store.write('release_child', write, { together: true });
  if (!released) throw new LostClaim(task.id);
}
