import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@darkroom-service/contract/clock';
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
import type { Transaction } from '../../database/database.ts';
import type { TracedPart, Tracer } from '../../tasks/tracer.ts';
import { noteCheck, type OpenClaim, OpenClaims } from './open-claims.ts';
import { type OrderTrace, type OrderTraces, traceparentOf } from './order-traces.ts';
import { type SpanIds, spanIdOf } from './span-ids.ts';
import { stopwatch, timeOf } from './span-time.ts';

/** What this process is working on. */
interface Current {
  /** With the span that the next part belongs to. */
  readonly context: Context;
  /** The request, or null for work on an order. */
  readonly requestId: string | null;
  readonly claim: OpenClaim | null;
}

type ClaimedTask = Parameters<Tracer['claim']>[0];
type EndedTask = Parameters<Tracer['ended']>[0];

/** The span of a request that is being answered. */
export interface RequestSpan {
  readonly span: Span;
  readonly startedAt: number;
}

interface Details {
  readonly context: Context;
  readonly startedAt: number;
  readonly attributes?: Attributes;
  readonly kind?: SpanKind;
  readonly links?: Link[];
  readonly id?: string;
}

/**
 * Turns requests and orders into spans. The span of an order lasts from its order to its end. All its parts are
 * children of it, whichever process does them: an id that follows from the task connects them, so that a process that
 * is killed leaves no gap in the tree.
 */
export class SpanTracer implements Tracer {
  readonly #otel: OtelTracer;
  readonly #ids: SpanIds;
  readonly #clock: Clock;
  readonly #orders: OrderTraces;
  readonly #databaseKind: string;
  readonly #current = new AsyncLocalStorage<Current>();
  readonly #claims = new OpenClaims((claim) => this.#endClaim(claim));
  /** Spans whose trace is being read. */
  readonly #pending = new Set<Promise<void>>();

  constructor(parts: {
    readonly otel: OtelTracer;
    readonly ids: SpanIds;
    readonly clock: Clock;
    readonly orders: OrderTraces;
    readonly databaseKind: string;
  }) {
    this.#otel = parts.otel;
    this.#ids = parts.ids;
    this.#clock = parts.clock;
    this.#orders = parts.orders;
    this.#databaseKind = parts.databaseKind;
  }

  /** Starts the span of a request. @returns null if it is not sampled */
  startRequest(name: string, attributes: Attributes, parent: SpanContext | null): RequestSpan | null {
    const around = this.#current.getStore();
    const context =
      parent === null
        ? (around?.context ?? ROOT_CONTEXT)
        : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const startedAt = this.#clock.now();
    const span = this.#start(name, { context, startedAt, kind: SpanKind.SERVER, attributes });
    return span.isRecording() ? { span, startedAt } : null;
  }

  /** Runs what answers a request, as a part of its span. */
  within({ span }: RequestSpan, requestId: string, run: () => void): void {
    const context = trace.setSpan(ROOT_CONTEXT, span);
    this.#current.run({ context, requestId, claim: null }, run);
  }

  async part<T>(name: TracedPart, run: () => Promise<T>): Promise<T> {
    const current = this.#current.getStore();
    if (current === undefined) return await run();
    const { claim } = current;
    if (name !== 'check' || claim === null) return await this.#spanOf(name, run, current, () => null);
    const startedAt = this.#clock.now();
    const took = stopwatch();
    const note = (fault: string | null) => noteCheck(claim, startedAt, startedAt + took(), fault);
    try {
      const result = await run();
      note(null);
      return result;
    } catch (error) {
      note(nameOf(error));
      throw error;
    }
  }

  async partOf<T>(
    taskId: string,
    name: TracedPart,
    run: () => Promise<T>,
    faultOf: (result: T) => string | null,
  ): Promise<T> {
    const order = await this.#orders.find(taskId);
    if (order === null) return await run();
    return await this.#spanOf(name, run, { context: contextOf(order, taskId), requestId: null, claim: null }, faultOf);
  }

  placing(): (trx: Transaction, taskId: string) => void {
    const current = this.#current.getStore();
    const span = current === undefined ? undefined : trace.getSpanContext(current.context);
    const order = span === undefined ? null : { traceId: span.traceId, spanId: span.spanId };
    return (trx, taskId) => this.#orders.keep(trx, taskId, order, this.#clock.now());
  }

  async claim(task: ClaimedTask, run: () => Promise<boolean>): Promise<void> {
    const found = this.#orders.find(task.id);
    const order = found instanceof Promise ? await found : found;
    if (order === null) return void (await run());
    const claim = this.#claims.continue(task.id, task.fence) ?? this.#beginClaim(task, order);
    let keepsLease = false;
    try {
      const current = { context: contextOf(order, task.id), requestId: null, claim };
      keepsLease = await this.#current.run(current, run);
    } finally {
      this.#claims.pause(claim, this.#clock.now(), keepsLease);
    }
  }

