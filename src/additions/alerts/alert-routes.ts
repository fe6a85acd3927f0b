import { pageOf } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';
import { adminSchema } from '../../http/admin/admin-schema.ts';
import { success } from '../../http/envelope.ts';
import type { App, HttpOptions } from '../../http/http-options.ts';
import { Limit } from '../../http/tasks/task-query.ts';
import { Alert } from './alert-wire.ts';
import { ALERT_KINDS, ALERT_STATES } from './alert-words.ts';
import { listAlerts } from './list-alerts.ts';

const AlertQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(ALERT_STATES, { description: 'default: both' })),
    kind: Type.Optional(Type.Enum(ALERT_KINDS, { description: 'default: all' })),
    limit: Limit,
    after: Type.Optional(Type.String({ maxLength: 64, description: 'an alert_id: alerts that began before it' })),
  },
  { additionalProperties: false },
);

/** Alerts, and who was told of them. */
export function alertRoutes(admin: App, { services, publicUrl }: HttpOptions): void {
  admin.get(
    '/admin/v1/alerts',
    { schema: { ...adminSchema(pageOf(Alert)), querystring: AlertQuery } },
    async (request) => {
      const { state = null, kind = null, limit = 20, after = null } = request.query;
      const { items, hasMore } = await listAlerts(services.database.read, { state, kind, limit, after }, publicUrl);
      return success({ items, limit, has_more: hasMore });
    },
  );
}
