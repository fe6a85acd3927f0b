/*
 * What additions do with orders and their files; `kernel-views.ts` has what they read of them. Only files that are
 * loaded with a process of the service import values from here: no command loads it at its start.
 */

/** New orders: their judgement, the fields that all orders have, and requests that are repeated. */
export { type JudgeServices, readDeliverTo } from './orders/judge-order.ts';
export { NEW_TASK, TASK_COLUMNS } from './record/task-columns.ts';
export {
  defaultWebhookUrl,
  describeValue,
  readMaxPrice,
  readMetadata,
  readWebhookUrl,
} from './orders/service-fields.ts';
export { bindClaim, claimWithin, findClaimed, type IdempotencyClaim } from './orders/idempotency.ts';
export { assertMaxPrice, retryOnNextDay } from './orders/admit-orders.ts';
export type { NewlyPlaced, OrderBinding } from './orders/place-order.ts';

/** Orders that are placed in groups: judged one by one, held together, and let into the queue by their group. */
export { admitGroup, type GroupOrder, insertHeld, judgeGroupOrder } from './orders/group-orders.ts';
export type { BatchSiblings, PlannedTask } from './record/batch-siblings.ts';
export { type AwaitedTasks, parentGateOf } from './tasks/parent-gate.ts';

/** Orders that move: their gates, the slots of their key, and claims that are lost. */
export { HELD_BY_BATCH } from './queue/gates.ts';
export { openBatchGate, type Resolved } from './tasks/open-gates.ts';
export { lockSlotsOf } from './queue/fair-queue.ts';
export { LostClaim } from './tasks/move-task.ts';

/** Orders that are canceled, by a caller or for one. */
export { cancelQueued } from './orders/cancel-task.ts';

/** The end of orders, their erasure, and who is told of what becomes of them. */
export {
  type EndServices,
  followedBy,
  notifyEnded,
} from './tasks/follower.ts';
export type { SettleServices } from './tasks/settle-task.ts';
export { cleanErased } from './erasure/clean-erased.ts';
export { eraseInGroups } from './erasure/erase-task.ts';

/** Files of customers. */
export { uploadKey } from './order-files/own-files.ts';
export { eraseFileRow } from './order-files/new-file.ts';
