import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import { type CallResult, waitForCall } from './call-result.ts';
import type { Call } from './calls.ts';
import { base64Of, factsOf } from './images-answer.ts';
import { failureAnswer } from './openai-error.ts';

/** Prefix of the events' names: for an image that was generated, or one that was edited. */
export type StreamKind = 'image_generation' | 'image_edit';

/** Interval of heartbeats: proxies cut connections that are silent for longer. */
const HEARTBEAT_SECONDS = 15;

/**
 * Yields the server-sent events of a call: one `completed` event for each image once all are made, or an error if there
 * is none. Ends early when the client is gone or the service stops.
 * @returns whether the events are complete
 */
export async function* streamImages(
  kernel: Pick<Kernel, 'files' | 'outputs' | 'tasks'>,
  key: OrderingKey,
  call: Call,
  { kind, signal }: { readonly kind: StreamKind; readonly signal: AbortSignal },
): AsyncGenerator<string | Uint8Array, boolean> {
  for (;;) {
    const result = await waitForCall(kernel, key, call, { seconds: HEARTBEAT_SECONDS, signal });
    if (signal.aborted) return false;
    if (result.isFinal) {
      yield* finalEvents(kernel, call, result, kind);
      return true;
    }
    yield ': still here\n\n';
  }
}

async function* finalEvents(
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  call: Call,
  result: CallResult,
  kind: StreamKind,
): AsyncGenerator<string | Uint8Array> {
  const type = `${kind}.completed`;
  for (const { output } of result.images) {
    const facts = {
      ...factsOf({ ...result, images: [{ taskId: '', output }] }),
      created_at: Math.floor(result.createdAt / 1000),
    };
    yield `event: ${type}\ndata: {"type":"${type}",`;
    if (call.view.format === 'url') yield `"url":${JSON.stringify(kernel.files.signer.sign(output.key).url)},`;
    else {
      yield '"b64_json":"';
      yield* base64Of(kernel, output);
      yield '",';
    }
    yield `${JSON.stringify(facts).slice(1)}\n\n`;
  }
  const [failed] = result.failures;
  if (failed !== undefined && result.images.length === 0)
    yield `event: error\ndata: ${JSON.stringify({ type: 'error', ...failureAnswer(failed.failure).body })}\n\n`;
  yield 'data: [DONE]\n\n';
}
