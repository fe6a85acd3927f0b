import fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { ReadinessReport } from '../http/http-options.ts';
import { JoinedBody, refuseScattered } from '../listener/joined-body.ts';

/**
 * Builds the server for metrics and health on a separate port without authentication, which must not be public. A
 * worker, which has no other port, is monitored through it. It is not listening yet.
 */
export function buildMetricsServer(options: {
  readonly metrics: Registry;
  readonly readiness: () => Promise<ReadinessReport>;
  readonly phase: () => 'starting' | 'serving' | 'leaving' | 'stopping';
}): FastifyInstance {
  const { metrics } = options;
  const app = fastify({ logger: false, http: { IncomingMessage: JoinedBody } });
  refuseScattered(app);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get<{ Querystring: { readonly for?: string } }>('/readyz', async (request, reply) => {
    const { ready, checks, ...capabilities } = await options.readiness();
    const asked = request.query.for;
    if (asked !== undefined && !Object.hasOwn(capabilities, asked))
      return reply.code(400).send({ status: 'invalid', expected: `for=${Object.keys(capabilities).join(', ')}` });
    const can = asked === undefined ? ready : capabilities[asked as keyof typeof capabilities];
    const phase = options.phase();
    const status = phase === 'starting' ? 'starting' : phase !== 'serving' ? 'shutting_down' : can ? 'ready' : null;
    const orders = capabilities.orders ? {} : { orders: false };
    const body = { status: status ?? 'service_unavailable', ...orders, checks };
    return reply.code(status === 'ready' ? 200 : 503).send(body);
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.metrics();
    return reply.type(metrics.contentType).send(text);
  });
  return app;
}