  ended(task: EndedTask): void {
    const ending = Promise.resolve(this.#orders.find(task.id)).then((order) => {
      if (order !== null) this.#endOrder(task, order);
      this.#pending.delete(ending);
    });
    this.#pending.add(ending);
    this.#claims.orderEnded(task.id);
  }

  headers(): Readonly<Record<string, string>> {
    const current = this.#current.getStore();
    const span = current === undefined ? undefined : trace.getSpanContext(current.context);
    return span === undefined ? {} : { traceparent: traceparentOf(span) };
  }

  traceOf(fields: object): string | null {
    // Many orders share a commit, and a line is written after it: only what it names tells whose it is.
    if ('task_id' in fields) return this.#orders.known(String(fields.task_id))?.traceId ?? null;
    const current = this.#current.getStore();
    if (current === undefined || !('request_id' in fields) || fields.request_id !== current.requestId) return null;
    return trace.getSpanContext(current.context)?.traceId ?? null;
  }

  /** Ends the spans of what this process no longer does. */
  async endAll(): Promise<void> {
    this.#claims.endAll();
    await Promise.all(this.#pending);
  }

  async #spanOf<T>(
    name: TracedPart,
    run: () => Promise<T>,
    current: Current,
    faultOf: (result: T) => string | null,
  ): Promise<T> {
    const startedAt = this.#clock.now();
    const took = stopwatch();
    const { kind, attributes } = this.#describe(name, current);
    const span = this.#start(name, { context: current.context, startedAt, kind, attributes });
    let fault: string | null = null;
    try {
      const inner = { ...current, context: trace.setSpan(current.context, span) };
      const result = await this.#current.run(inner, run);
      fault = faultOf(result);
      return result;
    } catch (error) {
      fault = nameOf(error);
      throw error;
    } finally {
      if (fault !== null) fail(span, fault);
      span.end(timeOf(startedAt + took()));
    }
  }

  #describe(name: TracedPart, { claim }: Current): { readonly kind: SpanKind; readonly attributes: Attributes } {
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
        return { kind: SpanKind.INTERNAL, attributes: {} };
    }
  }

  #beginClaim(task: ClaimedTask, order: OrderTrace): OpenClaim {
    const startedAt = this.#clock.now();
    const { id: taskId, fence } = task;
    const claim: OpenClaim = {
      ...{ taskId, fence, trace: order, startedAt, touchedAt: startedAt, isWorking: true, checks: null },
      attributes: {
        'darkroom.task.id': taskId,
        'darkroom.claim.fence': fence,
        'messaging.system': 'darkroom',
        'messaging.operation.type': 'process',
        'messaging.operation.name': 'claim',
        'messaging.destination.name': task.queue,
        'messaging.message.id': taskId,
        'gen_ai.provider.name': task.route.engine,
        'gen_ai.request.model': task.route.model ?? task.model_id,
        'gen_ai.output.type': task.type,
      },
    };
    this.#claims.begin(claim);
    if (task.step === 'preparing' && task.started_at === null)
      this.#start('waiting', {
        ...{ context: contextOf(order, taskId), startedAt: Number(task.created_at) },
        attributes: { 'messaging.destination.name': task.queue },
      }).end(timeOf(startedAt));
    return claim;
  }

  #endClaim({ taskId, fence, trace: order, startedAt, touchedAt, attributes, checks }: OpenClaim): void {
    const context = contextOf(order, taskId);
    if (checks !== null) {
      const { events, count, endedAt } = checks;
      const span = this.#start('checks', {
        ...{ context, startedAt: checks.startedAt, kind: SpanKind.CLIENT },
        attributes: { ...genAiOf(attributes), 'darkroom.checks': count },
      });
      for (const { at, fault } of events)
        span.addEvent('check', fault === null ? {} : { 'error.type': fault }, timeOf(at));
      span.end(timeOf(endedAt));
    }
    // Which may have been that of a process that ended and could not tell.
    const links = fence > 1 ? [{ context: spanOfClaim(order, taskId, fence - 1) }] : [];
    const details = { context, startedAt, attributes, links, kind: SpanKind.CONSUMER };
    this.#start('claim', { ...details, id: spanIdOf(taskId, `claim ${fence}`) }).end(timeOf(touchedAt));
  }

  #endOrder(task: EndedTask, { traceId, spanId }: OrderTrace): void {
    const context = trace.setSpanContext(ROOT_CONTEXT, remote(traceId, spanId));
    const span = this.#start(`order ${task.model_id}`, {
      ...{ context, startedAt: Number(task.created_at), id: spanIdOf(task.id, 'order') },
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

  #start(
    name: string,
    { context, startedAt, id, kind = SpanKind.INTERNAL, attributes = {}, links = [] }: Details,
  ): Span {
    const options = { kind, attributes, links, startTime: timeOf(startedAt) };
    const start = () => this.#otel.startSpan(name, options, context);
    return id === undefined ? start() : this.#ids.with(id, start);
  }
}

/** The context in which parts of an order are its children. */
function contextOf({ traceId }: OrderTrace, taskId: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(traceId, spanIdOf(taskId, 'order')));
}

function spanOfClaim({ traceId }: OrderTrace, taskId: string, fence: number): SpanContext {
  return remote(traceId, spanIdOf(taskId, `claim ${fence}`));
}

function remote(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function genAiOf(attributes: Attributes): Attributes {
  const named = Object.entries(attributes).filter(([name]) => name.startsWith('gen_ai.'));
  return { ...Object.fromEntries(named), 'gen_ai.operation.name': 'generate_content' };
}

/** Messages of errors may quote customers, so that only their kind is told. */
function fail(span: Span, fault: string): void {
  span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  for (const key of ['class', 'code'] as const) {
    const value = (error as { class?: unknown; code?: unknown })[key];
    if (typeof value === 'string') return value;
  }
  return error.name;
}
