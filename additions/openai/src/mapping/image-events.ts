import type { ResultWriter } from './dialect.ts';
import { base64Of, factsOf } from './images-answer.ts';
import { failureOf } from './openai-error.ts';

/** Prefix of the events' names: for an image that was generated, or one that was edited. */
export type StreamKind = 'image_generation' | 'image_edit';

/**
 * Returns a writer of the events of a final call: one `completed` event for each image, or an error if there is none.
 */
export function imageEvents(kind: StreamKind): ResultWriter {
  const type = `${kind}.completed`;
  return async function* write(kernel, call, result) {
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
      yield `event: error\ndata: ${JSON.stringify({ type: 'error', error: failureOf(failed.failure).error })}\n\n`;
  };
}
