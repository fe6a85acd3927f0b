import { LoggedRequestPage } from '@darkroom-service/contract/logged-request';
import { closedObject, listOf } from '@darkroom-service/contract/parts';
import { ServiceProcess } from '@darkroom-service/contract/process';
import { Type } from 'typebox';
import { listRequests } from '../../accounts/requests/list-requests.ts';
import { listProcesses } from '../../operations/processes.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { REQUEST_FILTERS, readRequestFilters } from '../request-query.ts';
import { adminSchema } from './admin-schema.ts';

const Query = closedObject({
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  account_id: Type.Optional(Type.String({ maxLength: 64 })),
  task_id: Type.Optional(Type.String({ maxLength: 64, description: 'with `key_id`: that of the order' })),
  ...REQUEST_FILTERS,
});

/** The requests that keys sent lately, and the processes of the service. */
export function adminRequestRoutes(admin: App, { services }: Pick<HttpOptions, 'services'>): void {
  admin.get(
    '/admin/v1/requests',
    { schema: { ...adminSchema(LoggedRequestPage), querystring: Query } },
    async (request) => {
      const { key_id: keyId = null, account_id: accountId = null, task_id: taskId = null } = request.query;
      const query = { ...readRequestFilters(request.query), keyId, accountId, taskId };
      const { items, nextAfter } = await listRequests(services.database.replica.reports, query);
      return success({ items, limit: query.limit, has_more: nextAfter !== null, next_after: nextAfter });
    },
  );
  admin.get('/admin/v1/processes', { schema: adminSchema(listOf(ServiceProcess)) }, async () =>
    success({ items: await listProcesses(services.database.read) }),
  );
}
