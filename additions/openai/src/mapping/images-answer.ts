import type { Kernel, StoredOutput } from '@darkroom-service/darkroom/kernel';
import { cachedBase64, takeTurn } from '@darkroom-service/media';
import type { CallResult } from './call-result.ts';
import type { Call } from './calls.ts';
import type { OpenaiImageView } from './openai-wire.ts';

/** Bytes read at a time; a multiple of three, so that pieces of base64 join without padding. */
const PIECE_BYTES = 3 * 16_384;

/**
 * Writes the answer of a call that has images, as JSON text in pieces: ten images in base64 are too much for one
 * string.
 */
export async function* writeImages(
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  call: Call,
  result: CallResult,
): AsyncGenerator<string | Uint8Array> {
  yield `{"created":${Math.floor(result.createdAt / 1000)},"data":[`;
  for (const [index, { output }] of result.images.entries()) {
    const prompt = output.revisedPrompt === null ? {} : { revised_prompt: output.revisedPrompt };
    if (index > 0) yield ',';
    if (call.view.format === 'url') {
      yield JSON.stringify({ url: kernel.files.signer.sign(output.key).url, ...prompt } satisfies OpenaiImageView);
      continue;
    }
    yield '{"b64_json":"';
    yield* base64Of(kernel, output);
    yield output.revisedPrompt === null ? '"}' : `","revised_prompt":${JSON.stringify(output.revisedPrompt)}}`;
  }
  yield `],${JSON.stringify(factsOf(result)).slice(1)}`;
}

/** Returns the properties that all images share. */
export function factsOf({ images, input }: CallResult): object {
  const output = images[0]?.output;
  if (output === undefined) return {};
  return {
    ...(output.width === null ? {} : { size: `${output.width}x${output.height}` }),
    output_format: output.contentType.replace(/^image\//, ''),
    ...(typeof input.quality === 'string' ? { quality: input.quality } : {}),
    ...(typeof input.background === 'string' ? { background: input.background } : {}),
  };
}

/** Yields an image as base64, in pieces: texts, or the engine's own text, as ASCII. */
export async function* base64Of(
  { files, outputs }: Pick<Kernel, 'files' | 'outputs'>,
  output: StoredOutput,
): AsyncGenerator<string | Uint8Array> {
  let at = 0;
  try {
    const cached = outputs.cached(output);
    const kept = cached === null ? null : cachedBase64(cached);
    if (kept !== null) return yield kept;
    for (let bytes = outputs.cached(output); bytes !== null; bytes = outputs.cached(output)) {
      yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64', at, at + PIECE_BYTES);
      at += PIECE_BYTES;
      if (at >= output.bytes) return;
      await takeTurn();
    }
  } finally {
    outputs.free(output);
  }
  const range = at === 0 ? undefined : { start: at, end: output.bytes - 1 };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of await files.storage.open(output.key, range)) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % PIECE_BYTES);
    if (whole > 0) yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}
