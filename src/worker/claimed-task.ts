import { world } from '@darkroom-service/contract';
import type { Engine, Order, ReportedCost } from '@darkroom-service/engines';
import { operationOf } from '../tasks/task-json.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import type { Action } from './decide/action.ts';
import type { TaskLife } from './decide/decide.ts';
import type { TaskEvent } from './decide/event.ts';
import type { Facts } from './decide/facts.ts';
import { Interruption } from './interruption.ts';
import type { WorkerServices } from './worker-services.ts';

/** The pause before a cancel that the engine ignored is sent again. */
const CANCEL_AGAIN_MS = 5000;

/** The work of this process on a claimed task. */
export abstract class Attempt implements TaskLife {
  readonly work: WorkerServices;
  /** The task as the last write left it. An action that changes its route also releases it. */
  task: TaskRecord;
  /** The engine of its route; undefined if it is not configured in this process. */
  engine: Engine | undefined;
  /** The order as the engine gets it; null until it is read. */
  order: Order | null = null;
  /** The order is submitted again, because an earlier submission may have been accepted. */
  isResubmission = false;
  /** How often its result was collected. Each time stores under keys of its own: a failure may leave another file. */
  collections = 0;
  /** The order is sent to test a valve that was shut. */
  isTest = false;
  /** The cost of the delivered order that the upstream reported. */
  reportedCost: ReportedCost | undefined;
  /** Time until the next check, if the lease is kept for it; null otherwise. */
  nextCheckInMs: number | null = null;
  /** The error of the last action, for the log and for retries. */
  fault: unknown = null;
  readonly interruption: Interruption;
  /** Aborted when the service stops or the claim is lost, if the current work is resumable. */
  readonly signal: AbortSignal;
  /** Resolves when the work has ended. Set when it starts. */
  done: Promise<void> = Promise.resolve();
  /** Passes a cancel to the engine; undefined while the engine has no order to cancel. */
  onCancel: (() => void) | undefined;
  wasToldToCancel = false;
  /** The order is checked because its upstream called. */
  isForCall = false;
  /** The upstream called during this work. */
  wasCalled = false;
  /** The check was put off, because the upstream accepts no more checks for now. */
  isPutOff = false;
  /** Whether this work has settled the task, which has woken the runner. */
  hasSettled = false;
  #canceledAtMs: number | null = null;

  constructor(work: WorkerServices, task: TaskRecord, interruption = new Interruption(work.heartbeat)) {
    this.work = work;
    this.task = task;
    this.engine = work.engines.get(task.route.engine);
    this.interruption = interruption;
    this.signal = interruption.signal;
  }

  /** Whether the upstream was given a URL to call when it got the order. */
  get callsBack(): boolean {
    const answer = this.task.operation_json === null ? this.work.answers.of(this.task.id) : null;
    if (answer?.kind === 'operation') return this.engine?.callsBack?.(answer.operation) ?? false;
    return this.task.operation_json !== null && (this.engine?.callsBack?.(operationOf(this.task)) ?? false);
  }

  abstract gatherFacts(event: TaskEvent): Facts | Promise<Facts>;
  abstract apply(action: Action, event: TaskEvent): Promise<TaskEvent | null>;

  /** Forgets what is known of the task but its row. */
  beginAgain(task: TaskRecord): void {
    this.task = task;
    this.engine = this.work.engines.get(task.route.engine);
    this.order = null;
    this.isResubmission = false;
    this.isTest = false;
    this.reportedCost = undefined;
    this.fault = null;
  }

  /** Lets the last words of the process name the task and its upstream while this keeps the event loop. */
  named(kind: 'collect' | 'call', step: string): Disposable {
    const { id, route } = this.task;
    const end = this.work.heartbeat.running.work(kind, `${step} task_id=${id} upstream=${route.engine}`);
    return { [Symbol.dispose]: end };
  }

  /** Notes that the upstream of an engine called about the task. @returns whether the task is at that engine */
  tellOfCall(engine: string): boolean {
    if (this.task.route.engine !== engine) return false;
    this.wasCalled = true;
    return true;
  }

  /** Passes a cancel to the engine, if it has the task. */
  tellToCancel(): void {
    this.wasToldToCancel = true;
    if (this.onCancel === undefined) return;
    const nowMs = world.monotonic();
    if (this.#canceledAtMs !== null && nowMs - this.#canceledAtMs < CANCEL_AGAIN_MS) return;
    this.#canceledAtMs = nowMs;
    this.onCancel();
  }
}
