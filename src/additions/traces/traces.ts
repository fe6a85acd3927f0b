import type { Addition } from '../../service/addition.ts';
import { TRACE_TABLES } from './trace-tables.ts';

const REMOVED_AT_ONCE = 1000;

/** Sends traces of requests and orders, and the metrics, to an OpenTelemetry collector. */
export const TRACES: Addition = {
  name: 'traces',
  tables: TRACE_TABLES,
  hooks: {
    tidied: async (trx, before) => {
      const old = trx.builder
        .selectFrom('order_traces')
        .select('task_id')
        .where('created_at', '<', before)
        .orderBy('created_at');
      return await trx.run(trx.builder.deleteFrom('order_traces').where('task_id', 'in', old.limit(REMOVED_AT_ONCE)));
    },
  },
  async openTracer(traced, closers) {
    const { otlpEndpoint } = traced.config;
    if (otlpEndpoint === null) return null;
    const { openTelemetry } = await import('./open-telemetry.ts');
    return openTelemetry({ ...traced, endpoint: otlpEndpoint }, closers);
  },
  async http({ config, services: { tracer } }) {
    if (config.otlpEndpoint === null) return {};
    const [{ SpanTracer }, { traceRequests }] = await Promise.all([
      import('./span-tracer.ts'),
      import('./trace-requests.ts'),
    ]);
    return tracer instanceof SpanTracer ? { everyRequest: (app) => traceRequests(app, tracer) } : {};
  },
};
