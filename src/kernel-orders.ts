/*
 * What additions do with orders and their files; `kernel-views.ts` has what they read of them. Only files that are
 * loaded with a process of the service import values from here: no command loads it at its start.
 */

/** New orders: their columns, and values in messages. */
export { NEW_TASK, TASK_COLUMNS } from './record/task-columns.ts';
export { describeValue } from './orders/describe-value.ts';
export type { NewlyPlaced } from './orders/place-order.ts';

/** Orders that move: their gates, and claims that are lost. */
export { HELD_BY_BATCH } from './queue/gates.ts';
export { LostClaim } from './tasks/move-task.ts';

/** The erasure of orders. */
export { cleanErased } from './erasure/clean-erased.ts';
export { eraseInGroups } from './erasure/erase-task.ts';

/** Files of customers. */
export { uploadKey } from './order-files/own-files.ts';
