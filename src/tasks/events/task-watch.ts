import { world } from '@darkroom-service/contract';

interface TaskWatchOptions {
  readonly taskId: string;
  /** Whether only the end of the task wakes the caller at once. */
  readonly untilEnd: boolean;
  /** Called when the caller begins to wait. */
  readonly onWait: () => void;
  readonly onClose: () => void;
}

/**
 * Changes of a task, as one caller follows them. A watch is
 *
 * - *reading*: its caller reads the task. A change makes it stale: the caller reads once more at once.
 * - *waiting* (`next`): its caller knows a revision. A change (`wake`) or another revision (`compare`) wakes it.
 */
export class TaskWatch<End> {
  readonly taskId: string;
  /** Whether a change by another process may have been missed since the caller began to read. */
  isUnsure = false;
  readonly #options: TaskWatchOptions;
  /** Ending of the task by this process. */
  #end: End | undefined;
  /** The revision that the caller has read; null while it is reading. */
  #revision: number | null = null;
  /** Whether the task changed while the caller was reading. */
  #isStale = false;
  #endWait: (() => void) | null = null;

  constructor(options: TaskWatchOptions) {
    this.#options = options;
    this.taskId = options.taskId;
  }

  get isWaiting(): boolean {
    return this.#revision !== null;
  }

  /**
   * Resolves when the task may have a revision other than the given one, which the caller has read since the last call;
   * also at the timeout and when the signal is aborted. The caller then reads the task again, unless the promise has
   * the end.
   */
  async next(
    revision: number,
    { timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal: AbortSignal },
  ): Promise<End | undefined> {
    if (this.#isStale || signal.aborted) {
      this.#isStale = false;
      return this.#end;
    }
    this.#revision = revision;
    this.#options.onWait();
    await this.#wait(timeoutMs, signal);
    this.#revision = null;
    this.#isStale = false;
    return this.#end;
  }

  close(): void {
    this.#endWait?.();
    this.#options.onClose();
  }

  /** Reports a change by this process. @param end ending of the task, if it has ended */
  changed(end: End | undefined): void {
    this.#end = end;
    if (!this.#options.untilEnd || end !== undefined) this.wake();
  }

  /** Reports that the task may have changed. */
  wake(): void {
    if (this.#endWait === null) this.#isStale = true;
    else this.#endWait();
  }

  /** Wakes a waiting caller that knows another revision. @param revision the current one; undefined = no such task */
  compare(revision: number | undefined): void {
    if (this.#revision !== null && revision !== this.#revision) this.wake();
  }

  #wait(timeoutMs: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        world.clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#endWait = null;
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : world.setTimeout(end, timeoutMs);
      signal.addEventListener('abort', end, { once: true });
      this.#endWait = end;
    });
  }
}
