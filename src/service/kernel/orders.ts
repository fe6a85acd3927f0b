import type { DeletionView, TaskView } from '@darkroom-service/contract';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { Act } from '../../accounts/audit.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Transaction } from '../../database/database.ts';
import type { Binding } from '../../database/deeds.ts';
import { deleteTask, findDeletable } from '../../erasure/delete-task.ts';
import { eraseTask } from '../../erasure/erase-task.ts';
import { cancelTask, cancelWithin } from '../../orders/cancel-task.ts';
import { judgeAgain } from '../../orders/judge-again.ts';
import { type JudgedOrder, judgeOrder, type SentOrder } from '../../orders/judge-order.ts';
import { placeOrders } from '../../orders/place-order.ts';
import type { TaskRow } from '../../record/task.ts';
import type { ViewRow } from '../../record/task-columns.ts';
import { lockTask } from '../../record/update-unlocked.ts';
import { refundTask } from '../../tasks/refund-task.ts';
import { type Ending, settleTask } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Changes of orders. Each keeps the promises about money and states. */
export interface Orders {
  /**
   * Returns the current catalog, which may be replaced while the service runs.
   * @example const model = kernel.orders.catalog().find('sketch');
   */
  catalog(): Catalog;
  /**
   * Finds the route, the media and the price of an order, or all of its faults.
   * @throws ServiceError with every fault
   * @example
   * const body = { model_id: 'sketch', prompt: 'a fox' };
   * const { quote } = await kernel.orders.judge(key, { operation: 'image', body, simulate: null });
   */
  judge(key: OrderingKey, order: SentOrder): Promise<JudgedOrder>;
  /**
   * Places judged orders that are alike in one unit: binding, limits, holds and rows, all of them or none.
   * @param group.binding finds them for a repeated request; null = each request places orders
   * @returns the new orders, or the id that the binding found
   * @throws ServiceError `price_exceeded`, `queue_full`, `insufficient_balance`, `spend_limit_reached`,
   * `end_user_limit_reached`
   * @example
   * const body = { model_id: 'sketch', prompt: 'a fox' };
   * const judged = await kernel.orders.judge(key, { operation: 'image', body, simulate: null });
   * await kernel.orders.place(judged, { count: 1, binding: null });
   */
  place(judged: JudgedOrder, group: Parameters<typeof placeOrders>[2]): ReturnType<typeof placeOrders>;
  /**
   * Judges an order that waited for others, once these have ended, at the price that is held.
   * @param collect returns the stored file of a medium that waited for an output, or the reason why there is none
   * @example const judged = await kernel.orders.judgeAgain(row, null, async () => ({ reason: 'it has no output' }));
   */
  judgeAgain(
    order: TaskRow,
    parent: Parameters<typeof judgeAgain>[2],
    collect: Parameters<typeof judgeAgain>[3],
  ): ReturnType<typeof judgeAgain>;
  /**
   * Locks the row of an order until the unit ends, and returns it.
   * @example const { status } = await kernel.orders.lock(trx, taskId);
   */
  lock(trx: Transaction, taskId: string): Promise<TaskRow>;
  /**
   * Ends an order: state, money, limits and notifications in one unit.
   * @returns false if it has ended already, or the claim was lost
   * @example await kernel.orders.settle(trx, row, { status: 'canceled' });
   */
  settle(trx: Transaction, task: Parameters<typeof settleTask>[2], ending: Ending): Promise<boolean>;
  /**
   * Cancels an order of the key: at once, or by asking its engine. A repetition is no fault.
   * @throws ServiceError `task_not_found`, `not_cancelable`
   * @example const task = await kernel.orders.cancel(key, 'image', taskId);
   */
  cancel(key: OrderingKey, type: 'image' | 'video', taskId: string, binding?: Binding): Promise<TaskView>;
  /**
   * Cancels an order of any key within a unit. A repetition is no fault.
   * @throws ServiceError `not_cancelable`
   * @example await kernel.orders.cancelWithin(trx, row);
   */
  cancelWithin(trx: Transaction, order: Pick<TaskRow, 'id' | 'api_key_id'>): Promise<void>;
  /**
   * Erases the prompt, the inputs and the outputs of a final order of the key.
   * @throws ServiceError `task_not_found`, `not_final`
   * @example const { deleted_at } = await kernel.orders.delete(key, 'image', taskId);
   */
  delete(key: OrderingKey, type: 'image' | 'video', taskId: string): Promise<DeletionView>;
  /**
   * Returns the row of a final order of the key that is not erased. It may be hidden.
   * @throws ServiceError `task_not_found`, `not_final`
   * @example const { erased_at } = await kernel.orders.deletable(key, 'image', taskId);
   */
  deletable(key: OrderingKey, type: 'image' | 'video', taskId: string): Promise<ViewRow>;
  /**
   * Erases the customer's data of a final order, whoever owns it.
   * @param options.deletedAt null = its retention ended
   * @param options.hiddenAt erases it only if it has been hidden since this time
   * @example await kernel.orders.erase(taskId, { deletedAt: null });
   */
  erase(taskId: string, options: { readonly deletedAt: number | null; readonly hiddenAt?: number }): Promise<void>;
  /**
   * Gives the whole charge of an order back, once.
   * @throws ServiceError `task_not_found`, `task_expired`, `not_refundable`
   * @example await kernel.orders.refund(by, taskId);
   */
  refund(by: Act, taskId: string): Promise<void>;
}

/** Opens the orders for additions. */
export function openOrders(services: TaskServices): Orders {
  return {
    catalog: services.catalog,
    judge: (key, order) => judgeOrder(services, key, order),
    place: (judged, group) => placeOrders(services, judged, group),
    judgeAgain: (order, parent, collect) => judgeAgain(services, order, parent, collect),
    lock: lockTask,
    settle: (trx, task, ending) => settleTask(services, trx, task, ending),
    cancel: (key, type, taskId, binding) => cancelTask(services, key, type, taskId, binding),
    cancelWithin: (trx, order) => cancelWithin(services, trx, order),
    delete: (key, type, taskId) => deleteTask(services, key, type, taskId),
    deletable: (key, type, taskId) => findDeletable(services.database.read, key, type, taskId),
    erase: (taskId, options) => eraseTask(services, taskId, options),
    refund: (by, taskId) => refundTask(services, by, taskId),
  };
}
