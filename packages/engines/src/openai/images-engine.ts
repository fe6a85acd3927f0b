import type { JsonObject } from '@darkroom-service/contract';
import { isRetryable } from '@darkroom-service/media';
import { type Engine, EngineError } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { type BlockingSpec, createBlockingEngine } from '../upstream/blocking-engine.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { beforeOrdering } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { editForm } from './edit-form.ts';
import { readImages, tokensIn } from './images-answer.ts';

/** The particulars of a server with OpenAI's images API. */
interface ImagesSpec extends Pick<BlockingSpec, 'name' | 'secrets' | 'probe' | 'models'> {
  readonly upstream: Upstream;
  readonly pictures: PictureTools;
  /**
   * Returns the URL of a call, and the model's name in its body.
   * @throws EngineError if the server cannot have the model
   */
  callFor(
    path: '/images/generations' | '/images/edits',
    model: string,
  ): { readonly url: string; readonly model: string };
}

/** Picture types that an edit accepts. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
const MOST_BYTES = 50_000_000;
const CONCURRENCY = 20;
/** A 4K PNG in base64. */
export const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
export const TIMEOUT_MS = 10 * 60_000;

/** Creates an engine for OpenAI's images API: a single call that returns the picture. */
export function createImagesEngine({ upstream, pictures, callFor, ...spec }: ImagesSpec): Engine {
  return createBlockingEngine({
    ...spec,
    concurrency: CONCURRENCY,
    timeoutMs: upstream.timeoutMs,
    handOver: createReferenceTransfer({
      pictures: { types: PICTURES, tools: pictures },
      inline: MOST_BYTES,
      byAddress: false,
    }),
    async generate({ model, input }, { signal, order: { keyId } }) {
      const isEdit = input.image !== undefined;
      const call = callFor(isEdit ? '/images/edits' : '/images/generations', model);
      const order = { model: call.model, ...input };
      const sent = isEdit
        ? { body: await beforeOrdering(() => formOf(order, pictures, keyId ?? spec.name), signal) }
        : { json: order };
      const { url } = call;
      const answer = await upstream.call({ method: 'POST', url, ...sent, signal, orders: true, hasFiles: true });
      return { ...readImages(upstream, answer), ...tokensIn(answer.body) };
    },
  });
}

async function formOf(order: JsonObject, pictures: PictureTools, owner: string): Promise<FormData> {
  try {
    return await editForm(order, (mask, picture) => pictures.edit('fitEditMask', [mask, picture], { owner }));
  } catch (cause) {
    if (isRetryable(cause))
      throw new EngineError('busy', 'the mask cannot be fitted to the first picture right now', { took: 'no', cause });
    throw new EngineError('invalid_input', 'the mask could not be fitted to the first picture', { took: 'no', cause });
  }
}
