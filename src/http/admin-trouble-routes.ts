import { Type } from 'typebox';
import { recordAct } from '../accounts/audit.ts';
import { listDeliveries, redeliver } from '../events/webhook-deliveries.ts';
import { reportFailures } from '../tasks/failure-report.ts';
import { AdminFailure, listOf, pageOf } from './admin-answers.ts';
import { adminSchema } from './admin-schema.ts';
import { actOf } from './authenticate.ts';
import { success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { Limit } from './task-query.ts';
import { Delivery } from './webhook-routes.ts';

const closed = { additionalProperties: false } as const;
const DeliveryQuery = Type.Object(
  {
    account_id: Type.Optional(Type.String({ maxLength: 64 })),
    status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
    task_id: Type.Optional(Type.String({ maxLength: 64 })),
    limit: Limit,
    after: Type.Optional(Type.String({ maxLength: 64, description: 'a delivery_id: older deliveries' })),
  },
  closed,
);

/** What went wrong lately, whoever it belongs to: orders that failed, and webhooks that did not arrive. */
export function adminTroubleRoutes(admin: App, options: HttpOptions): void {
  const { desk } = options;
  const { database } = desk;

  admin.get(
    '/admin/v1/failures',
    {
      schema: {
        ...adminSchema('List orders of the last day that failed, latest first', listOf(AdminFailure)),
        querystring: Type.Object({ limit: Limit }, closed),
      },
    },
    async (request) =>
      success({
        items: await reportFailures(database.read, { now: desk.clock.now(), limit: request.query.limit ?? 20 }),
      }),
  );

  admin.get(
    '/admin/v1/webhooks/deliveries',
    {
      schema: {
        ...adminSchema('List webhook deliveries of every account, newest first', pageOf(Delivery)),
        querystring: DeliveryQuery,
      },
    },
    async (request) => {
      const { account_id: accountId, status, task_id: taskId, limit = 20, after } = request.query;
      const page = await listDeliveries(database.read, {
        keyId: null,
        accountId: accountId ?? null,
        status: status ?? null,
        taskId: taskId ?? null,
        after: after ?? null,
        limit,
      });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );

  admin.post<{ Params: { delivery_id: string } }>(
    '/admin/v1/webhooks/deliveries/:delivery_id/redeliver',
    { schema: adminSchema('Send a webhook delivery again', Delivery) },
    async (request) => {
      const delivery = await redeliver(database, { keyId: null, accountId: null }, request.params.delivery_id);
      await database.write('record_redelivery', (trx) =>
        recordAct(trx, actOf(request, options), {
          act: 'webhook.redeliver',
          target: delivery.delivery_id,
          detail: { task_id: delivery.task_id },
        }),
      );
      desk.wakeWebhooks();
      return success(delivery);
    },
  );
}
