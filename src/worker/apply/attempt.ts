import { callTimeoutOf, type Engine, type Order } from '../../engines/engine.ts';
import type { ToldCost } from '../../engines/told-cost.ts';
import type { Route } from '../../tasks/route.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';
import type { Action } from '../decide/action.ts';
import type { TaskLife } from '../decide/decide.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { Facts } from '../decide/facts.ts';
import type { WorkerServices } from '../worker-services.ts';

/** The pause before a cancel that the engine ignored is sent again. */
const CANCEL_AGAIN_MS = 5000;

/** A claimed task that this process works on: its row, its route and engine, and the signal that ends the work. */
export abstract class Attempt implements TaskLife {
  readonly work: WorkerServices;
  /** The row after the last write. */
  task: TaskRow;
  /** The route of the task. An action that changes it also releases the task. */
  route: Route;
  /** The engine of that route; undefined if it is not configured in this process. */
  engine: Engine | undefined;
  /** The order as the engine gets it; null until it is read. */
  order: Order | null = null;
  /** The order is submitted again, because an earlier submission may have been accepted. */
  isResubmission = false;
  /** What the upstream said that the delivered order cost. */
  toldCost: ToldCost | undefined;
  /** The error of the last action, for the log and for retries. */
  fault: unknown = null;
  /** Aborted when the service stops or the claim is lost, if the current work is resumable. */
  readonly signal: AbortSignal;
  /** Resolves when the work has ended. Set when it starts. */
  done: Promise<void> = Promise.resolve();
  /** Passes a cancel to the engine; undefined while the engine has no order to cancel. */
  onCancel: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #isStopping: () => boolean;
  #isResumable = true;
  #endCall: () => void = () => {};
  #canceledAtMs: number | null = null;

  /** @param isStopping whether the service stops, so that no resumable work may begin */
  constructor(work: WorkerServices, task: TaskRow, isStopping: () => boolean = () => false) {
    this.work = work;
    this.task = task;
    this.route = routeOf(task);
    this.engine = work.engines.get(this.route.engine);
    this.signal = this.#controller.signal;
    this.#isStopping = isStopping;
  }

  abstract gatherFacts(event: TaskEvent): Facts | Promise<Facts>;
  abstract apply(action: Action, event: TaskEvent): Promise<TaskEvent | null>;

  /** Forgets what is known of the task but its row. */
  beginAgain(row: TaskRow): void {
    this.task = row;
    this.route = routeOf(row);
    this.engine = this.work.engines.get(this.route.engine);
    this.order = null;
    this.isResubmission = false;
    this.toldCost = undefined;
    this.fault = null;
  }

  /** Sets whether the current work is resumable (initially yes): a stop aborts it, otherwise waits for it. */
  setResumable(isResumable: boolean): void {
    this.#isResumable = isResumable;
    this.#endCall();
    this.#endCall = isResumable ? () => {} : this.work.heartbeat.expectCall(callTimeoutOf(this.engine ?? {}));
    if (this.#isStopping()) this.abortIfResumable(new Error('the service stops'));
  }

  /** Aborts the work, unless a call is open that may be charged. */
  abortIfResumable(reason: Error): void {
    if (this.#isResumable) this.abort(reason);
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Passes a cancel to the engine, if it has the task. */
  tellToCancel(): void {
    if (this.onCancel === undefined) return;
    const nowMs = performance.now();
    if (this.#canceledAtMs !== null && nowMs - this.#canceledAtMs < CANCEL_AGAIN_MS) return;
    this.#canceledAtMs = nowMs;
    this.onCancel();
  }

  /** Call when the work has ended. */
  release(): void {
    this.#endCall();
  }
}
