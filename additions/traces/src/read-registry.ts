import { world } from '@darkroom-service/contract';
import { type Attributes, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { timeOf } from './span-time.ts';

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];
/** A value of a metric. Values of a histogram have the name of their part. */
type Value = Metric['values'][number] & { readonly metricName?: string };

const CUMULATIVE = AggregationTemporality.CUMULATIVE;

/**
 * Reads the metrics of `/metrics` in the form of OpenTelemetry.
 * @param startedAt time since which counters count; milliseconds since 1970
 */
export async function readRegistry(
  registry: Registry,
  resource: Resource,
  startedAt: number,
): Promise<ResourceMetrics> {
  const metrics = await registry.getMetricsAsJSON();
  const times = { startTime: timeOf(startedAt), endTime: timeOf(world.now()) };
  return {
    resource,
    scopeMetrics: [{ scope: { name: 'darkroom' }, metrics: metrics.map((one) => convert(one, times)) }],
  };
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function convert(metric: Metric, times: Times): MetricData {
  const { name, help } = metric;
  const unit = /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '';
  const descriptor = { name, description: help, unit, valueType: ValueType.DOUBLE };
  // The types of the library name these by number; its values are words.
  const type = String(metric.type);
  if (type === 'histogram')
    return {
      descriptor,
      aggregationTemporality: CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histograms(metric.values, times),
    };
  const dataPoints = metric.values.map(({ value, labels }) => ({ ...times, value, attributes: attributesOf(labels) }));
  return type === 'counter'
    ? {
        descriptor,
        aggregationTemporality: CUMULATIVE,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints,
      }
    : { descriptor, aggregationTemporality: CUMULATIVE, dataPointType: DataPointType.GAUGE, dataPoints };
}

/**
 * Joins the series of each set of labels. The buckets of the registry include smaller ones; those of OpenTelemetry do
 * not.
 */
function histograms(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels: { le: _, ...labels } }: Value & { labels: { le?: unknown } }) =>
    JSON.stringify(labels),
  );
  return [...series.values()].map((parts) => {
    const partOf = (suffix: string) => parts.filter(({ metricName }) => metricName?.endsWith(suffix));
    const buckets = partOf('_bucket') as (Value & { labels: { le?: number | string } })[];
    const { le: _, ...labels } = (parts[0]?.labels ?? {}) as Record<string, string | number>;
    return {
      ...times,
      attributes: attributesOf(labels),
      value: {
        buckets: {
          boundaries: buckets.flatMap(({ labels: { le } }) => (le === '+Inf' ? [] : [Number(le)])),
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
        sum: partOf('_sum')[0]?.value ?? 0,
        count: partOf('_count')[0]?.value ?? 0,
      },
    };
  });
}

function attributesOf(labels: Readonly<Record<string, string | number | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined)) as Attributes;
}
