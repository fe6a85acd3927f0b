import fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** The figures on a port of their own, without a key: that port belongs behind the operator's walls. Not listening yet. */
export function buildMetricsServer({ metrics }: { readonly metrics: Registry }): FastifyInstance {
  const app = fastify({ logger: false });
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.metrics();
    return reply.type(metrics.contentType).send(text);
  });
  return app;
}
