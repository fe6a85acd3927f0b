import { cutText, ServiceError } from '@darkroom-service/contract';
import type { Act, Kernel, Transaction } from '@darkroom-service/darkroom/kernel';
import { assertNotExpired } from '@darkroom-service/darkroom/kernel-views';

/**
 * Cancels an order as an operator, on behalf of the customer.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_cancelable`
 */
export async function cancelForCustomer(
  kernel: Pick<Kernel, 'accounts' | 'orders' | 'store'>,
  by: Act,
  taskId: string,
): Promise<void> {
  await kernel.store.write('cancel_task', async (trx) => {
    await by.binding?.within(trx, taskId);
    await cancelForCustomerWithin(kernel, trx, by, taskId);
  });
}

/** Cancels an order as an operator, within a unit. @throws ServiceError as `cancelForCustomer` */
export async function cancelForCustomerWithin(
  { accounts, orders }: Pick<Kernel, 'accounts' | 'orders'>,
  trx: Transaction,
  by: Act,
  taskId: string,
): Promise<void> {
  const task = await trx.first(
    trx.builder.selectFrom('tasks').select(['id', 'api_key_id', 'account_id']).where('id', '=', taskId),
  );
  if (task === undefined) await assertNotExpired(trx, taskId, null);
  if (task === undefined) throw new ServiceError('task_not_found', `There is no task '${cutText(taskId, 64)}'.`);
  await orders.cancelWithin(trx, task);
  await accounts.record(trx, by, { act: 'task.cancel', target: taskId, detail: { account_id: task.account_id } });
}
