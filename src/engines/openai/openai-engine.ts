import type { JsonObject } from '../../base/canonical-json.ts';
import { isRetryable } from '../../media/media-fault.ts';
import type { TrustedFetch } from '../../net/trusted-fetch.ts';

import { type Engine, EngineError } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import { namesIn } from '../upstream/listed-models.ts';
import { createHandOver } from '../upstream/reference-hand-over.ts';
import { beforeOrdering, type EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import { editForm } from './edit-form.ts';
import { readImages } from './images-answer.ts';
import { explainOpenAiError } from './openai-errors.ts';

export interface OpenAiSettings extends EngineTools {
  /** `OPENAI_API_KEY`. */
  readonly key: string;
  /** Null: OpenAI's own. Else any server that copies its images API, including the version in the path. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

const API_URL = 'https://api.openai.com/v1';
/** Picture types that an edit accepts. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
const MOST_BYTES = 50_000_000;
/** A 4K PNG in base64. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;

/**
 * Creates the engine for OpenAI's images API and servers that copy it (LocalAI, sd-server): a single call that returns
 * the picture.
 */
export function createOpenAiEngine(settings: OpenAiSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'OpenAI',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainOpenAiError,
    timeoutMs: settings.callTimeoutMs ?? TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  return createBlockingEngine({
    name: 'openai',
    concurrency: CONCURRENCY,
    timeoutMs: upstream.timeoutMs,
    secrets: [key],
    handOver: createHandOver({ pictures: { types: PICTURES, tools: pictures }, inline: MOST_BYTES, byAddress: false }),
    async generate({ model, input }, { signal, order: { keyId } }) {
      const order = { model, ...input };
      const sent =
        input.image === undefined
          ? { url: '/images/generations', json: order }
          : { url: '/images/edits', body: await beforeOrdering(() => formOf(order, pictures, keyId), signal) };
      return readImages(upstream, await upstream.call({ method: 'POST', ...sent, signal, orders: true }));
    },
    async probe({ signal }) {
      try {
        await upstream.call({ url: '/models', signal });
        return { ok: true, message: 'OpenAI accepts the key' };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { ok: false, message: error.message };
      }
    },
    async models({ signal }) {
      const { body } = await upstream.call({ url: '/models', signal });
      return namesIn('OpenAI', objectOf(body).data);
    },
  });
}

async function formOf(order: JsonObject, pictures: PictureTools, keyId: string | undefined): Promise<FormData> {
  try {
    return await editForm(order, (mask, picture) =>
      pictures.edit('fitEditMask', [mask, picture], { owner: keyId ?? 'openai' }),
    );
  } catch (cause) {
    if (isRetryable(cause))
      throw new EngineError('busy', 'the mask cannot be fitted to the first picture right now', { took: 'no', cause });
    throw new EngineError('invalid_input', 'the mask could not be fitted to the first picture', { took: 'no', cause });
  }
}
