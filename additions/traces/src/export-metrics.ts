import { world } from '@darkroom-service/contract';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { readRegistry } from './read-registry.ts';
import { protocolOf, readMetricTimes, unknownProtocol, urlOf } from './sdk-variables.ts';

/** Sends the metrics of `/metrics` to the collector, once a minute unless a variable says otherwise. */
export async function exportMetrics(registry: Registry, resource: Resource, endpoint: string): Promise<MeterProvider> {
  const startedAt = world.now();
  const reader = new PeriodicExportingMetricReader({
    exporter: await openExporter(endpoint),
    ...readMetricTimes(),
    metricProducers: [
      { collect: async () => ({ resourceMetrics: await readRegistry(registry, resource, startedAt), errors: [] }) },
    ],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

async function openExporter(endpoint: string): Promise<PushMetricExporter> {
  const url = urlOf('METRICS', endpoint);
  const protocol = protocolOf('METRICS');
  if (protocol === 'http/protobuf') {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    return new OTLPMetricExporter({ url });
  }
  if (protocol === 'http/json') {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    return new OTLPMetricExporter({ url });
  }
  throw unknownProtocol(protocol);
}
