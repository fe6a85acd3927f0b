import { Type } from 'typebox';
import { Batch } from './batch.ts';
import { closedObject, Flag, listOf, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
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

export const WebhookEvent = Type.Object(
  { type: Type.Enum(TASK_EVENTS), timestamp: Time, data: refTo(Task) },
  { $id: 'WebhookEvent', description: 'The body of a webhook request about a task.' },
);
export const BatchWebhookEvent = Type.Object(
  { type: Type.Enum(BATCH_EVENTS), timestamp: Time, data: refTo(Batch) },
  { $id: 'BatchWebhookEvent', description: 'The body of a webhook request about a batch.' },
);

export const Delivery = Type.Object(
  {
    delivery_id: Type.String({ description: 'The webhook-id header of every attempt.' }),
    task_id: Nullable(Text, 'Null for the event of a batch.'),
    batch_id: Nullable(Text, 'The batch of a batch event; null for the event of a task.'),
    type: Type.Enum([...TASK_EVENTS, ...BATCH_EVENTS]),
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

export const DefaultUrl = closedObject({
  url: Nullable(
    Type.String({ format: 'uri', maxLength: 4096 }),
    'Null = no default: only orders with webhook_url are notified.',
  ),
});
