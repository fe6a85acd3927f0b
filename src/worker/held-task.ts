import { callTimeoutOf } from '../engines/engine.ts';
import { engineOf, type TaskRow } from '../tasks/task.ts';
import type { Held, WorkerServices } from './worker-services.ts';

/** An engine that ignored a cancel is told again after this time. */
const TELL_AGAIN_MS = 5000;

/** A task that this process has claimed and works on. */
export class HeldTask implements Held {
  readonly task: TaskRow;
  /** Set when the work on it begins. */
  done: Promise<void> = Promise.resolve();
  onCancel: (() => void) | undefined;
  readonly #work: Pick<WorkerServices, 'engines' | 'heartbeat'>;
  readonly #isStopping: () => boolean;
  readonly #controller = new AbortController();
  #isResumable = true;
  #endCall: () => void = () => {};
  #toldToCancelAtMs: number | null = null;

  constructor(work: Pick<WorkerServices, 'engines' | 'heartbeat'>, task: TaskRow, isStopping: () => boolean) {
    this.#work = work;
    this.task = task;
    this.#isStopping = isStopping;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  setResumable(isResumable: boolean): void {
    this.#isResumable = isResumable;
    this.#endCall();
    const { engines, heartbeat } = this.#work;
    this.#endCall = isResumable
      ? () => {}
      : heartbeat.expectCall(callTimeoutOf(engines.get(engineOf(this.task)) ?? {}));
    if (this.#isStopping()) this.abortIfResumable(new Error('the service stops'));
  }

  /** Breaks off the work, unless a call is open that may be paid. */
  abortIfResumable(reason: Error): void {
    if (this.#isResumable) this.abort(reason);
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Tells the engine, if it has the task, that someone wants it canceled. */
  tellToCancel(): void {
    if (this.onCancel === undefined) return;
    const nowMs = performance.now();
    if (this.#toldToCancelAtMs !== null && nowMs - this.#toldToCancelAtMs < TELL_AGAIN_MS) return;
    this.#toldToCancelAtMs = nowMs;
    this.onCancel();
  }

  /** The work on it has ended. */
  release(): void {
    this.#endCall();
  }
}
