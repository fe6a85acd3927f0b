import { listOf } from '@darkroom-service/contract/parts';
import { ServiceProcess } from '@darkroom-service/contract/process';
import { adminSchema } from '../../http/admin-schema.ts';
import { success } from '../../http/envelope.ts';
import type { App, HttpOptions } from '../../http/http-options.ts';
import { listProcesses } from '../../operations/processes.ts';

/** `GET /admin/v1/processes`: the processes of the service. */
export function adminProcessRoutes(admin: App, { services }: Pick<HttpOptions, 'services'>): void {
  admin.get('/admin/v1/processes', { schema: adminSchema(listOf(ServiceProcess)) }, async () =>
    success({ items: await listProcesses(services.database.read) }),
  );
}
