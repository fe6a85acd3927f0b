/*
 * What additions do with orders and their files. Only files that are loaded with a process of the service import values
 * from here: no command loads it at its start.
 */

/** Orders as callers see them, and their content. */
export {
  type FindServices,
  findOwnRow,
  findRowOrTombstone,
  findTask,
  findTaskRow,
  type NamedOrders,
  ownerInAccount,
  taskNotFound,
} from './tasks/views/find-tasks.ts';
export { readGroups, type ViewServices, viewTasks } from './tasks/views/task-view.ts';
export { expired, requireOutput, taskContent } from './tasks/views/task-content.ts';
export { assertNotExpired } from './tasks/expired-task.ts';
export { VIEW_COLUMNS, type ViewRow } from './tasks/task-columns.ts';

/** The columns of an order that hold JSON: its request, media and route, and why it failed. */
export { engineOf, failureOf, mediaOf, requestOf, routeOf } from './tasks/task-json.ts';

/** New orders: their judgement, the fields that all orders have, and requests that are repeated. */
export { type JudgeServices, judgeOrder } from './orders/judge-order.ts';
export { describeValue, readEndUserName, readWebhookUrl } from './orders/service-fields.ts';
export { bindClaim, claimWithin, type IdempotencyClaim } from './orders/idempotency.ts';

/** Orders that move: their gates, places and slots in the queue, claims that are lost, and deadlines. */
export { GATES, gatesOfMedia, hasPlace, withoutGate } from './tasks/gates.ts';
export { concurrencyOf, fillSlots, lockSlotsOf, placeInQueue } from './tasks/fair-queue.ts';
export { updateUnlocked } from './tasks/update-unlocked.ts';
export { LostClaim } from './tasks/move-task.ts';
export { deadlineMsAt, type OrderTimes } from './tasks/order-times.ts';

/** The end of orders, their erasure, and who is told of what becomes of them. */
export { followedBy, tellFollowers } from './tasks/follower.ts';
export { type SettleServices, settleTask } from './tasks/settle-task.ts';
export { type EraseServices, eraseInGroups, eraseTask, removeTaskFiles } from './tasks/erase-task.ts';

/** Files of customers, and the bytes that count for their owners. */
export { discardFiles, eraseFileRow, insertFile, storageFault } from './tasks/files/new-file.ts';
export {
  assertRoomToStore,
  countStored,
  lockStored,
  roomToStore,
  type Storer,
  storerOf,
} from './accounts/stored-bytes.ts';
