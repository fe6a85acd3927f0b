import { ConfigFault } from '@darkroom-service/darkroom/kernel';
import { getBooleanFromEnv, getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

type Signal = 'TRACES' | 'METRICS';

/** Whether the standard variables leave a signal on. */
export function isOn(signal: Signal): boolean {
  return getBooleanFromEnv('OTEL_SDK_DISABLED') !== true && getStringFromEnv(`OTEL_${signal}_EXPORTER`) !== 'none';
}

export function protocolOf(signal: Signal): string {
  return (
    getStringFromEnv(`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`) ??
    getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL') ??
    'http/protobuf'
  );
}

/**
 * Returns the error for a protocol that is neither `http/protobuf` nor `http/json`.
 * @param found the value of the variable
 */
export function unknownProtocol(found: string): ConfigFault {
  const message = `expected http/protobuf or http/json, found ${JSON.stringify(found.slice(0, 40))}`;
  return new ConfigFault([{ variable: 'OTEL_EXPORTER_OTLP_PROTOCOL', message }]);
}

/**
 * Finds quotes in headers, which the exporter would send as a part of a name or a value: W3C Baggage, in whose form
 * they are written, has none. @throws ConfigFault without the value
 */
export function checkHeaders(): void {
  const message = 'expected name=value pairs such as authorization=Bearer%20abc, found quotes in it. Remove them';
  const faults = ['', 'TRACES_', 'METRICS_']
    .map((signal) => `OTEL_EXPORTER_OTLP_${signal}HEADERS`)
    .filter((variable) => /["']/.test(getStringFromEnv(variable) ?? ''))
    .map((variable) => ({ variable, message }));
  if (faults.length > 0) throw new ConfigFault(faults);
}

/** Returns the URL of a signal at the collector. @param endpoint the collector's, for all signals */
export function urlOf(signal: Signal, endpoint: string): string {
  return getStringFromEnv(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ?? `${endpoint}/v1/${signal.toLowerCase()}`;
}

/** Reads the configured sampler. @returns null if there is no sampler of this name */
export function readSampler(): Sampler | null {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const root = rootSampler(name.replace(/^parentbased_/, ''));
  return root === null || !name.startsWith('parentbased_') ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string): Sampler | null {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1);
    default:
      return null;
  }
}

/** Returns the settings by which spans are batched before they are sent. */
export function readBatching() {
  return {
    ...numberOf('scheduledDelayMillis', 'OTEL_BSP_SCHEDULE_DELAY'),
    ...numberOf('exportTimeoutMillis', 'OTEL_BSP_EXPORT_TIMEOUT'),
    ...numberOf('maxQueueSize', 'OTEL_BSP_MAX_QUEUE_SIZE'),
    ...numberOf('maxExportBatchSize', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  };
}

/** Returns the interval and the timeout of sending metrics. */
export function readMetricTimes() {
  return {
    ...numberOf('exportIntervalMillis', 'OTEL_METRIC_EXPORT_INTERVAL'),
    ...numberOf('exportTimeoutMillis', 'OTEL_METRIC_EXPORT_TIMEOUT'),
  };
}

function numberOf<Name extends string>(name: Name, variable: string): { readonly [N in Name]?: number } {
  const value = getNumberFromEnv(variable);
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]: number });
}
