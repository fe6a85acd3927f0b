import { world } from '@darkroom-service/contract';
import type { Engine, Order, ReportedCost } from '@darkroom-service/engines';
import { operationOf } from '../record/task-json.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { Interruption } from './interruption.ts';
import { orderOf } from './task-order.ts';
import type { WorkerServices } from './worker-services.ts';

/** The pause before a cancel that the engine ignored is sent again. */
const CANCEL_AGAIN_MS = 5000;

/** Facts about the order at its engine, since the claim or since its row was read again. */
interface Submission {
  /** The engine of its route; undefined if it is not configured in this process. */
  readonly engine: Engine | undefined;
  /** The order as the engine gets it; null until it is read. */
  order: Order | null;
  /** Whether it is submitted again, because an earlier submission may have been accepted. */
  isRepeated: boolean;
  /** Whether it is sent to test a valve that was shut. */
  isTest: boolean;
  /** The cost of the delivered order that the upstream reported. */
  reportedCost: ReportedCost | undefined;
}

/** End of the work under a claim that was not released: the runner looks for no other work then. */
type WorkEnd =
  | { readonly type: 'settled' }
  /** The lease is kept for the next check. `isPutOff`: the upstream accepts no more checks for now. */
  | { readonly type: 'delayed'; readonly afterMs: number; readonly isPutOff: boolean };

/** A task that this process has claimed, and its work on it. */
export class ClaimedTask {
  readonly work: WorkerServices;
  /** Task as of the last write. */
  task: TaskRecord;
  submission: Submission;
  /**
   * Number of times that its result was collected. Each time has storage keys of its own: a failure may leave another
   * file.
   */
  collections = 0;
  end: WorkEnd | null = null;
  readonly cancel = new CancelRequest();
  /** Whether the order is checked because its upstream called. */
  readonly isForCall: boolean;
  /** Whether the upstream called during this work. */
  wasCalled = false;
  readonly interruption: Interruption;
  /** Aborted when the service stops or the claim is lost, if the current work is resumable. */
  readonly signal: AbortSignal;

  constructor(
    work: WorkerServices,
    task: TaskRecord,
    { interruption = new Interruption(work.heartbeat), isForCall = false } = {},
  ) {
    this.work = work;
    this.task = task;
    this.submission = this.#submissionOf(task);
    this.interruption = interruption;
    this.signal = interruption.signal;
    this.isForCall = isForCall;
  }

  get engine(): Engine | undefined {
    return this.submission.engine;
  }

  /** Whether the upstream was given a URL to call when it got the order. */
  get callsBack(): boolean {
    const answer = this.task.operation_json === null ? this.work.answers.of(this.task.id) : null;
    if (answer?.kind === 'operation') return this.engine?.callsBack?.(answer.operation) ?? false;
    const operation = operationOf(this.task);
    return operation !== null && (this.engine?.callsBack?.(operation) ?? false);
  }

  /** Returns the order as the engine gets it. */
  async order(): Promise<Order> {
    const { submission } = this;
    submission.order ??= await orderOf(this.work.services, this.task);
    return submission.order;
  }

  /** Drops all facts about the task except its row. */
  beginAgain(task: TaskRecord): void {
    this.task = task;
    this.submission = this.#submissionOf(task);
  }

  /** Makes the last log lines of the process name the task and its upstream while this work blocks the event loop. */
  named(kind: 'collect' | 'call', step: string): Disposable {
    const { id, route } = this.task;
    const end = this.work.heartbeat.running.work(kind, `${step} task_id=${id} upstream=${route.engine}`);
    return { [Symbol.dispose]: end };
  }

  /** Records that the upstream of an engine called about the task. @returns whether the task is at that engine */
  calledBack(engine: string): boolean {
    if (this.task.route.engine !== engine) return false;
    this.wasCalled = true;
    return true;
  }

  #submissionOf(task: TaskRecord): Submission {
    const engine = this.work.engines.get(task.route.engine);
    return { engine, order: null, isRepeated: false, isTest: false, reportedCost: undefined };
  }
}

/** A cancel that was requested during the work on a task. */
class CancelRequest {
  isRequested = false;
  #send: (() => void) | null = null;
  #sentAtMs: number | null = null;

  /** Passes the cancel to the engine, if it has the task. */
  request(): void {
    this.isRequested = true;
    if (this.#send === null) return;
    const nowMs = world.monotonic();
    if (this.#sentAtMs !== null && nowMs - this.#sentAtMs < CANCEL_AGAIN_MS) return;
    this.#sentAtMs = nowMs;
    this.#send();
  }

  /** Sets the function that sends a cancel to the engine; null while the engine has no order to cancel. */
  sendBy(send: (() => void) | null): void {
    this.#send = send;
  }
}
