import { fillSlots, lockSlotsOf } from '../../tasks/fair-queue.ts';
import { type Changes, letGo, moveTask } from '../../tasks/move-task.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { WorkerServices } from '../worker-services.ts';

/** An order that waits longer than this gives up the slot of its key. */
const SLOT_KEPT_MS = 5_000;

/**
 * Releases an order that its upstream certainly does not have, for another submission later. The same commit stores the
 * time of the first refusal, unless the order is only held.
 * @throws LostClaim
 */
export async function deferOrder(
  { services }: Pick<WorkerServices, 'services'>,
  task: TaskRecord,
  wait: { readonly afterMs: number; readonly attempts: number; readonly why: 'refused' | 'held' | 'ours' },
): Promise<void> {
  const { route } = task;
  const refused = { route: { ...route, refused_at: route.refused_at ?? services.clock.now() } };
  await release(services, task, wait, wait.why === 'refused' ? refused : {});
}

/**
 * Releases an order that its free engine has lost, or may have, for another submission later. The same commit forgets
 * its operation.
 * @throws LostClaim
 */
export async function offerOrderAgain(
  { services }: Pick<WorkerServices, 'services'>,
  task: TaskRecord,
  { afterMs, losses }: { readonly afterMs: number; readonly losses: number },
): Promise<void> {
  const changes = { operation_json: null, route: { ...task.route, losses } };
  await release(services, task, { afterMs, attempts: 0 }, changes);
}

async function release(
  services: WorkerServices['services'],
  task: TaskRecord,
  wait: { readonly afterMs: number; readonly attempts: number },
  more: Changes,
): Promise<void> {
  await services.database.write(
    'deferred',
    async (trx) => {
      const concurrency = wait.afterMs < SLOT_KEPT_MS ? 0 : await lockSlotsOf(trx, task.api_key_id);
      const changes = { ...more, ...(concurrency === 0 ? {} : { claimable: 0 }) };
      const deferred = await moveTask(services, trx, task, 'deferred', changes);
      letGo(trx, deferred, wait);
      if (concurrency === 0) return;
      await fillSlots(trx, task.api_key_id, concurrency);
      trx.afterCommit(services.wakeRunner);
    },
    { together: true },
  );
}
