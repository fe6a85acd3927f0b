import { sleep } from '@darkroom-service/contract';
import { type Addition, ConfigFault, VERSION } from '@darkroom-service/darkroom/kernel';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import { OrderTraces } from './order-traces.ts';
import { checkHeaders, isOn, protocolOf, readBatching, readSampler, unknownProtocol, urlOf } from './sdk-variables.ts';
import { SpanIds } from './span-ids.ts';
import { SpanTracer } from './span-tracer.ts';
import { SpanWriter } from './span-writer.ts';

const LAST_SEND_MS = 2_000;

/** Prepares the export of traces and metrics to the collector. @throws ConfigFault */
export async function openTelemetry(
  {
    endpoint,
    config,
    process: id,
    database,
    clock,
    registry,
    log,
  }: Parameters<NonNullable<Addition['openTracer']>>[0] & { readonly endpoint: string },
  closers: AsyncDisposableStack,
): Promise<SpanTracer | null> {
  setGlobalErrorHandler((error) => log.warn({ err: error }, 'could not send traces or metrics to the collector'));
  checkHeaders();
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'darkroom',
        'service.version': VERSION,
        'service.instance.id': id,
        'darkroom.role': config.role,
      }),
    )
    // The operator's own names take precedence.
    .merge(detectResources({ detectors: [envDetector] }));
  const metrics = isOn('METRICS') ? await openMetrics(registry, resource, endpoint) : null;
  if (metrics !== null) closers.defer(() => sent(metrics.shutdown()));
  if (!isOn('TRACES')) return null;
  const sampler = readSampler();
  if (sampler === null) {
    const message =
      'expected always_on, always_off or traceidratio, each also after parentbased_; found another sampler';
    throw new ConfigFault([{ variable: 'OTEL_TRACES_SAMPLER', message }]);
  }
  const ids = new SpanIds();
  const provider = new TracerProvider({
    resource,
    sampler,
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: await openExporter(endpoint), ...readBatching() })],
  });
  const databaseKind = database.kind === 'postgres' ? 'postgresql' : 'sqlite';
  const writer = new SpanWriter(provider.getTracer('darkroom', VERSION), ids, sampler, databaseKind);
  const tracer = new SpanTracer(writer, new OrderTraces(database.read, log), clock);
  closers.defer(async () => {
    await tracer.endAll();
    await sent(provider.shutdown());
  });
  return tracer;
}

async function openMetrics(registry: Registry, resource: Resource, endpoint: string): Promise<MeterProvider> {
  const { exportMetrics } = await import('./export-metrics.ts');
  return await exportMetrics(registry, resource, endpoint);
}

/** Waits until the last data are sent. A collector that does not answer must not hold up a stop. */
async function sent(shutdown: Promise<void>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([shutdown.catch(() => {}), sleep(LAST_SEND_MS, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
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
