import { ServiceError, type TaskView } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import type { Binding } from '../database/deeds.ts';
import { lockKnownSlots } from '../queue/fair-queue.ts';
import { hasPlace, isClosed } from '../queue/gates.ts';
import { partsOf } from '../queue/queue-names.ts';
import type { TaskRow } from '../record/task.ts';
import { engineOf } from '../record/task-json.ts';
import { lockTask } from '../record/update-unlocked.ts';
import { type SettleServices, settleTask } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findTask, findTaskRow } from '../views/find-tasks.ts';
import type { ViewServices } from '../views/task-view.ts';

/** The services that a cancel needs. */
export type CancelServices = SettleServices &
  Pick<TaskServices, 'cancelRequested' | 'obstacles' | 'routing' | 'wakeRunner'>;

/**
 * Cancels a task: at once if no engine has it, else by asking its engine, if that can stop. A repetition is no fault.
 * @throws ServiceError `task_not_found`, `not_cancelable`
 */
export async function cancelTask(
  services: SettleServices &
    ViewServices &
    Pick<TaskServices, 'cancelRequested' | 'database' | 'obstacles' | 'wakeRunner'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  binding?: Binding,
): Promise<TaskView> {
  const { id } = await findTaskRow(services.database.read, key, type, taskId);
  await services.database.write('cancel_task', async (trx) => {
    await binding?.within(trx, taskId);
    await cancelWithin(services, trx, { id, api_key_id: key.id });
  });
  return await findTask(services, key, type, taskId);
}

const SENT_BY_ORIGINAL =
  'the service was restored from a backup, or copied, and is held, so its engine may have the order already. What becomes of it is decided when an operator releases the service';

/** Whether no engine has the order, and none is being given it. */
function isNobodys({ status, step, worker }: Pick<TaskRow, 'status' | 'step' | 'worker'>): boolean {
  return status === 'queued' || (step === 'deferred' && worker === null);
}

/** Whether a cancel of an open order would change anything. */
export function mayCancel(
  services: Pick<TaskServices, 'obstacles' | 'routing'>,
  task: Pick<TaskRow, 'created_at' | 'queue' | 'status' | 'step' | 'worker' | 'route_json' | 'cancel_requested_at'>,
): boolean {
  if (isNobodys(task)) return !mayBeSentByOriginal(services, task);
  return task.cancel_requested_at === null && services.routing.canCancel(engineOf(task));
}

/** Cancels a task of any key within a unit. @throws ServiceError `not_cancelable` */
export async function cancelWithin(
  services: CancelServices,
  trx: Transaction,
  { id, api_key_id: keyId }: Pick<TaskRow, 'id' | 'api_key_id'>,
): Promise<void> {
  // In the order of a settlement: first the slots, then the row. From here on, no process can claim or end the task.
  await lockKnownSlots(trx, keyId);
  const task = await lockTask(trx, id);
  if (task.status === 'canceled') return;
  if (isNobodys(task)) {
    if (await cancelQueued(services, trx, task)) return;
    throw notCancelable(task, SENT_BY_ORIGINAL);
  }
  if (task.status !== 'processing') throw notCancelable(task, `it has ${task.status}`);
  if (!services.routing.canCancel(engineOf(task)))
    throw notCancelable(task, 'its engine cannot stop a running job. The task continues');
  if (task.cancel_requested_at !== null) return;
  // If nobody holds the task, it is due now. A process that holds it is notified below, or finds the cancel within a
  // second.
  const next_at = task.worker === null ? await databaseNow(trx) : task.next_at;
  await trx.run(
    trx.builder
      .updateTable('tasks')
      .set((expression) => ({
        cancel_requested_at: services.clock.now(),
        next_at,
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', task.id),
  );
  trx.afterCommit(() => {
    services.events.changed(task.id);
    services.cancelRequested(task.id, task.worker);
    services.wakeRunner();
  });
}

/**
 * Cancels an order that no engine has, within a unit that holds its slots and its row.
 * @returns false if it was left alone, since this is a held copy whose original may have sent it
 */
export async function cancelQueued(
  services: SettleServices & Pick<TaskServices, 'cancelRequested' | 'obstacles'>,
  trx: Transaction,
  task: TaskRow,
): Promise<boolean> {
  if (mayBeSentByOriginal(services, task)) return false;
  const ended = await settleTask(services, trx, task, { status: 'canceled' });
  // Its references may be being fetched.
  if (ended && isClosed(task, 'reference') && hasPlace(task))
    trx.afterCommit(() => services.cancelRequested(task.id, null));
  return true;
}

/**
 * Tells whether another installation may have sent an order that waits here: this one is a copy that is held, and the
 * order is older than the copy. The release of the copy decides about the order.
 */
function mayBeSentByOriginal(
  { obstacles }: Pick<TaskServices, 'obstacles'>,
  { created_at, queue }: Pick<TaskRow, 'created_at' | 'queue'>,
): boolean {
  const copiedAt = obstacles.copiedAt();
  return copiedAt !== null && created_at <= copiedAt && partsOf(queue).mode !== 'simulated';
}

function notCancelable(task: TaskRow, reason: string): ServiceError {
  return new ServiceError('not_cancelable', `The task ${task.id} cannot be canceled: ${reason}.`, { param: 'task_id' });
}
