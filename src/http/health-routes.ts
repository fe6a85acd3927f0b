import { Type } from 'typebox';
import { ServiceError } from '../base/errors.ts';
import { adminSchema } from './admin-schema.ts';
import { requireAdminKey } from './authenticate.ts';
import { success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';

const nothing = Type.Object({}, { additionalProperties: false });
const tags = ['Health'];

/** Whether the service is alive, whether it can work, and its figures. */
export function healthRoutes(app: App, options: HttpOptions): void {
  const requireAdmin = requireAdminKey(options);

  app.get('/healthz', { schema: { tags, summary: 'Alive', security: [], querystring: nothing } }, async () => ({
    status: 'ok',
  }));

  app.get(
    '/readyz',
    { schema: { tags, summary: 'Ready for orders; details with an admin key', security: [], querystring: nothing } },
    async (request, reply) => {
      // What is wrong inside is nobody's business but the operator's.
      const detailed = request.headers.authorization !== undefined;
      if (detailed) await requireAdmin(request, reply);
      const report = await options.readiness();
      const details = detailed ? report.checks : [];
      if (options.isStopping()) {
        throw new ServiceError('shutting_down', 'The service is stopping.', { retryAfterSeconds: 5, details });
      }
      if (!report.ready) {
        throw new ServiceError('service_unavailable', 'The service cannot take orders right now.', {
          retryAfterSeconds: 5,
          details,
        });
      }
      return detailed ? { status: 'ready', checks: report.checks } : { status: 'ready' };
    },
  );

  app.get(
    '/metrics',
    { onRequest: requireAdmin, schema: { ...adminSchema('Figures for Prometheus'), tags } },
    async (_request, reply) => {
      const text = await options.metrics.metrics();
      return reply.type(options.metrics.contentType).send(text);
    },
  );

  app.get(
    '/admin/v1/health',
    { onRequest: requireAdmin, schema: adminSchema('What works and what does not') },
    async () => success(await options.readiness()),
  );
}
