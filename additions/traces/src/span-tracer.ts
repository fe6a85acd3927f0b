import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@darkroom-service/contract';
import type { Tracer, Transaction } from '@darkroom-service/darkroom/kernel';
import { type Attributes, type Context, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { type OpenClaim, OpenClaims, recordCheck } from './open-claims.ts';
import { type OrderTrace, type OrderTraces, traceparentOf } from './order-traces.ts';
import { stopwatch, timeOf } from './span-time.ts';
import { attributesOfCall, attributesOfClaim, contextOf, fail, type SpanName, type SpanWriter } from './span-writer.ts';

/** The request or the order that this process is working on. */
interface Current {
  /** Context with the span to which the next part belongs. */
  readonly context: Context;
  /** Id of the request; null for work on an order. */
  readonly requestId: string | null;
  readonly claim: OpenClaim | null;
  /** Receives the facts about the server that the part asks; absent if none is asked. */
  readonly describeCall?: ((call: Attributes) => void) | undefined;
}

/** Parts that ask a server for the order. */
const CALLING: readonly SpanName[] = ['submit', 'download', 'webhook'];

type CalledServer = Parameters<Tracer['called']>[0];
type ClaimedTask = Parameters<Tracer['claim']>[0];
type EndedTask = Parameters<Tracer['ended']>[0];

/** The span of a request that is being answered. */
export interface RequestSpan {
  readonly span: Span;
  readonly startedAt: number;
  readonly current: Current;
}

/**
 * Turns requests and orders into spans. The span of an order lasts from its order to its end. All its parts are its
 * children, in whichever process they run: an id that follows from the task connects them, so that a process that is
 * killed leaves no gap in the tree.
 */
export class SpanTracer implements Tracer {
  readonly #writer: SpanWriter;
  readonly #clock: Clock;
  readonly #orders: OrderTraces;
  readonly #current = new AsyncLocalStorage<Current | undefined>();
  readonly #claims = new OpenClaims((claim) => this.#writer.claimed(claim));
  /** Spans whose trace is being read. */
  readonly #pending = new Set<Promise<void>>();

  constructor(writer: SpanWriter, orders: OrderTraces, clock: Clock) {
    this.#writer = writer;
    this.#orders = orders;
    this.#clock = clock;
  }

  /** Starts the span of a request. @returns null if it is not sampled */
  startRequest(
    requestId: string,
    name: string,
    describe: () => Attributes,
    parent: SpanContext | null,
  ): RequestSpan | null {
    const around = this.#current.getStore()?.context ?? ROOT_CONTEXT;
    const context = parent === null ? around : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const startedAt = this.#clock.now();
    const span = this.#writer.startRequest(context, name, startedAt, describe);
    if (span === null) return null;
    return { span, startedAt, current: { context: trace.setSpan(ROOT_CONTEXT, span), requestId, claim: null } };
  }

  /** Runs the function that answers a request, as a part of its span. */
  within({ current }: RequestSpan, run: () => void): void {
    this.#current.run(current, run);
  }

  span<T>(name: SpanName, run: () => Promise<T>): Promise<T> {
    const current = this.#current.getStore();
    if (current === undefined) return run();
    const { claim } = current;
    return name === 'check' && claim !== null
      ? this.#check({ ...current, claim }, run)
      : this.#spanOf(name, run, current, () => null);
  }

  async spanOf<T>(
    taskId: string,
    name: SpanName,
    run: () => Promise<T>,
    faultOf: (result: T) => string | null,
  ): Promise<T> {
    const order = await this.#orders.find(taskId);
    if (order === null) return await this.#current.run(undefined, run);
    return await this.#spanOf(name, run, { context: contextOf(order, taskId), requestId: null, claim: null }, faultOf);
  }

  placing(): (trx: Transaction, taskId: string) => void {
    const span = this.#currentSpan();
    const order = span === null ? null : { traceId: span.traceId, spanId: span.spanId };
    return (trx, taskId) => this.#orders.keep(trx, taskId, order, this.#clock.now());
  }

  async placingOf(batchId: string): Promise<(trx: Transaction, taskId: string) => void> {
    const order = await this.#orders.find(batchId);
    return (trx, taskId) => this.#orders.keep(trx, taskId, order, this.#clock.now());
  }

  async claim(task: ClaimedTask, run: () => Promise<boolean>): Promise<void> {
    const found = this.#orders.find(task.id);
    const order = found instanceof Promise ? await found : found;
    // A commit that others share may have woken it: its work is no part of their requests.
    if (order === null) return void (await this.#current.run(undefined, run));
    const claim = this.#claims.continue(task.id, task.fence) ?? this.#beginClaim(task, order);
    let keepsLease = false;
    try {
      keepsLease = await this.#current.run({ context: contextOf(order, task.id), requestId: null, claim }, run);
    } finally {
      this.#claims.pause(claim, this.#clock.now(), keepsLease);
    }
  }

  ended(task: EndedTask): void {
    this.#claims.orderEnded(task.id);
    if (this.#orders.known(task.id) === null) return;
    const ending = Promise.resolve(this.#orders.find(task.id)).then((order) => {
      if (order !== null) this.#writer.ended(task, order);
      this.#pending.delete(ending);
    });
    this.#pending.add(ending);
  }

  called(server: CalledServer): void {
    this.#current.getStore()?.describeCall?.(attributesOfCall(server));
  }

  headers(): Readonly<Record<string, string>> {
    const span = this.#currentSpan();
    return span === null ? {} : { traceparent: traceparentOf(span) };
  }

  traceOf(fields: object): string | null {
    // Many orders share a commit, and a line is written after it: only the ids in it identify the order.
    if ('task_id' in fields) return this.#orders.known(String(fields.task_id))?.traceId ?? null;
    if (!('request_id' in fields) || fields.request_id !== this.#current.getStore()?.requestId) return null;
    return this.#currentSpan()?.traceId ?? null;
  }

  /** Ends the spans of all work that this process has stopped. */
  async endAll(): Promise<void> {
    this.#claims.endAll();
    await Promise.all(this.#pending);
  }

  #currentSpan(): SpanContext | null {
    const current = this.#current.getStore();
    return current === undefined ? null : (trace.getSpanContext(current.context) ?? null);
  }

  async #spanOf<T>(
    name: SpanName,
    run: () => Promise<T>,
    current: Current,
    faultOf: (result: T) => string | null,
  ): Promise<T> {
    const startedAt = this.#clock.now();
    const took = stopwatch();
    const span = this.#writer.startSpan(name, current.context, startedAt, current.claim);
    let fault: string | null = null;
    try {
      const describeCall = CALLING.includes(name) ? (call: Attributes) => void span.setAttributes(call) : undefined;
      const context = trace.setSpan(current.context, span);
      const result = await this.#current.run({ ...current, context, describeCall }, run);
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

  /** Adds a check to its claim's span. An order may be checked a thousand times, so checks are events of one span. */
  async #check<T>(current: Current & { readonly claim: OpenClaim }, run: () => Promise<T>): Promise<T> {
    let called: Attributes = {};
    const describeCall = (call: Attributes) => {
      called = call;
    };
    const startedAt = this.#clock.now();
    const took = stopwatch();
    let fault: string | null = null;
    try {
      return await this.#current.run({ ...current, describeCall }, run);
    } catch (error) {
      fault = nameOf(error);
      throw error;
    } finally {
      recordCheck(current.claim, { startedAt, endedAt: startedAt + took(), fault, called });
    }
  }

  #beginClaim(task: ClaimedTask, order: OrderTrace): OpenClaim {
    const startedAt = this.#clock.now();
    const claim: OpenClaim = {
      taskId: task.id,
      fence: task.fence,
      trace: order,
      attributes: attributesOfClaim(task),
      startedAt,
      touchedAt: startedAt,
      isWorking: true,
      checks: null,
    };
    this.#claims.begin(claim);
    if (task.step === 'preparing' && task.started_at === null) this.#writer.waited(task, order, startedAt);
    return claim;
  }
}

/** Returns the class of an engine's error, the code of one of ours, or its name. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const { class: errorClass, code } = error as { readonly class?: unknown; readonly code?: unknown };
  return [errorClass, code].find((name) => typeof name === 'string') ?? error.name;
}
