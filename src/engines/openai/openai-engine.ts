import type { TrustedFetch } from '../../net/trusted-fetch.ts';
import { type Engine, EngineError } from '../engine.ts';
import { createBlockingEngine } from '../upstream/blocking-engine.ts';
import { createHandOver } from '../upstream/reference-hand-over.ts';
import { beforeOrdering, type EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import { editForm } from './edit-form.ts';
import { readImages } from './images-answer.ts';
import { explainOpenAiError } from './openai-errors.ts';

export interface OpenAiSettings extends EngineTools {
  /** `OPENAI_API_KEY`. */
  readonly key: string;
  /** Null: OpenAI's own. Any server that copies its images API, up to and with the version. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

const API_URL = 'https://api.openai.com/v1';
/** Pictures that go into an edit. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
const MOST_BYTES = 50_000_000;
/** 4K as PNG in base64. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;

/** OpenAI's images, and every server that copies them (LocalAI, sd-server): one call that answers with the picture. */
export function createOpenAiEngine(settings: OpenAiSettings): Engine {
  const { key, fetch } = settings;
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
    secrets: [key],
    handOver: createHandOver({ pictures: PICTURES, inline: MOST_BYTES, byAddress: false }),
    async generate({ model, input }, { signal }) {
      const order = { model, ...input };
      const sent =
        input.image === undefined
          ? { url: '/images/generations', json: order }
          : { url: '/images/edits', body: await beforeOrdering(() => formOf(order)) };
      return readImages(upstream, await upstream.call({ method: 'POST', ...sent, signal, orders: true }));
    },
    async probe({ signal }) {
      try {
        await upstream.call({ url: '/models', signal });
        return { ok: true, message: 'OpenAI takes the key' };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { ok: false, message: error.message };
      }
    },
  });
}

async function formOf(order: Parameters<typeof editForm>[0]): Promise<FormData> {
  try {
    return await editForm(order);
  } catch (cause) {
    throw new EngineError('invalid_input', 'the mask could not be fitted to the first picture', { took: 'no', cause });
  }
}
