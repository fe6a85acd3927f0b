import type { Tracer } from '@darkroom-service/darkroom/kernel';
import {
  type Attributes,
  type Context,
  type Link,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';
import type { OpenClaim } from './open-claims.ts';
import type { OrderTrace } from './order-traces.ts';
import { type SpanIds, spanIdOf } from './span-ids.ts';
import { timeOf } from './span-time.ts';

/** Name of a part of a request or an order. */
export type SpanName = Parameters<Tracer['span']>[0];

type ClaimedTask = Parameters<Tracer['claim']>[0];
type EndedTask = Parameters<Tracer['ended']>[0];

interface Details {
  readonly context: Context;
  /** Start in milliseconds since 1970. */
  readonly startedAt: number;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly links?: Link[];
  /** Id of the span; absent = random. */
  readonly id?: string;
}

/** Writes spans with the names that the conventions of OpenTelemetry have for HTTP, databases, messages and models. */
export class SpanWriter {
  readonly #otel: OtelTracer;
  readonly #ids: SpanIds;
  readonly #sampler: Sampler;
  readonly #databaseKind: string;

  constructor(otel: OtelTracer, ids: SpanIds, sampler: Sampler, databaseKind: string) {
    this.#otel = otel;
    this.#ids = ids;
    this.#sampler = sampler;
    this.#databaseKind = databaseKind;
  }

  /**
   * Starts the span of a request. Samplers decide by the trace alone, so that for most requests nothing is created.
   * @returns null if it is not sampled
   */
  startRequest(context: Context, name: string, startedAt: number, describe: () => Attributes): Span | null {
    const id = trace.getSpanContext(context)?.traceId ?? this.#ids.generateTraceId();
    const { decision } = this.#sampler.shouldSample(context, id, name, SpanKind.SERVER, {}, []);
    if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return null;
    const details = { context, startedAt, kind: SpanKind.SERVER, attributes: describe() };
    return this.#ids.withTrace(id, () => this.start(name, details));
  }

  start(
    name: string,
    { context, startedAt, id, kind = SpanKind.INTERNAL, attributes = {}, links = [] }: Details,
  ): Span {
    const options = { kind, attributes, links, startTime: timeOf(startedAt) };
    const start = () => this.#otel.startSpan(name, options, context);
    return id === undefined ? start() : this.#ids.with(id, start);
  }

  startSpan(name: SpanName, context: Context, startedAt: number, claim: OpenClaim | null): Span {
    return this.start(name, { context, startedAt, ...this.#describe(name, claim) });
  }

  /** Writes the span of an order's time in the queue. */
  waited(task: ClaimedTask, order: OrderTrace, until: number): void {
    const context = contextOf(order, task.id);
    const attributes = { 'messaging.destination.name': task.queue };
    this.start('waiting', { context, startedAt: task.created_at, attributes }).end(timeOf(until));
  }

  /** Writes the span of a lease of this process, with its checks. */
  claimed({ taskId, fence, trace: order, startedAt, touchedAt, attributes, checks }: OpenClaim): void {
    const context = contextOf(order, taskId);
    if (checks !== null) {
      const span = this.start('checks', {
        context,
        startedAt: checks.startedAt,
        kind: SpanKind.CLIENT,
        attributes: { ...genAiOf(attributes), ...checks.called, 'darkroom.checks': checks.count },
      });
      for (const { at, fault } of checks.events)
        span.addEvent('check', fault === null ? {} : { 'error.type': fault }, timeOf(at));
      span.end(timeOf(checks.endedAt));
    }
    // It may have been that of a process that was killed and sent nothing of it.
    const links = fence > 1 ? [{ context: remote(order.traceId, spanIdOf(taskId, `claim ${fence - 1}`)) }] : [];
    const id = spanIdOf(taskId, `claim ${fence}`);
    this.start('claim', { context, startedAt, attributes, links, id, kind: SpanKind.CONSUMER }).end(timeOf(touchedAt));
  }

  ended(task: EndedTask, { traceId, spanId }: OrderTrace): void {
    const span = this.start(`order ${task.model_id}`, {
      context: trace.setSpanContext(ROOT_CONTEXT, remote(traceId, spanId)),
      startedAt: task.created_at,
      id: spanIdOf(task.id, 'order'),
      attributes: {
        'darkroom.task.id': task.id,
        'darkroom.task.status': task.status,
        'darkroom.mode': task.mode,
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.output.type': task.type,
        'gen_ai.request.model': task.model_id,
        'gen_ai.provider.name': task.engine,
      },
    });
    if (task.failure !== null) fail(span, task.failure);
    span.end(timeOf(task.completedAt));
  }

  #describe(name: SpanName, claim: OpenClaim | null): Pick<Details, 'kind' | 'attributes'> {
    switch (name) {
      case 'place':
      case 'settle':
        return {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': this.#databaseKind, 'db.operation.name': name },
        };
      case 'submit':
        return { kind: SpanKind.CLIENT, attributes: genAiOf(claim?.attributes ?? {}) };
      case 'webhook':
        return { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'POST' } };
      default:
        return {};
    }
  }
}

/** Returns the attributes of a span around a call to a server. Paths are left out: they may be secret. */
export function attributesOfCall({ host, port, status }: Parameters<Tracer['called']>[0]): Attributes {
  const answered = status === null ? {} : { 'http.response.status_code': status };
  return { 'server.address': host, 'server.port': port, ...answered };
}

/** Returns the attributes of the spans of a claim. */
export function attributesOfClaim(task: ClaimedTask): Attributes {
  return {
    'darkroom.task.id': task.id,
    'darkroom.claim.fence': task.fence,
    'messaging.system': 'darkroom',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'claim',
    'messaging.destination.name': task.queue,
    'messaging.message.id': task.id,
    'gen_ai.provider.name': task.route.engine,
    'gen_ai.request.model': task.route.model ?? task.model_id,
    'gen_ai.output.type': task.type,
  };
}

/** Returns the context in which parts of an order are its children. */
export function contextOf({ traceId }: OrderTrace, taskId: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(traceId, spanIdOf(taskId, 'order')));
}

/** Marks a span as failed. Messages of errors may quote customers, so only their kind is recorded. */
export function fail(span: Span, fault: string): void {
  span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
}

function remote(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function genAiOf(attributes: Attributes): Attributes {
  const named = Object.entries(attributes).filter(([name]) => name.startsWith('gen_ai.'));
  return { ...Object.fromEntries(named), 'gen_ai.operation.name': 'generate_content' };
}
