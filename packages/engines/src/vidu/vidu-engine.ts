import type { JsonObject } from '@darkroom-service/contract/json';
import { type Engine, EngineError } from '../engine.ts';
import { newsIn } from '../upstream/callback-news.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { createHandOver } from '../upstream/reference-hand-over.ts';
import { createSubmitPollEngine, type Standing } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
  readonly seed: number | null;
}

const API_URL = 'https://api.vidu.com/ent/v2';
const CONCURRENCY = 10;
/** A request may have 20 MB, base64 included. */
const INLINE = { inline: 10_000_000, inlineTogether: 14_000_000 };
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Not verified against the live service: the codes of a content refusal and of an empty balance. */
const UNVERIFIED = { content: /audit|risk|sensitive|polic|moderation/i, billing: /credit|balance|quota/i };

const WORKING = ['created', 'queueing', 'processing'];

/** Creates the engine for Vidu. A route's `model` is the path with the model: `text2video/viduq3-pro`. */
export function createViduEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'Vidu',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Token ${key}` },
    secrets: [key],
    fetch,
    explain: explainViduError,
    timeoutMs: settings.callTimeoutMs,
  });
  const inside = createHandOver({ pictures: { types: PICTURES, tools: pictures }, ...INLINE, byAddress: true });
  const byAddress = createHandOver({ inline: 0, byAddress: true });
  return createSubmitPollEngine<Handle>(
    {
      name: 'vidu',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit({ model: routeModel, input }, { signal, callbackUrl }) {
        const [path, model = ''] = routeModel.split('/');
        const json = { model, ...input, ...(callbackUrl === null ? {} : { callback_url: callbackUrl }) };
        const { body } = await upstream.call({ method: 'POST', url: `/${path}`, json, signal, orders: true });
        const { task_id: id, seed } = objectOf(body);
        if (typeof id === 'string' && id !== '') return { id, seed: seedIn(seed) };
        throw new EngineError('upstream', 'Vidu took the order but named no id', { took: 'unknown' });
      },
      async check({ id, seed }, { signal }) {
        const url = `/tasks/${encodeURIComponent(id)}/creations`;
        const answer = await upstream.call({ url, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body), seed);
      },
      jobOf: ({ id }) => id,
      // It calls at each change of the state. How it signs is not known here.
      readCallback: async ({ body }) => newsIn(body, ['state', 'status'], WORKING),
      probe: createFreeProbe(upstream, '/tasks/0/creations', [404]),
    },
    settings,
  );
}

/** Reads `{ code, reason, message }`. */
function explainViduError({ body }: Answer): Explained | null {
  const { reason, message } = objectOf(body);
  if (typeof message !== 'string') return null;
  const words = `${reason} ${message}`;
  if (UNVERIFIED.content.test(words)) return { class: 'content_policy', message };
  return UNVERIFIED.billing.test(words) ? { class: 'billing', proof: 'words', message } : { message };
}

function standingOf(
  upstream: Upstream,
  { state, err_code: code, creations }: JsonObject,
  seed: number | null,
): Standing {
  switch (state) {
    case 'created':
    case 'queueing':
    case 'processing':
      return { state: 'pending', word: state };
    case 'failed': {
      const reason = typeof code === 'string' && code !== '' ? code : 'the task failed without a reason';
      return {
        state: 'failed',
        class: UNVERIFIED.content.test(reason) ? 'content_policy' : 'upstream',
        message: reason,
      };
    }
    case 'success': {
      const { url } = objectOf(Array.isArray(creations) ? creations[0] : undefined);
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [url], { seed }) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(state) };
  }
}
