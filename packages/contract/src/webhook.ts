import { Type } from 'typebox';
import { Batch } from './batch.ts';
import { ReceiverHeaders } from './delivery.ts';
import {
  Currency,
  closedObject,
  Flag,
  listOf,
  Mode,
  Money,
  Nullable,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
} from './parts.ts';
import { Task } from './task.ts';
import { DELIVERY_STATUSES } from './words.ts';

const TASK_EVENTS = [
  'task.succeeded',
  'task.failed',
  'task.canceled',
  'task.refunded',
  'task.delivered',
  'task.delivery_failed',
] as const;
const BATCH_EVENTS = ['batch.succeeded', 'batch.failed', 'batch.partial', 'batch.canceled'] as const;
const BUDGET_EVENTS = ['budget.reached'] as const;

export const WebhookEvent = Type.Object(
  { type: Type.Enum(TASK_EVENTS), timestamp: Time, data: refTo(Task) },
  { $id: 'WebhookEvent', description: 'The body of a webhook request about a task.' },
);
export const BatchWebhookEvent = Type.Object(
  { type: Type.Enum(BATCH_EVENTS), timestamp: Time, data: refTo(Batch) },
  { $id: 'BatchWebhookEvent', description: 'The body of a webhook request about a batch.' },
);

export const BudgetNotice = Type.Object(
  {
    key_id: Text,
    end_user: Nullable(Text, "The end user whose limit it is; null = the API key's own limit."),
    mode: Mode,
    window: Type.Enum(['day', 'month', 'total']),
    period: Nullable(
      Text,
      'The day or month in the time zone of the limit, such as 2026-11-20 or 2026-11; null for total.',
    ),
    limit: Money,
    used: Type.String({ description: 'US dollars charged and held for orders placed in the window.' }),
    currency: Currency,
    share: Type.Integer({ description: 'The share of the limit that is reached, in percent: 50, 80 or 100.' }),
    created_at: Time,
  },
  { $id: 'BudgetNotice', description: 'A spend limit of which a share is reached.' },
);
export type BudgetNoticeView = Wire<typeof BudgetNotice>;
export const BudgetWebhookEvent = Type.Object(
  { type: Type.Enum(BUDGET_EVENTS), timestamp: Time, data: refTo(BudgetNotice) },
  { $id: 'BudgetWebhookEvent', description: 'The body of a webhook request about a spend limit.' },
);

export const Delivery = Type.Object(
  {
    delivery_id: Type.String({ description: 'The webhook-id header of every attempt.' }),
    task_id: Nullable(Text, 'The newest order then, for a budget event; null for the event of a batch.'),
    batch_id: Nullable(Text, 'The batch of a batch event; null for every other.'),
    type: Type.Enum([...TASK_EVENTS, ...BATCH_EVENTS, ...BUDGET_EVENTS]),
    url: Type.String({ format: 'uri' }),
    status: Type.Enum(DELIVERY_STATUSES),
    created_at: Time,
    delivered_at: Nullable(Time),
    next_attempt_at: Nullable(Time),
    attempts: Type.Array(
      Type.Object({
        started_at: Time,
        duration_ms: Whole,
        response_status: Nullable(Whole, 'Null if the receiver did not answer.'),
        error: Nullable(Text, 'Null if the receiver accepted the event.'),
      }),
    ),
  },
  { $id: 'WebhookDelivery', description: 'A webhook event and the attempts to deliver it.' },
);
export type DeliveryView = Wire<typeof Delivery>;

export const DeliveryPage = listOf(Delivery, { has_more: Flag });

export const WebhookTest = Type.Object(
  {
    webhook_id: Type.String({ description: 'The webhook-id header of the request.' }),
    url: Type.String({ format: 'uri' }),
    delivered: Type.Boolean({ description: 'Whether the receiver answered 2xx.' }),
    duration_ms: Whole,
    response_status: Nullable(Whole, 'Null if the receiver did not answer.'),
    error: Nullable(Text, 'Null if the receiver accepted the event.'),
  },
  { $id: 'WebhookTest', description: 'What the receiver of a test event answered.' },
);
export type WebhookTestView = Wire<typeof WebhookTest>;

export const Secret = Type.Object(
  {
    secret: Type.String({ description: 'whsec_ and Base64, as in Standard Webhooks.' }),
    created_at: Time,
    valid_until: Nullable(Time, 'Null = the current secret; otherwise the secret signs until then.'),
  },
  { $id: 'WebhookSecret', description: 'A secret that signs webhooks.' },
);
export const SecretList = listOf(Secret);
export type SecretListView = Wire<typeof SecretList>;

const WebhookUrl = Nullable(
  Type.String({ format: 'uri', maxLength: 4096 }),
  'Null = no default: only orders with webhook_url are notified.',
);

export const DefaultUrl = closedObject({
  url: WebhookUrl,
  header_names: Type.Array(Text, {
    description: 'The names of the headers that go with it. Values are never answered.',
  }),
});

export const DefaultUrlChange = closedObject({
  url: WebhookUrl,
  headers: Type.Optional({
    ...ReceiverHeaders,
    description:
      'Headers that the receiver asks for, such as Authorization. Stored encrypted and never answered. Omitted: those of the same URL stay.',
  }),
});
