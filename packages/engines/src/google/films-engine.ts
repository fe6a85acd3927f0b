import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import { modelsIn } from '../upstream/listed-models.ts';
import type { OrderInput } from '../upstream/order-input.ts';
import { createSubmitPollEngine } from '../upstream/submit-poll-engine.ts';
import { createGoogleApi, type GoogleSettings, probeGoogle, transferToGoogle, withMedia } from './google-api.ts';
import { standingOfInteraction } from './omni-standing.ts';

interface Handle extends JsonObject {
  /** The path to poll, below the base URL. */
  readonly path: string;
}

const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;

/** Creates the engine for Google's videos: Omni, as interactions in the background. */
export function createGoogleFilmsEngine(settings: GoogleSettings): Engine {
  const { key } = settings;
  const api = createGoogleApi(settings, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'google',
      concurrency: CONCURRENCY,
      timeoutMs: api.timeoutMs,
      secrets: [key],
      handOver: transferToGoogle,
      async submit(order, { signal }) {
        const answer = await api.call({ method: 'POST', ...callFor(order), signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { path: `/interactions/${encodeURIComponent(id)}` };
        return api.unmade(answer, 'took the order but named no handle');
      },
      async check({ path }, { signal }) {
        const answer = await api.call({ url: path, signal, accept: [404] });
        if (answer.status === 404) return { state: 'gone' };
        return standingOfInteraction(api, answer.body, { 'x-goog-api-key': key });
      },
      jobOf: ({ path }) => path,
      probe: (context) => probeGoogle(api, context),
      async models({ signal }) {
        const { body } = await api.call({ url: '/models?pageSize=1000', signal });
        return modelsIn('Google', objectOf(body).models);
      },
    },
    settings,
  );
}

/** Returns an order's call. Media blocks have base64 and type as separate fields: the route puts both into `media`. */
function callFor({ model, input: { content, ...input } }: OrderInput): {
  readonly url: string;
  readonly json: JsonValue;
} {
  const blocks = (content as readonly JsonObject[]).map(({ media, ...block }) => {
    const mediaFields = media === undefined ? {} : withMedia(media, (data, mime_type) => ({ data, mime_type }));
    return { ...block, ...(mediaFields as JsonObject) };
  });
  const turn = { type: 'user_input', content: blocks };
  return { url: '/interactions', json: { model, background: true, input: [turn], ...input } };
}
