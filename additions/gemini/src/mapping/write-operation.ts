import type { CallResult } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { operationError } from './gemini-error.ts';
import { writeFile } from './write-answer.ts';

type Pieces = AsyncGenerator<string | Uint8Array>;

const RESPONSE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';

/** Returns the name of a call's operation. @param isVertex the form of Vertex AI, not of the Gemini API */
export function operationName(modelId: string, callId: string, isVertex: boolean): string {
  return `${isVertex ? 'publishers/google/' : ''}models/${modelId}/operations/${callId}`;
}

/**
 * Writes a call as a long-running operation. The films of the Gemini API are addresses that need the key, those of
 * Vertex AI are in the answer.
 * @param options.filesUrl address of the files of this interface
 */
export async function* writeOperation(
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  call: Call,
  result: CallResult,
  { filesUrl, isVertex }: { readonly filesUrl: string; readonly isVertex: boolean },
): Pieces {
  const { images, isFinal, failures, modelId } = result;
  const name = operationName(modelId, call.id, isVertex);
  if (!isFinal) return yield JSON.stringify({ name });
  const [failed] = failures;
  if (images.length === 0 && failed !== undefined)
    return yield JSON.stringify({ name, done: true, error: operationError(failed.failure) });
  if (!isVertex) {
    const generatedSamples = images.map(({ taskId, output }) => ({
      video: { uri: `${filesUrl}/${taskId.replace('_', '')}:download?alt=media`, encoding: output.contentType },
    }));
    const response = { '@type': RESPONSE, generateVideoResponse: { generatedSamples } };
    return yield JSON.stringify({ name, done: true, response });
  }
  yield `${JSON.stringify({ name, done: true }).slice(0, -1)},"response":{"videos":[`;
  for (const [index, { output }] of images.entries()) {
    yield index === 0 ? '{' : ',{';
    yield* writeFile(kernel, output, ['mimeType', 'bytesBase64Encoded']);
    yield '}';
  }
  yield ']}}';
}
