import { type Addition, DAILY_MS, defineSettings, text } from '@darkroom-service/darkroom/kernel';
import { Type } from 'typebox';
import { TRACE_TABLES } from './trace-tables.ts';

/** Settings of the collector: its URL for traces and metrics, without a slash at the end; null = none. */
const TRACE_SETTINGS = defineSettings({
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      text(
        {
          expected: 'a URL such as http://127.0.0.1:4318',
          description:
            'The [OpenTelemetry](operating.md#traces) collector that gets traces and metrics. Its other `OTEL_…` variables are read from the environment of the process. Unset: nothing is traced.',
        },
        (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      ),
    ),
  },
  read: ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) => endpoint?.replace(/\/+$/, '') ?? null,
});

const REMOVED_AT_ONCE = 1000;

/** Sends traces of requests and orders, and the metrics, to an OpenTelemetry collector. */
export const TRACES: Addition = {
  name: 'traces',
  settings: TRACE_SETTINGS,
  tables: TRACE_TABLES,
  chores: ({ store, work }, signal) => [
    {
      name: 'order traces',
      everyMs: DAILY_MS,
      run: () =>
        store.erase({ unit: 'trim_traces', signal }, (trx) => {
          const old = trx.builder
            .selectFrom('order_traces')
            .select('task_id')
            .where('created_at', '<', work.erasedBefore())
            .orderBy('created_at')
            .limit(REMOVED_AT_ONCE);
          return trx.run(trx.builder.deleteFrom('order_traces').where('task_id', 'in', old));
        }),
    },
  ],
  async openTracer(traced, closers) {
    const endpoint = traced.config.of(TRACE_SETTINGS);
    if (endpoint === null) return null;
    const { openTelemetry } = await import('./open-telemetry.ts');
    return openTelemetry({ ...traced, endpoint }, closers);
  },
  open: ({ settings, work: { tracer } }) => ({
    async http() {
      if (settings.of(TRACE_SETTINGS) === null) return {};
      const [{ SpanTracer }, { traceRequests }] = await Promise.all([
        import('./span-tracer.ts'),
        import('./trace-requests.ts'),
      ]);
      return tracer instanceof SpanTracer ? { everyRequest: (app) => traceRequests(app, tracer) } : {};
    },
  }),
};
