import type { Engine } from '../engine.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { namesIn } from '../upstream/listed-models.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { createImagesEngine, MAX_ANSWER_BYTES, TIMEOUT_MS } from './images-engine.ts';
import { explainOpenAiError } from './openai-errors.ts';

/** OpenAI's own endpoint. */
export const API_URL = 'https://api.openai.com/v1';

/**
 * Creates the engine for OpenAI's images API and servers that copy it (LocalAI, sd-server).
 * @param settings its `url` is null for OpenAI's own, or that of a server, including the version in the path
 */
export function createOpenAiEngine(settings: VendorSettings): Engine {
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
  return createImagesEngine({
    name: 'openai',
    secrets: [key],
    upstream,
    pictures,
    callFor: (url, model) => ({ url, model }),
    probe: createFreeProbe(upstream, '/models', { has: ['data'] }),
    async models({ signal }) {
      const { body } = await upstream.call({ url: '/models', signal });
      return namesIn('OpenAI', objectOf(body).data);
    },
  });
}
