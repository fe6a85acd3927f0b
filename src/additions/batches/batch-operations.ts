import { type Operation, ORDERING } from '../../kernel-http.ts';

const BODY =
  'Send a JSON object with `orders`, or application/jsonl with one order per line and the other fields in the query.';

/** The operations on batches, by method and path. */
export const BATCH_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /v1/batches': {
    roles: 'order',
    id: 'createBatch',
    summary: 'Order a batch',
    description: `Places up to 10,000 orders at one price: all of them, or none. ${BODY} The tasks follow within seconds. Send an Idempotency-Key to repeat the request without a second charge.`,
    errors: [...ORDERING, 'task_not_found', 'parent_not_usable'],
  },
  'POST /v1/batches/prices': {
    roles: 'order',
    id: 'quoteBatch',
    summary: 'Calculate the price of a batch',
    description: `Checks and prices every order as its create would. ${BODY} Nothing is ordered or charged.`,
    errors: [...ORDERING, 'task_not_found', 'parent_not_usable'],
  },
  'GET /v1/batches': {
    roles: 'see_own_orders',
    id: 'listBatches',
    summary: 'List the batches of your key',
    description: 'Newest first. Page with `after`, the batch_id of the last batch of the page before.',
  },
  'GET /v1/batches/{batch_id}': {
    roles: 'see_own_orders',
    id: 'getBatch',
    summary: 'Get a batch',
    description: 'Counts its tasks by status, and what they cost so far.',
    errors: ['not_found'],
  },
  'GET /v1/batches/{batch_id}/tasks': {
    roles: 'see_own_orders',
    id: 'listBatchTasks',
    summary: 'List the tasks of a batch',
    description: 'Oldest first. Page with `after`, the task_id of the last task of the page before.',
    errors: ['not_found'],
  },
  'GET /v1/batches/{batch_id}/results': {
    roles: 'see_own_orders',
    id: 'getBatchResults',
    summary: 'Download the results of a batch',
    description:
      'Streams every final task as one line of JSON, with fresh signed URLs of its outputs. With `format=zip`, streams the outputs as an archive; `missing.jsonl` in it lists the tasks without one.',
    errors: ['not_found'],
  },
  'GET /v1/batches/{batch_id}/events': {
    roles: 'see_own_orders',
    id: 'streamBatchEvents',
    summary: 'Stream the changes of a batch',
    description:
      'Server-sent events: the batch at once, then at most once a second when it has changed, until it has ended.',
    errors: ['not_found'],
  },
  'POST /v1/batches/{batch_id}/cancel': {
    roles: 'order',
    id: 'cancelBatch',
    summary: 'Cancel a batch',
    description:
      'Cancels the orders that have not started and releases their prices, soon after the answer. Orders that have started go on. Repeating the request is not an error.',
    errors: ['not_found'],
  },
};
