import { AdminFailure, FailureCause, FailureWindow } from '@darkroom-service/contract/admin';
import { closedObject, listOf, pageOf } from '@darkroom-service/contract/parts';
import { Delivery } from '@darkroom-service/contract/webhook';
import { DELIVERY_STATUSES, MODE_FILTERS } from '@darkroom-service/contract/words';
import { Type } from 'typebox';
import { reportFailureCauses } from '../../operations/failure-causes.ts';
import { reportFailures } from '../../operations/failure-report.ts';
import { findDelivery, listDeliveries, redeliver } from '../../tasks/events/webhook-deliveries.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { repeatableAct } from '../repeatable.ts';
import { Limit, ModeQuery } from '../tasks/task-query.ts';
import { adminDeed, adminSchema } from './admin-schema.ts';

const Search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'a part of the name of account or key, of the model or of the failure; an id; a price',
  }),
);
const DeliveryQuery = closedObject({
  account_id: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(Type.Enum(DELIVERY_STATUSES)),
  task_id: Type.Optional(Type.String({ maxLength: 64 })),
  mode: Type.Optional(Type.Enum(MODE_FILTERS, { description: 'default: all' })),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a delivery_id: older deliveries' })),
});

const OF_ALL = { keyId: null, accountId: null, mode: null } as const;

/** Recent failures of all accounts: failed orders and undelivered webhooks. */
export function adminTroubleRoutes(admin: App, options: HttpOptions): void {
  const { services } = options;
  const { database } = services;

  admin.get(
    '/admin/v1/failures',
    {
      schema: {
        ...adminSchema(listOf(AdminFailure, FailureWindow)),
        querystring: closedObject({ mode: ModeQuery, search: Search, limit: Limit }),
      },
    },
    async (request) => {
      const { mode = 'live', search = null, limit = 20 } = request.query;
      const query = { now: services.clock.now(), limit, mode, search };
      return success({ ...(await reportFailures(database.read, query)) });
    },
  );

  admin.get(
    '/admin/v1/failures/causes',
    {
      schema: {
        ...adminSchema(listOf(FailureCause, FailureWindow)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => {
      const { mode = 'live' } = request.query;
      return success({ ...(await reportFailureCauses(database.replica.reports, { now: services.clock.now(), mode })) });
    },
  );

  admin.get(
    '/admin/v1/webhooks/deliveries',
    {
      schema: {
        ...adminSchema(pageOf(Delivery)),
        querystring: DeliveryQuery,
      },
    },
    async (request) => {
      const { account_id: accountId, status, task_id: taskId, mode, limit = 20, after } = request.query;
      const page = await listDeliveries(database.read, {
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
    { schema: adminDeed(Delivery) },
    async (request, reply) => {
      const delivery = await repeatableAct(options, request, reply, {
        make: (by) => redeliver(database, OF_ALL, request.params.delivery_id, by),
        again: (deliveryId) => findDelivery(database.read, deliveryId),
      });
      services.wakeWork('webhook');
      return success(delivery);
    },
  );
}
