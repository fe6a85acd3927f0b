import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import { waitForCall } from './call-result.ts';
import type { Call } from './calls.ts';
import type { ResultWriter } from './dialect.ts';

/** Interval of heartbeats: proxies cut connections that are silent for longer. */
const HEARTBEAT_SECONDS = 15;

/**
 * Yields the server-sent events of a call: comments while its images are made, then its result. Ends early when the
 * client is gone or the service stops.
 * @param options.write writes the events of the result
 * @returns whether the events are complete
 */
export async function* streamCall(
  kernel: Pick<Kernel, 'files' | 'outputs' | 'tasks'>,
  key: OrderingKey,
  call: Call,
  { write, signal }: { readonly write: ResultWriter; readonly signal: AbortSignal },
): AsyncGenerator<string | Uint8Array, boolean> {
  for (;;) {
    const result = await waitForCall(kernel, key, call, { seconds: HEARTBEAT_SECONDS, signal });
    if (signal.aborted) return false;
    if (result.isFinal) {
      yield* write(kernel, call, result);
      yield 'data: [DONE]\n\n';
      return true;
    }
    yield ': still here\n\n';
  }
}
