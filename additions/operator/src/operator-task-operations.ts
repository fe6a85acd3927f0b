import type { Operation } from '@darkroom-service/darkroom/kernel-http';

const FOR_MANY =
  'Refused if these are not `expected` orders. Each is done once and soon, and the audit log names it; one that has changed by then is left alone. Repeating the request with its `Idempotency-Key` tells how many are `pending`.';

/** The operations of operators about orders, by method and path. */
export const OPERATOR_TASK_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/tasks': {
    roles: 'observe',
    id: 'adminListTasks',
    summary: 'List tasks',
    description:
      'Of all keys, without prompts and files, newest first; with `state=open` oldest first. What `search` names is found by indexes, and `found_by` tells it. Words are looked for in the newest 20,000 orders of each type at a time: `searched_since` tells how far, and `next_after` goes on. `standing` tells why an order stands still.',
  },
  'GET /admin/v1/tasks/deeds': {
    roles: 'observe',
    id: 'adminCountDeeds',
    summary: 'Count the open orders that a deed would change',
    description: 'Of those that the filter finds, the oldest 10,000 at most. Send the number as `expected`.',
  },
  'POST /admin/v1/tasks/ask': {
    roles: 'run',
    id: 'adminAskUpstreams',
    summary: 'Ask the upstreams of many tasks now',
    description: `Of all open tasks that the filter finds and an upstream may have. ${FOR_MANY}`,
    errors: ['orders_changed'],
  },
  'POST /admin/v1/tasks/cancel': {
    roles: 'run',
    id: 'adminCancelTasks',
    summary: 'Cancel many tasks for their customers',
    description: `All open tasks that the filter finds and that can be canceled. ${FOR_MANY}`,
    errors: ['orders_changed'],
  },
  'POST /admin/v1/tasks/give_up': {
    roles: 'run',
    id: 'adminGiveUpTasks',
    summary: 'Give up many tasks and release their holds',
    description: `All open tasks that the filter finds and that an upstream has, or may have. ${FOR_MANY}`,
    errors: ['orders_changed'],
  },
  'GET /admin/v1/tasks/{task_id}': {
    roles: 'observe',
    id: 'adminGetTask',
    summary: 'Get a task of any key',
    description: 'Shows where it stands inside the service, without prompt and files.',
    errors: ['task_not_found', 'task_expired'],
  },
  'POST /admin/v1/tasks/{task_id}/refund': {
    roles: 'run',
    id: 'adminRefundTask',
    summary: 'Refund a task',
    description:
      'Gives the whole charge of a succeeded task back, once: to the balance and to the limits. Resolves its `broken_output` and sends `task.refunded`.',
    errors: ['task_not_found', 'task_expired', 'not_refundable'],
  },
  'POST /admin/v1/tasks/{task_id}/ask': {
    roles: 'run',
    id: 'adminAskUpstream',
    summary: 'Ask the upstream of a task now',
    description: 'Makes the next check due at once, at most every ten seconds. Read its `standing` afterwards.',
    errors: ['task_not_found', 'task_expired', 'not_stuck', 'rate_limited'],
  },
  'POST /admin/v1/tasks/{task_id}/cancel': {
    roles: 'run',
    id: 'adminCancelTask',
    summary: 'Cancel a task for its customer',
    description: 'As if the customer had canceled it.',
    errors: ['task_not_found', 'task_expired', 'not_cancelable'],
  },
  'POST /admin/v1/tasks/{task_id}/give_up': {
    roles: 'run',
    id: 'adminGiveUpTask',
    summary: 'Give up a task and release its hold',
    description:
      'Ends an order that its upstream has, or may have, with `outcome_unknown`. It is not charged and never sent again. A late result is listed for reconciliation.',
    errors: ['task_not_found', 'task_expired', 'not_stuck'],
  },
};
