import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { type Engine, EngineError } from '../engine.ts';
import type { OrderInput } from '../upstream/order-input.ts';
import { createSubmitPollEngine } from '../upstream/submit-poll-engine.ts';
import { createGoogleApi, type GoogleSettings, handOverToGoogle, probeGoogle, withMedia } from './google-api.ts';
import { standingOfInteraction } from './omni-standing.ts';
import { standingOfOperation } from './veo-standing.ts';

interface Handle extends JsonObject {
  /** Where it is asked, below the base address. */
  readonly path: string;
  readonly kind: 'operation' | 'interaction';
}

const TIMEOUT_MS = 5 * 60_000;
const CONCURRENCY = 10;

/**
 * Google's films: Veo by long-running operations, Omni by interactions. A route that says `content[]` is one of Omni; one of Veo says
 * `instance.…` and `parameters.…`. Nothing is canceled: Veo cannot.
 */
export function createGoogleFilmsEngine(settings: GoogleSettings): Engine {
  const { key } = settings;
  const api = createGoogleApi(settings, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'google',
      concurrency: CONCURRENCY,
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
  const said = withMedia(instance ?? {}, (bytesBase64Encoded, mimeType) => ({ bytesBase64Encoded, mimeType }));
  return { url: `/models/${model}:predictLongRunning`, json: { instances: [said], ...input } };
}

/** A block of media has base64 and type side by side: the route leaves both to `media`. */
function omniCall({ model, input: { content, ...input } }: OrderInput): Call {
  const blocks = (content as readonly JsonObject[]).map(({ media, ...block }) => {
    const said = media === undefined ? {} : withMedia(media, (data, mime_type) => ({ data, mime_type }));
    return { ...block, ...(said as JsonObject) };
  });
  const turn = { type: 'user_input', content: blocks };
  return { url: '/interactions', json: { model, background: true, input: [turn], ...input } };
}
