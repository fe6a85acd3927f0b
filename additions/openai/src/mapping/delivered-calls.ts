import { world } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { DELIVERED_AT_ONCE, recordDelivered } from './abandoned-calls.ts';

/** Interval of records; a client that repeats a lost request waits longer. */
const RECORDED_WITHIN_MS = 200;

/**
 * Records the calls that got their answer, those of a moment in one commit: an answer is being sent by then, and the
 * record only says that an equal request is a new one. If this process ends before, the next equal request gets the
 * order of the answered call.
 */
export class DeliveredCalls {
  readonly #kernel: Pick<Kernel, 'clock' | 'log' | 'process' | 'store'>;
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #recording: Promise<void> = Promise.resolve();

  constructor(kernel: Pick<Kernel, 'clock' | 'log' | 'process' | 'store'>) {
    this.#kernel = kernel;
  }

  /** Notes that the whole answer of a call was passed to its connection. */
  add(callId: string): void {
    this.#waiting.push(callId);
    if (this.#waiting.length >= DELIVERED_AT_ONCE) void this.record();
    else this.#timer ??= world.setTimeout(() => void this.record(), RECORDED_WITHIN_MS).unref();
  }

  /** Records the noted calls. Resolves when that is on disk; a fault is only logged. */
  async record(): Promise<void> {
    if (this.#timer !== null) world.clearTimeout(this.#timer);
    this.#timer = null;
    const { clock, log, process, store } = this.#kernel;
    const calls = this.#waiting.splice(0);
    const ended = { process: process.id, now: clock.now() };
    if (calls.length > 0)
      this.#recording = store
        .write('openai_delivery', (trx) => recordDelivered(trx, calls, ended), { together: true })
        .catch((error: unknown) => log.warn({ err: error, calls }, 'could not record which calls got their answer'));
    await this.#recording;
  }
}
