import { cutText, formatMicros, ServiceError } from '@darkroom-service/contract';
import { type Act, recordAct } from '../accounts/audit.ts';
import { dayOf, reopenDay } from '../accounts/closed-days.ts';
import { refund } from '../accounts/ledger.ts';
import { countRelease } from '../accounts/spend-limits.ts';
import { takeFromTaskDay } from '../accounts/task-days.ts';
import { takeFromQuarter } from '../accounts/usage-quarters.ts';
import type { Database, Transaction } from '../database/database.ts';
import { assertNotExpired } from '../record/expired-task.ts';
import type { TaskRow } from '../record/task.ts';
import { type FollowerServices, notifyFollowers } from './follower.ts';

/**
 * Gives the whole charge of a task back, once: to the balance, to the limits and in all reports. The task stays
 * `succeeded`. Resolves the entries of the operator's list about a result of the task that does not decode or is less
 * than ordered.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_refundable`
 */
export async function refundTask(
  { database, ...services }: FollowerServices & { readonly database: Database },
  by: Act,
  taskId: string,
): Promise<void> {
  await database.write('refund_task', async (trx) => {
    await by.binding?.within(trx, taskId);
    const task = await trx.first(trx.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
    if (task === undefined) await assertNotExpired(trx, taskId, null);
    if (task === undefined) throw new ServiceError('task_not_found', `There is no task '${cutText(taskId, 64)}'.`);
    const { account_id: accountId, api_key_id: keyId } = task;
    const refunded = await trx.first(
      trx.builder
        .updateTable('tasks')
        .set((expression) => ({
          charged: 0,
          refunded: expression.ref('charged'),
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', taskId)
        .where('charged', '>', 0)
        .returning('refunded as amount'),
    );
    if (refunded?.amount == null) throw notRefundable(task);
    const { amount } = refunded;
    refund(trx, { accountId, apiKeyId: keyId, mode: task.mode, taskId }, amount);
    countRelease(trx, task, amount);
    await takeFromTaskDay(trx, task, amount);
    await takeFromQuarter(trx, task, amount);
    await takeFromCosts(trx, taskId);
    await trx.run(
      trx.builder
        .updateTable('reconciliation')
        .set({ resolution: `${formatMicros(amount)} USD were refunded.`, resolved_at: by.now })
        .where('task_id', '=', taskId)
        .where('kind', 'in', ['broken_output', 'not_as_ordered'])
        .where('resolved_at', 'is', null),
    );
    notifyFollowers(services, trx, task.followed, (follower, unit) =>
      follower.refunded?.(unit, task, { amount, now: by.now }),
    );
    const detail = { amount: formatMicros(amount), account_id: accountId };
    await recordAct(trx, by, { act: 'task.refund', target: taskId, detail });
  });
}

async function takeFromCosts(trx: Transaction, taskId: string): Promise<void> {
  const row = await trx.first(
    trx.builder.updateTable('task_costs').set({ charged: 0 }).where('task_id', '=', taskId).returning('settled_at'),
  );
  if (row !== undefined) await reopenDay(trx, 'costs', dayOf(row.settled_at));
}

function notRefundable({ id, status, charged, refunded }: TaskRow): ServiceError {
  const reason =
    status !== 'succeeded'
      ? `its status is ${status}`
      : charged === 0 && refunded === null
        ? 'nothing was charged'
        : 'it was refunded before';
  return new ServiceError('not_refundable', `The task ${id} cannot be refunded: ${reason}.`, { param: 'task_id' });
}
