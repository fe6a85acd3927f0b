import { Type } from 'typebox';
import { ServiceError } from '../base/errors.ts';
import { adminSchema } from './admin-schema.ts';
import { requireAdminKey } from './authenticate.ts';
import { success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, plainAnswer } from './schemas.ts';

const nothing = Type.Object({}, { additionalProperties: false });
const tags = ['Health'];
const Checks = Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() }));
const Alive = Type.Object({ status: Type.Literal('ok') });
const Ready = Type.Object({ status: Type.Literal('ready'), checks: Type.Optional(Checks) });
const Health = Type.Object({ ready: Type.Boolean(), checks: Checks });

/** Whether the service is alive, whether it can work, and its figures. */
export function healthRoutes(app: App, options: HttpOptions): void {
  const requireAdmin = requireAdminKey(options);

  app.get(
    '/healthz',
    { schema: { tags, summary: 'Alive', security: [], querystring: nothing, response: { 200: Alive } } },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        summary: 'Ready for orders; details with an admin key',
        security: [],
        querystring: nothing,
        response: { 200: Ready, ...ErrorAnswer },
      },
    },
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
      return { status: 'ready' as const, ...(detailed ? { checks: [...report.checks] } : {}) };
    },
  );

  app.get(
    '/metrics',
    {
      onRequest: requireAdmin,
      schema: {
        tags,
        summary: 'Figures for Prometheus',
        querystring: nothing,
        response: { 200: plainAnswer('Figures', ['text/plain']), ...ErrorAnswer },
      },
    },
    async (_request, reply) => {
      const text = await options.metrics.metrics();
      return reply.type(options.metrics.contentType).send(text);
    },
  );

  app.get(
    '/admin/v1/health',
    { onRequest: requireAdmin, schema: adminSchema('What works and what does not', Health) },
    async () => {
      const { ready, checks } = await options.readiness();
      return success({ ready, checks: [...checks] });
    },
  );
}
