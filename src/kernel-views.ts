/*
 * How additions find orders of callers, and what they read and show of them. Only files that are loaded with a process
 * of the service import values from here: no command loads it at its start.
 */

/** Further ways in which a search names orders. */
export type { NamedOrders } from './views/find-tasks.ts';

/** Orders as callers see them. */
export { assertNotExpired } from './record/expired-task.ts';
export { VIEW_COLUMNS, type ViewRow } from './record/task-columns.ts';

/** Reports about an order to its operator, how long it may take, and what a fault is for operators. */
export { wordsOf } from './base/system-fault.ts';
export { reportDetailOf } from './tasks/report-to-operator.ts';

/** The columns of an order that hold JSON: its request, media, route and price, and why it failed. */
export {
  engineOf,
  failureOf,
  mediaOf,
  metadataOf,
  operationOf,
  outputsOf,
  requestOf,
  routeOf,
  routeOfErased,
  viewModels,
} from './record/task-json.ts';

/** Earnings and costs of orders: the figures of a row, the rows of a span, and what an upstream reports. */
export { COST_FIGURES, withCosts } from './record/cost-days.ts';
export { reportedAmount } from './catalog/pricing/order-cost.ts';

/** The parts of the name of a queue: its engine and its mode. */
export { liveQueueOf } from './queue/queue-names.ts';

/** Orders that a body makes of a model, or at one of its routes, and the catalog. */
export { orderAt } from './catalog/pricing/order-at.ts';
export { resolveRequest } from './catalog/resolve-request.ts';
export { type Catalog, loadCatalog } from './catalog/catalog.ts';

/** Files of an order, by their keys in the storage. */
export {
  isFinal,
  isUnfetched,
  taskFileKey,
  taskOfFileKey,
  thumbnailKeyOf,
} from './record/task.ts';
export { outputAt, tileSizeOf } from './order-files/chosen-output.ts';
