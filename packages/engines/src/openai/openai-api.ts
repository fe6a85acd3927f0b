import type { Engine } from '../engine.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { modelsIn } from '../upstream/listed-models.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { MAX_ANSWER_BYTES } from './images-engine.ts';
import { explainOpenAiError } from './openai-errors.ts';

const API_URL = 'https://api.openai.com/v1';

/**
 * Opens OpenAI's interface, or that of a server that copies it.
 * @param settings with `url` null for OpenAI's own, or that of a server, including the version in the path
 * @param timeoutMs timeout of a call, unless the settings have another
 */
export function openOpenAi({ url, key, fetch, callTimeoutMs }: VendorSettings, timeoutMs: number): Upstream {
  return createUpstream({
    name: 'OpenAI',
    baseUrl: url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainOpenAiError,
    timeoutMs: callTimeoutMs ?? timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
}

/** Creates the functions that read the list of models at no cost: to test the key, and to list the models. */
export function askModels(api: Upstream): Required<Pick<Engine, 'probe' | 'models'>> {
  return {
    probe: createFreeProbe(api, '/models', { has: ['data'] }),
    async models({ signal }) {
      const { body } = await api.call({ url: '/models', signal });
      return modelsIn('OpenAI', objectOf(body).data);
    },
  };
}
