import { chatUsage } from '@darkroom-service/addition-openai/mapping/chat-answer';
import type { ResultWriter } from '@darkroom-service/addition-openai/mapping/dialect';
import { base64Of } from '@darkroom-service/addition-openai/mapping/images-answer';
import { failureOf } from '@darkroom-service/addition-openai/mapping/openai-error';

const COMPLETED = 'image_generation.completed';

/** Writes the events of a final call: one for each image, the last with the usage, or an error if there is none. */
export const writeImageEvents: ResultWriter = async function* write(kernel, _call, result) {
  const created = Math.floor(result.createdAt / 1000);
  for (const [index, { output }] of result.images.entries()) {
    yield `data: {"type":"${COMPLETED}","created":${created},"media_type":${JSON.stringify(output.contentType)},"b64_json":"`;
    yield* base64Of(kernel, output);
    const isLast = index === result.images.length - 1;
    yield `"${isLast ? `,"usage":${JSON.stringify(chatUsage(result))}` : ''}}\n\n`;
  }
  const [failed] = result.failures;
  if (failed === undefined || result.images.length > 0) return;
  // Unlike elsewhere in this form, clients read a word in the code of this event.
  const { message, code, param, type } = failureOf(failed.failure).error;
  yield `data: ${JSON.stringify({ type: 'error', error: { message, code, param, type } })}\n\n`;
};
