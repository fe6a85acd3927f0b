import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A span as a collector gets it. Times are milliseconds since 1970. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly events: readonly string[];
  readonly isError: boolean;
  /** Of the resource: the process that sent it. */
  readonly instance: string;
}

/** What a collector gets in JSON (`http/json`), as far as the tests read it. */
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number };
}
interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly events?: readonly { readonly name: string }[];
  readonly status?: { readonly code?: number };
}
interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}
export interface SentMetric {
  readonly name: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly MetricPoint[] };
  readonly gauge?: { readonly dataPoints: readonly MetricPoint[] };
  readonly histogram?: { readonly dataPoints: readonly MetricPoint[] };
}
interface MetricPoint {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly number[];
}
interface SentMetrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[];
  }[];
}

/** A collector of OpenTelemetry that keeps what it gets. */
export async function startOtlpReceiver(t: Pick<TestContext, 'after'>) {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, SentMetric>();
  /** The content types of what arrived, by path. */
  const types = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const type = request.headers['content-type'] ?? '';
    types.set(request.url ?? '', type);
    if (type === 'application/json') {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as SentTraces & SentMetrics;
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      if (request.url === '/v1/metrics') for (const metric of metricsOf(body)) metrics.set(metric.name, metric);
    }
    response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics, types };
}

export function attributesOf(attributes: readonly Attribute[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function spansOf({ resourceSpans }: SentTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? null,
        start: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
        end: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map(({ spanId }) => spanId),
        events: (span.events ?? []).map(({ name }) => name),
        isError: span.status?.code === 2,
        instance: String(attributesOf(resource.attributes)['service.instance.id']),
      })),
    ),
  );
}

function metricsOf({ resourceMetrics }: SentMetrics): SentMetric[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
}
