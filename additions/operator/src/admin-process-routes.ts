import { listOf } from '@darkroom-service/contract/parts';
import { adminSchema, ServiceProcess, success } from '@darkroom-service/contract/schemas';
import type { Checks } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';

/** Serves `GET /admin/v1/processes`: the processes of the service. */
export function adminProcessRoutes(admin: App, checks: Pick<Checks, 'processes'>): void {
  admin.get('/admin/v1/processes', { schema: adminSchema(listOf(ServiceProcess)) }, async () =>
    success({ items: await checks.processes() }),
  );
}
