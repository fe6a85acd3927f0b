import { Type } from 'typebox';
import { OutputDelivery } from './delivery.ts';
import { ORDER_MODELS } from './order-models.ts';
import { Flag, listOf, MediaType, Mode, Money, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
import { Standing } from './standing.ts';
import { ORDER_DEEDS, TASK_STATUSES } from './words.ts';

/** Orders as operators see them, and their bulk actions. */

export const ReconciliationKind = Type.Enum(['outcome_unknown', 'late_result', 'broken_output', 'not_as_ordered']);

export const AdminTask = Type.Object(
  {
    task_id: Text,
    type: MediaType,
    key_id: Text,
    key_name: Text,
    account_id: Text,
    account_name: Text,
    end_user: Nullable(Text, "The customer's own name for whom the order is; null once the order is erased."),
    metadata: Type.Record(Text, Text, { description: "The customer's own key-value pairs." }),
    mode: Mode,
    status: Type.Enum(TASK_STATUSES),
    step: Type.String({ description: 'Where the task stands inside the service; see docs/lifecycle.md.' }),
    progress: Type.Number(),
    model_id: Text,
    ...ORDER_MODELS,
    action: Nullable(Text),
    route: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'The engine and its model.',
    }),
    left_routes: Type.Array(
      Type.Object({
        engine: Text,
        model: Nullable(Text),
        model_id: Type.Optional(
          Type.String({ description: 'The model that it was to make. Only present if the order names several.' }),
        ),
        reason: Type.String({ description: 'Why the order left it.' }),
        left_at: Nullable(Time, 'Null for orders of older versions.'),
      }),
      { description: 'The upstreams that certainly did not accept it, or refused its content, in sequence.' },
    ),
    refused_at: Nullable(Time, 'When its upstream first refused it; it is sent there again.'),
    queue: Text,
    worker: Nullable(Text, 'The process that holds the task.'),
    attempts: Whole,
    operation: Type.Unknown({ description: "The job in the engine's own form; null before the engine accepted it." }),
    error: Nullable(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
    price: Money,
    charged: Nullable(Money),
    refunded: Nullable(Money, 'The charge that was given back; `charged` is 0 then.'),
    created_at: Time,
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
    next_at: Nullable(Time, 'When the task is looked at next. While a process holds the task: the end of its lease.'),
    deadline_at: Time,
    cancel_requested_at: Nullable(Time),
    deleted_at: Nullable(Time),
    deliveries: Type.Array(refTo(OutputDelivery), {
      description: 'The copies of its outputs that `deliver_to` asked for; without `deliver_to` there are none.',
    }),
    standing: Nullable(refTo(Standing), 'Why it stands still; null once it is final.'),
    unresolved: Type.Array(
      Type.Object({ reconciliation_id: Text, kind: ReconciliationKind, message: Nullable(Text), created_at: Time }),
      { description: 'What nobody has compared with the bill of the upstream yet.' },
    ),
    resolved: Type.Array(
      Type.Object({ kind: ReconciliationKind, created_at: Time, resolved_at: Time, resolution: Text }),
      { description: 'What was compared with the bill of the upstream, and what was found.' },
    ),
  },
  { $id: 'AdminTask', description: 'A task as operators see it: no prompt, no files.' },
);
export type OperatorTaskView = Wire<typeof AdminTask>;

export const AdminTaskPage = listOf(AdminTask, {
  limit: Whole,
  has_more: Flag,
  next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
  found_by: Nullable(
    Type.Enum(['task', 'end_user', 'account', 'key', 'request', 'text']),
    'What `search` names: an order, a customer, an account, a key, a request, or words; null without a search.',
  ),
  searched_since: Nullable(
    Time,
    'This page looked at the orders that were placed since then; older ones follow with `next_after`. Null = nothing was left out.',
  ),
});

export const OrderDeedCounts = Type.Object(
  { ask: Whole, cancel: Whole, give_up: Whole },
  { $id: 'OrderDeedCounts', description: 'How many open orders each deed would change.' },
);

export const OrderDeed = Type.Object(
  {
    deed_id: Text,
    deed: Type.Enum(ORDER_DEEDS),
    orders: Type.Integer({ description: 'Orders that the deed is for.' }),
    pending: Type.Integer({ description: 'Orders of them that are still to be done, by whichever process.' }),
  },
  { $id: 'OrderDeed', description: 'What an operator does about many orders, and how far it is.' },
);
export type OrderDeedView = Wire<typeof OrderDeed>;
