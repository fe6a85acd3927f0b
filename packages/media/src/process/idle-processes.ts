import type { MediaProcess } from './media-process.ts';

/**
 * Idle media processes. Each ends after a while; the last one stays longer, so that the next file finds a started
 * process.
 */
export class IdleProcesses {
  readonly #timers = new Map<MediaProcess, NodeJS.Timeout>();
  readonly #idleMs: number;
  readonly #warmMs: number;

  constructor({ idleMs, warmMs }: { readonly idleMs: number; readonly warmMs: number }) {
    this.#idleMs = idleMs;
    this.#warmMs = warmMs;
  }

  get size(): number {
    return this.#timers.size;
  }

  add(process: MediaProcess): void {
    this.#endAfter(process, this.#idleMs, () => {
      if (this.#timers.size > 0) process.kill();
      else this.#endAfter(process, this.#warmMs, () => process.kill());
    });
  }

  /** Returns the most recently used process, so that the others become old enough to end. */
  take(): MediaProcess | null {
    const process = [...this.#timers.keys()].at(-1) ?? null;
    if (process !== null) this.remove(process);
    return process;
  }

  remove(process: MediaProcess): void {
    clearTimeout(this.#timers.get(process));
    this.#timers.delete(process);
  }

  #endAfter(process: MediaProcess, ms: number, end: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(process);
      end();
    }, ms);
    timer.unref();
    this.#timers.set(process, timer);
  }
}
