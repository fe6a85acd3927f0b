import { cutText, ServiceError } from '@darkroom-service/contract';
import { type Act, actorOf, type Kernel, type TaskRow, type Transaction } from '@darkroom-service/darkroom/kernel';
import { assertNotExpired, engineOf } from '@darkroom-service/darkroom/kernel-views';

/** Time until the upstream is asked whether there is a result after all, in milliseconds. */
const LATE_RESULT_AFTER_MS = 60_000;

/**
 * Ends an order that its upstream has, or may have, because an operator no longer waits: as `outcome_unknown`, with the
 * hold released. It is never submitted again. A late result changes no money and is reported for reconciliation.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_stuck`
 */
export async function giveUpTask(
  kernel: Pick<Kernel, 'accounts' | 'gates' | 'orders' | 'store'>,
  by: Act,
  taskId: string,
): Promise<void> {
  await kernel.store.write('give_up_task', async (trx) => {
    await by.binding?.within(trx, taskId);
    await giveUpWithin(kernel, trx, by, taskId);
  });
}

/** Gives up a task within a unit. @throws ServiceError as `giveUpTask` */
export async function giveUpWithin(
  kernel: Pick<Kernel, 'accounts' | 'gates' | 'orders'>,
  trx: Transaction,
  by: Act,
  taskId: string,
): Promise<void> {
  // If a worker changes the task between the read and the write, nothing is changed and it is read again.
  while (!(await giveUpAsFound(kernel, trx, by, taskId)));
}

/** Whether an upstream has an order, or may have it: only then its outcome can be unknown. */
export function isAtUpstream({ step }: Pick<TaskRow, 'step'>): boolean {
  return step === 'submitting' || step === 'running';
}

/** @returns whether there is nothing more to do */
async function giveUpAsFound(
  { accounts, gates, orders }: Pick<Kernel, 'accounts' | 'gates' | 'orders'>,
  trx: Transaction,
  by: Act,
  taskId: string,
): Promise<boolean> {
  const task = await openTask(trx, taskId);
  if (!isAtUpstream(task)) throw notStuck(task, 'no upstream has it, so nothing is unknown. Cancel it instead');
  // The settlement locks them: before the row is written, like every writer.
  await gates.lockSlots(trx, task.api_key_id);
  // As after a takeover: an answer that a worker still gets belongs to an earlier claim, so it is reported as late.
  const taken = await trx.run(
    trx.builder
      .updateTable('tasks')
      .set({ fence: task.fence + 1 })
      .where('id', '=', taskId)
      .where('fence', '=', task.fence)
      .where('step', '=', task.step),
  );
  if (taken === 0) return false;
  const engine = engineOf(task);
  const message = `It is not known what became of the order at ${engine}: an operator gave it up. The order is not charged and was not sent again.`;
  const ended = await orders.settle(
    trx,
    { ...task, fence: task.fence + 1 },
    {
      status: 'failed',
      failure: { code: 'outcome_unknown', message },
      detail: { engine, given_up_by: actorOf(by).id },
      ...(task.operation_json === null ? {} : { lateResultAfterMs: LATE_RESULT_AFTER_MS }),
    },
  );
  if (!ended) throw new Error(`the task ${taskId} changed within a transaction that had claimed it`);
  await accounts.record(trx, by, {
    act: 'task.give_up',
    target: taskId,
    detail: { engine, account_id: task.account_id },
  });
  return true;
}

/** Returns the row of an order that is not final. @throws ServiceError `task_not_found`, `task_expired`, `not_stuck` */
export async function openTask(trx: Transaction, taskId: string): Promise<TaskRow> {
  const task = await trx.first(trx.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (task === undefined) await assertNotExpired(trx, taskId, null);
  if (task === undefined) throw new ServiceError('task_not_found', `There is no task '${cutText(taskId, 64)}'.`);
  if (task.step === 'final') throw notStuck(task, `it has ended: its status is ${task.status}`);
  return task;
}

export function notStuck(task: Pick<TaskRow, 'id'>, reason: string): ServiceError {
  return new ServiceError('not_stuck', `Nothing was changed about the task ${task.id}: ${reason}.`, {
    param: 'task_id',
  });
}
