import { callTimeoutOf, type Engine } from '@darkroom-service/engines';
import type { Heartbeat } from '@darkroom-service/store';

/**
 * Ends the work on a task when the service stops or the claim is lost. Waits for a call that may be charged: its answer
 * cannot be requested again.
 */
export class Interruption {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #heartbeat: Pick<Heartbeat, 'expectCall'>;
  readonly #isStopping: () => boolean;
  #isResumable = true;
  #endCall: () => void = () => {};

  /** @param isStopping whether the service stops, so that no resumable work may begin */
  constructor(heartbeat: Pick<Heartbeat, 'expectCall'>, isStopping: () => boolean = () => false) {
    this.signal = this.#controller.signal;
    this.#heartbeat = heartbeat;
    this.#isStopping = isStopping;
  }

  /** Sets whether the work is resumable, as it is at first. Otherwise a call to this engine may be charged. */
  setResumable(isResumable: boolean, engine: Pick<Engine, 'callTimeoutMs'> = {}): void {
    this.#isResumable = isResumable;
    this.#endCall();
    this.#endCall = isResumable ? () => {} : this.#heartbeat.expectCall(callTimeoutOf(engine));
    if (this.#isStopping()) this.abortIfResumable(new Error('the service stops'));
  }

  /** Aborts the work, unless a call is open that may be charged. */
  abortIfResumable(reason: Error): void {
    if (this.#isResumable) this.abort(reason);
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Call when the work has ended. */
  workEnded(): void {
    this.#endCall();
  }
}
