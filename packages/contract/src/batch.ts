import { Type } from 'typebox';
import { DeliverTo } from './delivery.ts';
import {
  Currency,
  Flag,
  MOST,
  Mode,
  Money,
  Nullable,
  pageOf,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
  Word,
} from './parts.ts';
import { Task } from './task.ts';
import { BATCH_STATUSES } from './words.ts';

const Count = Type.Integer({ minimum: 0 });

export const Batch = Type.Object(
  {
    batch_id: Type.String({ examples: ['bat_01kafx2r5gq3v8m1t0z6y4n7wd'] }),
    status: Type.Enum(BATCH_STATUSES, {
      description:
        'processing until all its tasks are final; then succeeded if all of them succeeded, canceled if the batch was canceled, failed if none succeeded, and partial otherwise.',
    }),
    orders: Type.Integer({ minimum: 1, description: 'Number of orders.' }),
    counts: Type.Object(
      { queued: Count, processing: Count, succeeded: Count, failed: Count, canceled: Count },
      { description: 'Number of tasks by status. Together they are `orders`.' },
    ),
    cost: Type.Object({
      quoted: Type.String({ description: 'US dollars that were held at the start. The maximum charge.' }),
      charged: Type.String({ description: 'US dollars charged for tasks that have succeeded.' }),
      held: Type.String({ description: 'US dollars held for tasks that are not final.' }),
      currency: Currency,
    }),
    max_parallel: Nullable(Whole, 'How many of its tasks may run at once; null = no limit of its own.'),
    metadata: Type.Record(Text, Text, { description: 'Your own key-value pairs, as sent with the batch.' }),
    mode: Mode,
    created_at: Time,
    cancel_requested_at: Nullable(Time),
    completed_at: Nullable(Time),
    urls: Type.Object({
      self: Type.String({ format: 'uri' }),
      tasks: Type.String({ format: 'uri' }),
      results: Type.String({
        format: 'uri',
        description: 'The final tasks as JSON lines; with ?format=zip the outputs.',
      }),
      events: Type.String({ format: 'uri', description: 'Server-sent events. Needs the API key.' }),
      cancel: Type.String({ format: 'uri' }),
    }),
  },
  { $id: 'Batch', description: 'Orders that were placed together, at one price.' },
);
export type BatchView = Wire<typeof Batch>;

export const BatchPage = pageOf(Batch);
export const BatchTaskPage = pageOf(Task);

export const BatchQuote = Type.Object(
  {
    orders: Type.Integer({ minimum: 1, description: 'Number of orders.' }),
    currency: Currency,
    amount: Type.String({ description: 'US dollars for all orders together.' }),
    exact: Flag,
    models: Type.Array(Type.Object({ model_id: Text, orders: Whole, amount: Money })),
  },
  { $id: 'BatchQuote', description: 'What a batch would cost. `exact` as in a quote of one order.' },
);
export type BatchQuoteView = Wire<typeof BatchQuote>;

const batchFields = {
  max_price: Type.Optional(
    Nullable(
      Type.Union([Word, Type.Number()]),
      'US dollars for all orders together. A more expensive batch is refused with 409 price_exceeded.',
    ),
  ),
  max_parallel: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }), 'How many of its tasks may run at once.'),
  ),
  webhook_url: Type.Optional(
    Nullable(Type.String({ format: 'uri', maxLength: 4_096 }), 'URL that is notified once, when all tasks are final.'),
  ),
  deliver_to: Type.Optional(
    Nullable(DeliverTo, 'Where outputs of orders without deliver_to are copied to: a destination.'),
  ),
  metadata: Type.Optional(
    Nullable(
      Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), { maxProperties: 16 }),
      'Up to 16 pairs of your own, returned with the batch.',
    ),
  ),
};

export const BatchEntry = Type.Object(
  {
    name: Type.Optional(
      Nullable(
        Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
        'Unique within the batch. Its task carries it as batch_name. Later orders use it as order:<name>.',
      ),
    ),
    operation: Type.Enum(['images', 'videos', 'actions'], {
      description: 'images and videos: the body of such a create. actions: the body of POST /v1/images/actions.',
    }),
    body: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      maxProperties: MOST.names,
      description:
        'The body of the order. Media fields and parent_task_id also accept order:<name>, an earlier order of the batch (order:<name>#2 = a tile or an output of it), and wait for it.',
    }),
    vary: Type.Optional(
      Nullable(
        Type.Unsafe<Readonly<Record<string, readonly unknown[]>>>({
          type: 'object',
          maxProperties: MOST.names,
          additionalProperties: { type: 'array', items: {}, minItems: 1, maxItems: MOST.values },
        }),
        'Values for fields of the body: one order for each combination. Their names are `name-1`, `name-2`, …',
      ),
    ),
  },
  { $id: 'BatchEntry', additionalProperties: false, description: 'One order of a batch, or several that vary.' },
);

/** Documents the body; each order is validated as it arrives. */
export const BatchOrder = Type.Object(
  { orders: Type.Array(refTo(BatchEntry), { minItems: 1, maxItems: 10_000 }), ...batchFields },
  {
    'x-judged-by': 'its content',
    additionalProperties: false,
    title: 'BatchOrder',
    description: 'At most 10,000 orders. As application/jsonl: one order per line, the other fields in the query.',
  },
);
