import { callTimeoutOf } from '../engines/engine.ts';
import { engineOf, type TaskRow } from '../tasks/task.ts';
import type { Held, WorkerServices } from './worker-services.ts';

/** The pause before a cancel that the engine ignored is sent again. */
const TELL_AGAIN_MS = 5000;

/** A task that this process has claimed and works on. */
export class HeldTask implements Held {
  readonly task: TaskRow;
  /** Set when work starts. */
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
    if (this.#toldToCancelAtMs !== null && nowMs - this.#toldToCancelAtMs < TELL_AGAIN_MS) return;
    this.#toldToCancelAtMs = nowMs;
    this.onCancel();
  }

  /** Call when the work has ended. */
  release(): void {
    this.#endCall();
  }
}
