import { Type } from 'typebox';
import { listAlerts } from '../../alerts/list-alerts.ts';
import { listProcesses } from '../../operations/processes.ts';
import { Alert } from '../../wire/alert.ts';
import { listOf, pageOf } from '../../wire/parts.ts';
import { ServiceProcess } from '../../wire/process.ts';
import { ALERT_KINDS, ALERT_STATES } from '../../wire/words.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { Limit } from '../tasks/task-query.ts';
import { adminSchema } from './admin-schema.ts';

const AlertQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(ALERT_STATES, { description: 'default: both' })),
    kind: Type.Optional(Type.Enum(ALERT_KINDS, { description: 'default: all' })),
    limit: Limit,
    after: Type.Optional(Type.String({ maxLength: 64, description: 'an alert_id: alerts that began before it' })),
  },
  { additionalProperties: false },
);

/** Alerts, who was told of them, and the processes of the service. */
export function adminAlertRoutes(admin: App, { services, publicUrl }: HttpOptions): void {
  admin.get(
    '/admin/v1/alerts',
    { schema: { ...adminSchema(pageOf(Alert)), querystring: AlertQuery } },
    async (request) => {
      const { state = null, kind = null, limit = 20, after = null } = request.query;
      const { items, hasMore } = await listAlerts(services.database.read, { state, kind, limit, after }, publicUrl);
      return success({ items, limit, has_more: hasMore });
    },
  );
  admin.get('/admin/v1/processes', { schema: adminSchema(listOf(ServiceProcess)) }, async () =>
    success({ items: await listProcesses(services.database.read) }),
  );
}
