import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const API_URL = 'https://api.heygen.com';
const CONCURRENCY = 5;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Not verified against the live service: the bytes of an image inside an order, and how refused content is worded. */
const UNVERIFIED = { inline: 7_000_000, content: /moderat|polic|safety|nsfw|sensitive/i };

/**
 * Creates the engine for HeyGen's video model. A route's `model` is the mode with the model:
 * `text_to_video/heygen-video-1`.
 */
export function createHeygenEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'HeyGen',
    baseUrl: settings.url ?? API_URL,
    headers: { 'x-api-key': key },
    secrets: [key],
    fetch,
    explain: explainHeygenError,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'heygen',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: createReferenceTransfer({
        pictures: { types: PICTURES, tools: pictures },
        inline: UNVERIFIED.inline,
        byAddress: true,
      }),
      async submit({ model: routeModel, input }, { signal }) {
        const [mode = '', model = ''] = routeModel.split('/');
        const { image } = input;
        const json = { model, mode, ...input, ...(typeof image === 'string' ? { image: assetOf(image) } : {}) };
        const answer = await upstream.call({ method: 'POST', url: pathOf(), json, signal, orders: true });
        const { video_id: id } = objectOf(objectOf(answer.body).data);
        if (typeof id === 'string' && id !== '') return { id };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const answer = await upstream.call({ url: pathOf(id), signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(objectOf(answer.body).data));
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, pathOf('none'), { has: ['data'], orStatus: [400, 404] }),
    },
    settings,
  );
}

function pathOf(id?: string): string {
  return `/v3/models/videos${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
}

/** Returns a file as HeyGen accepts it: an object with its URL, or its type and base64. */
function assetOf(uri: string): JsonValue {
  const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(uri) ?? [];
  return media_type === undefined || data === undefined
    ? { type: 'url', url: uri }
    : { type: 'base64', media_type, data };
}

/** Reads `{ error: { code, message, param? } }`. */
function explainHeygenError({ body }: Answer): Explained | null {
  const { code, message } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  const known = classOf(code);
  return known === undefined ? { message } : { class: known, message };
}

function classOf(code: JsonValue | undefined): EngineErrorClass | undefined {
  return UNVERIFIED.content.test(String(code)) ? 'content_policy' : undefined;
}

function standingOf(upstream: Upstream, video: JsonObject): UpstreamState {
  const { status, video_url: url, failure_code: code, failure_message: message } = video;
  switch (statusWord(status)) {
    case 'pending':
    case 'processing':
      return { state: 'pending', word: String(status) };
    case 'cancelled':
      return { state: 'canceled' };
    case 'failed': {
      const reason = failureWords(message) ?? 'the video failed without a reason';
      return { state: 'failed', class: classOf(code), message: reason };
    }
    case 'completed':
      return typeof url === 'string' && url !== ''
        ? { state: 'succeeded', delivery: deliver(upstream, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    default:
      return { state: 'unknown', word: String(status) };
  }
}
