import { setGlobalErrorHandler } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { processOf, VERSION } from '../../base/process.ts';
import type { Traced } from '../../service/addition.ts';
import { ConfigFault } from '../../service/config/config-fault.ts';
import { OrderTraces } from './order-traces.ts';
import { isOn, protocolOf, readBatching, readSampler, unknownProtocol, urlOf } from './sdk-variables.ts';
import { SpanIds } from './span-ids.ts';
import { SpanTracer } from './span-tracer.ts';

/** Prepares what sends traces and metrics to the collector. @throws ConfigFault */
export async function openTelemetry(
  { endpoint, config, database, clock, registry, log }: Traced & { readonly endpoint: string },
  closers: AsyncDisposableStack,
): Promise<SpanTracer | null> {
  setGlobalErrorHandler((error) => log.warn({ err: error }, 'could not send traces or metrics to the collector'));
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'darkroom',
        'service.version': VERSION,
        'service.instance.id': processOf(config.role).process,
        'darkroom.role': config.role,
      }),
    )
    // The operator's own names win.
    .merge(detectResources({ detectors: [envDetector] }));
  if (isOn('METRICS')) {
    const { exportMetrics } = await import('./export-metrics.ts');
    const metrics = await exportMetrics(registry, resource, endpoint);
    closers.defer(() => metrics.shutdown().catch(() => {}));
  }
  if (!isOn('TRACES')) return null;
  const sampler = readSampler();
  if (sampler === null) {
    const message =
      'expected always_on, always_off or traceidratio, each also after parentbased_; found another sampler';
    throw new ConfigFault([{ variable: 'OTEL_TRACES_SAMPLER', message }]);
  }
  const ids = new SpanIds();
  const provider = new TracerProvider({
    ...{ resource, sampler, idGenerator: ids },
    spanProcessors: [new BatchSpanProcessor({ exporter: await openExporter(endpoint), ...readBatching() })],
  });
  const tracer = new SpanTracer({
    ...{ clock, ids },
    otel: provider.getTracer('darkroom', VERSION),
    orders: new OrderTraces(database.read, log),
    databaseKind: database.kind === 'postgres' ? 'postgresql' : 'sqlite',
  });
  closers.defer(async () => {
    await tracer.endAll();
    await provider.shutdown().catch(() => {});
  });
  return tracer;
}

async function openExporter(endpoint: string): Promise<SpanExporter> {
  const url = urlOf('TRACES', endpoint);
  const protocol = protocolOf('TRACES');
  if (protocol === 'http/protobuf') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
    return new OTLPTraceExporter({ url });
  }
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter({ url });
  }
  throw unknownProtocol(protocol);
}
