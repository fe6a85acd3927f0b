import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { type Engine, EngineError } from '../engine.ts';
import type { OrderInput } from '../upstream/order-input.ts';
import { createSubmitPollEngine } from '../upstream/submit-poll-engine.ts';
import { createGoogleApi, type GoogleSettings, handOverToGoogle, probeGoogle, withMedia } from './google-api.ts';
import { standingOfInteraction } from './omni-standing.ts';
import { standingOfOperation } from './veo-standing.ts';

interface Handle extends JsonObject {
  /** The path to poll, below the base URL. */
  readonly path: string;
  readonly kind: 'operation' | 'interaction';
}

const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;

/**
 * Creates the engine for Google's videos: Veo as long-running operations, Omni as interactions. A route that sets
 * `content[]` uses Omni; one that sets `instance.…` and `parameters.…` uses Veo. Nothing can be canceled, since Veo
 * does not support it.
 */
export function createGoogleFilmsEngine(settings: GoogleSettings): Engine {
  const { key } = settings;
  const api = createGoogleApi(settings, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'google',
      concurrency: CONCURRENCY,
      timeoutMs: api.timeoutMs,
      secrets: [key],
      handOver: handOverToGoogle,
      async submit(order, { signal }) {
        const isOmni = order.input.content !== undefined;
        const call = isOmni ? omniCall(order) : veoCall(order);
        const { body } = await api.call({ method: 'POST', ...call, signal, orders: true });
        const { name, id } = (body ?? {}) as JsonObject;
        const given = isOmni ? id : name;
        if (typeof given !== 'string' || given === '') {
          throw new EngineError('upstream', 'Google took the order but named no handle', { took: 'unknown' });
        }
        return isOmni
          ? { kind: 'interaction', path: `/interactions/${encodeURIComponent(given)}` }
          : { kind: 'operation', path: `/${given}` };
      },
      async check({ kind, path }, { signal }) {
        const answer = await api.call({ url: path, signal, accept: [404] });
        if (answer.status === 404) return { state: 'gone' };
        return kind === 'operation'
          ? standingOfOperation(api, answer.body, { 'x-goog-api-key': key })
          : standingOfInteraction(api, answer.body, { 'x-goog-api-key': key });
      },
      jobOf: ({ path }) => path,
      probe: (context) => probeGoogle(api, context),
    },
    settings,
  );
}

interface Call {
  readonly url: string;
  readonly json: JsonValue;
}

function veoCall({ model, input: { instance, ...input } }: OrderInput): Call {
  const instanceWithMedia = withMedia(instance ?? {}, (bytesBase64Encoded, mimeType) => ({
    bytesBase64Encoded,
    mimeType,
  }));
  return { url: `/models/${model}:predictLongRunning`, json: { instances: [instanceWithMedia], ...input } };
}

/** Media blocks need base64 and type as separate fields: the route puts both into `media`. */
function omniCall({ model, input: { content, ...input } }: OrderInput): Call {
  const blocks = (content as readonly JsonObject[]).map(({ media, ...block }) => {
    const mediaFields = media === undefined ? {} : withMedia(media, (data, mime_type) => ({ data, mime_type }));
    return { ...block, ...(mediaFields as JsonObject) };
  });
  const turn = { type: 'user_input', content: blocks };
  return { url: '/interactions', json: { model, background: true, input: [turn], ...input } };
}
