import type { TrustedFetch } from '@darkroom-service/media';
import type { Engine } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import { createImagesEngine, MAX_ANSWER_BYTES } from './images-engine.ts';
import { explainOpenAiError } from './openai-errors.ts';

interface OwnImagesSettings {
  /** The server's address without a path; its API is below `/v1`. */
  readonly url: string;
  /** The server's key; null if it needs none. */
  readonly key: string | null;
  /** Maximum milliseconds for one picture. */
  readonly callTimeoutMs: number;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

/** Creates the engine for an operator's own server with OpenAI's images API, such as LocalAI. */
export function createOwnImagesEngine({ url, key, callTimeoutMs, fetch, pictures }: OwnImagesSettings): Engine {
  const secrets = key === null ? [] : [key];
  const upstream = createUpstream({
    name: 'the server',
    baseUrl: `${url}/v1`,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    secrets,
    fetch,
    explain: explainOpenAiError,
    timeoutMs: callTimeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isOwn: true,
  });
  return createImagesEngine({
    name: 'openai-images',
    secrets,
    upstream,
    pictures,
    callFor: (path, model) => ({ url: path, model }),
  });
}
