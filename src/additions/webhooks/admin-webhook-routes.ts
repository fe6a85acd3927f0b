import { DELIVERY_STATUSES, MODE_FILTERS } from '@darkroom-service/contract';
import { closedObject, pageOf } from '@darkroom-service/contract/parts';
import { adminAction, adminSchema, Delivery, Limit, success } from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { listDeliveries } from './list-deliveries.ts';
import { findDelivery, redeliver } from './webhook-deliveries.ts';

const DeliveriesOfAll = closedObject({
  account_id: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(Type.Enum(DELIVERY_STATUSES)),
  task_id: Type.Optional(Type.String({ maxLength: 64 })),
  mode: Type.Optional(Type.Enum(MODE_FILTERS, { description: 'default: all' })),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a delivery_id: older deliveries' })),
});

const OF_ALL = { keyId: null, accountId: null, mode: null } as const;

/** Serves the deliveries of all accounts. */
export function adminWebhookRoutes(admin: App, { accounts, http, store, work }: ServingKernel): void {
  admin.get(
    '/admin/v1/webhooks/deliveries',
    {
      schema: {
        ...adminSchema(pageOf(Delivery)),
        querystring: DeliveriesOfAll,
      },
    },
    async (request) => {
      const { account_id: accountId, status, task_id: taskId, mode, limit = 20, after } = request.query;
      const page = await listDeliveries(store.read, {
        keyId: null,
        accountId: accountId ?? null,
        mode: mode === undefined || mode === 'all' ? null : mode,
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
    { schema: adminAction(Delivery) },
    async (request, reply) => {
      const delivery = await http.once(request, reply, {
        make: (_, by) => redeliver({ accounts, store }, OF_ALL, request.params.delivery_id, by),
        again: (deliveryId) => findDelivery(store.read, deliveryId),
      });
      work.wake('webhook');
      return success(delivery);
    },
  );
}
