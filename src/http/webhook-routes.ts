import { type Static, Type } from 'typebox';
import { setWebhookUrl } from '../accounts/accounts.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { listDeliveries, redeliver } from '../events/webhook-deliveries.ts';
import { ensureSecret, rotateSecret, type WebhookSecret } from '../events/webhook-secrets.ts';
import { readWebhookUrl } from '../tasks/service-fields.ts';
import { actOf, callerOf } from './authenticate.ts';
import { OPTIONAL_BODY } from './check-shape.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer } from './schemas.ts';
import { Limit } from './task-query.ts';

const closed = { additionalProperties: false } as const;
const tags = ['Webhooks'];
const nothing = Type.Object({}, closed);
const path = '/v1/account/webhooks';
const NullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const Delivery = Type.Object({
  delivery_id: Type.String({ description: 'the webhook-id of every attempt' }),
  task_id: Type.String(),
  type: Type.Enum(['task.succeeded', 'task.failed', 'task.canceled']),
  url: Type.String({ format: 'uri' }),
  status: Type.Enum(['pending', 'delivered', 'failed']),
  created_at: Type.String({ format: 'date-time' }),
  delivered_at: NullableTime,
  next_attempt_at: NullableTime,
  attempts: Type.Array(
    Type.Object({
      started_at: Type.String({ format: 'date-time' }),
      duration_ms: Type.Integer(),
      response_status: Type.Union([Type.Integer(), Type.Null()]),
      error: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
const Secrets = Type.Object({
  items: Type.Array(
    Type.Object({
      secret: Type.String({ description: 'whsec_… as Standard Webhooks writes it' }),
      created_at: Type.String({ format: 'date-time' }),
      valid_until: { ...NullableTime, description: 'null = the one in force' },
    }),
  ),
});
const DeliveryQuery = Type.Object(
  {
    limit: Limit,
    after: Type.Optional(Type.String({ maxLength: 64, description: 'a delivery_id: older deliveries' })),
    status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
    task_id: Type.Optional(Type.String({ maxLength: 64 })),
    scope: Type.Optional(
      Type.Enum(['key', 'account'], { description: 'account needs a key made with --account-view' }),
    ),
  },
  closed,
);
const DefaultUrl = Type.Object(
  {
    url: Type.Union([Type.String({ format: 'uri', maxLength: 4096 }), Type.Null()], { description: 'null = nowhere' }),
  },
  closed,
);

/** Where the ends of tasks are told, how receivers know us, and what became of each delivery. */
export function webhookRoutes(v1: App, options: HttpOptions): void {
  const { desk } = options;
  const { database } = desk;

  v1.get(
    `${path}/deliveries`,
    {
      schema: {
        tags,
        summary: 'The log of webhook deliveries, newest first',
        querystring: DeliveryQuery,
        response: {
          200: envelopeOf(Type.Object({ items: Type.Array(Delivery), has_more: Type.Boolean() })),
          ...ErrorAnswer,
        },
      },
    },
    async (request) => {
      const { limit, after, status, task_id: taskId, scope } = request.query as Static<typeof DeliveryQuery>;
      const key = callerOf(request);
      if (scope === 'account') requireAccountView(key);
      const { items, hasMore } = await listDeliveries(database.read, {
        keyId: scope === 'account' ? null : key.id,
        accountId: key.account.id,
        status: status ?? null,
        taskId: taskId ?? null,
        after: after ?? null,
        limit: limit ?? 20,
      });
      return success({ items, has_more: hasMore });
    },
  );

  v1.post(
    `${path}/deliveries/:delivery_id/redeliver`,
    {
      schema: {
        tags,
        summary: 'Send a delivery again',
        params: Type.Object({ delivery_id: Type.String() }),
        querystring: nothing,
        body: Type.Object({}, { ...closed, ...OPTIONAL_BODY }),
        response: { 200: envelopeOf(Delivery), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      const { delivery_id: deliveryId } = request.params as { delivery_id: string };
      const filter = { keyId: key.accountView ? null : key.id, accountId: key.account.id };
      const delivery = await redeliver(database, filter, deliveryId);
      desk.wakeWebhooks();
      return success(delivery);
    },
  );

  v1.get(
    `${path}/secret`,
    {
      schema: {
        tags,
        summary: 'The secrets that sign webhooks',
        querystring: nothing,
        response: { 200: envelopeOf(Secrets), ...ErrorAnswer },
      },
    },
    async (request) =>
      success(viewSecrets(await ensureSecret(database, callerOf(request).account.id, desk.clock.now()))),
  );

  v1.post(
    `${path}/secret/rotate`,
    {
      schema: {
        tags,
        summary: 'Put a new secret in force; the old one signs along for 24 hours',
        querystring: nothing,
        body: Type.Object({}, { ...closed, ...OPTIONAL_BODY }),
        response: { 200: envelopeOf(Secrets), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      requireAccountView(key);
      return success(viewSecrets(await rotateSecret(database, key.account.id, desk.clock.now())));
    },
  );

  v1.get(
    path,
    {
      schema: {
        tags,
        summary: 'The default address of webhooks',
        querystring: nothing,
        response: { 200: envelopeOf(DefaultUrl), ...ErrorAnswer },
      },
    },
    async (request) => success({ url: callerOf(request).account.webhookUrl }),
  );

  v1.put(
    path,
    {
      schema: {
        tags,
        summary: 'Set the default address of webhooks',
        querystring: nothing,
        body: DefaultUrl,
        response: { 200: envelopeOf(DefaultUrl), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = callerOf(request);
      requireAccountView(key);
      const { url } = request.body as Static<typeof DefaultUrl>;
      const faults: Fault[] = [];
      readWebhookUrl(url, desk.settings.allowedAddresses, faults, 'url');
      if (faults.length > 0) throw errorFromFaults(faults);
      await setWebhookUrl(database, actOf(request, options), key.account.id, url);
      options.keyring.forget();
      return success({ url });
    },
  );
}

function viewSecrets(secrets: readonly WebhookSecret[]): Static<typeof Secrets> {
  return {
    items: secrets.map(({ secret, createdAt, validUntil }) => ({
      secret,
      created_at: isoTime(createdAt),
      valid_until: isoTime(validUntil),
    })),
  };
}

function requireAccountView(key: OrderingKey): void {
  if (key.accountView) return;
  throw new ServiceError('forbidden', 'This concerns the whole account: it needs a key made with --account-view.');
}
