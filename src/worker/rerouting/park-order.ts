import type { Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { PARKED_AT_MOST_MS } from '../../routing/wake-orders.ts';
import { fillSlots, hasFreeSlot, lockSlotsOf } from '../../tasks/fair-queue.ts';
import { GATES } from '../../tasks/gates.ts';
import { moveTask } from '../../tasks/move-task.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/**
 * Parks an order that was never submitted, because its upstream model cannot be ordered now. It keeps its rank, and
 * holds no slot of the engine or of its key. At `next_at` a worker claims it again.
 * @throws LostClaim
 */
export async function parkOrder(
  services: Pick<TaskServices, 'database' | 'events' | 'wakeRunner'>,
  task: TaskRecord,
  afterMs: number,
): Promise<void> {
  await services.database.write('parked', async (trx) => {
    const concurrency = await lockSlotsOf(trx, task.api_key_id);
    const lookAt = (await databaseNow(trx)) + Math.round(Math.min(PARKED_AT_MOST_MS, afterMs));
    await moveTask(services, trx, task, 'waiting', {
      worker: null,
      claimable: 0,
      gates: GATES.route,
      next_at: Math.min(lookAt, task.deadline_at),
      attempts: 0,
      request: task.request,
    });
    await fillSlots(trx, task.api_key_id, concurrency);
    trx.afterCommit(services.wakeRunner);
  });
}

/** Returns whether an order that returns to the queue may be claimed at once. Call it before any write. */
export async function claimableAgain(trx: Transaction, task: TaskRecord): Promise<0 | 1> {
  if (task.claimable === 1) return 1;
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  return (await hasFreeSlot(trx, task.api_key_id, concurrency)) ? 1 : 0;
}
