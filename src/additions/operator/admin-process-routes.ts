import { listOf } from '@darkroom-service/contract/parts';
import { ServiceProcess } from '@darkroom-service/contract/schemas';
import { type App, adminSchema, type HttpOptions, success } from '../../kernel-http.ts';
import { listProcesses } from '../../operations/processes.ts';

/** `GET /admin/v1/processes`: the processes of the service. */
export function adminProcessRoutes(admin: App, { services }: Pick<HttpOptions, 'services'>): void {
  admin.get('/admin/v1/processes', { schema: adminSchema(listOf(ServiceProcess)) }, async () =>
    success({ items: await listProcesses(services.database.read) }),
  );
}
