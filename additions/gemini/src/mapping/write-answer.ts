import type { CallResult } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { base64Of } from '@darkroom-service/addition-openai/mapping/images-answer';
import type { Kernel, StoredOutput } from '@darkroom-service/darkroom/kernel';

type Writing = Pick<Kernel, 'files' | 'outputs'>;
type Pieces = AsyncGenerator<string | Uint8Array>;

const NO_TOKENS = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };

/** Writes a final call as the answer of `generateContent`: a candidate for each image. */
export async function* writeContent(kernel: Writing, call: Call, { images, modelId }: CallResult): Pieces {
  yield '{"candidates":[';
  for (const [index, { output }] of images.entries()) {
    yield `${index === 0 ? '' : ','}{"index":${index},"finishReason":"STOP","content":{"role":"model","parts":[`;
    if (call.view.format === 'url') {
      const fileUri = kernel.files.signer.sign(output.key).url;
      yield JSON.stringify({ fileData: { mimeType: output.contentType, fileUri } });
    } else {
      yield '{"inlineData":{';
      yield* writeFile(kernel, output, ['mimeType', 'data']);
      yield '}}';
    }
    yield ']}}';
  }
  const rest = { usageMetadata: NO_TOKENS, modelVersion: modelId, responseId: call.id };
  yield `],${JSON.stringify(rest).slice(1)}`;
}

/** Writes a final call as the answer of `predict`. */
export async function* writePredictions(kernel: Writing, _call: Call, { images }: CallResult): Pieces {
  yield '{"predictions":[';
  for (const [index, { output }] of images.entries()) {
    yield index === 0 ? '{' : ',{';
    yield* writeFile(kernel, output, ['mimeType', 'bytesBase64Encoded']);
    yield output.revisedPrompt === null ? '}' : `,"prompt":${JSON.stringify(output.revisedPrompt)}}`;
  }
  yield ']}';
}

/** Writes the type and the content of a file as two members of an object, under the names of a dialect. */
export async function* writeFile(
  kernel: Writing,
  output: StoredOutput,
  [type, content]: readonly [type: string, content: string],
): Pieces {
  yield `"${type}":${JSON.stringify(output.contentType)},"${content}":"`;
  yield* base64Of(kernel, output);
  yield '"';
}
