import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { modelsIn } from '../upstream/listed-models.ts';
import type { OrderInput } from '../upstream/order-input.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import {
  createSubmitPollEngine,
  type EngineTools,
  type SubmitContext,
  type UpstreamState,
} from '../upstream/submit-poll-engine.ts';
import { seedOf, uuidOf } from '../upstream/task-numbers.ts';
import type { Unmade } from '../upstream/unmade.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import { readResult } from './results.ts';
import { classOfRouterType, explainRouterError, messageOf } from './router-errors.ts';

const LIST = '/v2/models?limit=100';
/** Maximum pages of the list of models, in case it has no end; Comfy's has a hundred models a page. */
const MOST_PAGES = 50;

interface ComfyRouterSettings extends EngineTools {
  /** `COMFY_API_KEY`. */
  readonly key: string;
  /** The endpoint's URL; null = Comfy's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

interface Handle extends JsonObject {
  /** The model, such as `bfl/flux-2-pro`: every path names it. */
  readonly model: string;
  readonly id: string;
}

const API_URL = 'https://api.comfy.org';
const CONCURRENCY = 20;
/** Pictures and videos may be inside the result in base64. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/**
 * Maximum bytes inlined. A request may have 10 MiB (Seedream), 20 MiB (OpenAI) or 100 MiB (all others), base64
 * included; each vendor reads PNG and JPEG (the Router's model schemas, 2026-11-21).
 */
const INLINE = { inline: 7_000_000, inlineTogether: 7_000_000 };
const PICTURES = ['image/png', 'image/jpeg'];

/**
 * Creates the engine for Comfy Router: the vendors' own requests and results behind one key, submitted to its queue and
 * polled. A repeated submission with the same `Idempotency-Key` returns the first one's request, so an order whose
 * answer was lost is submitted again.
 */
export function createComfyRouterEngine(settings: ComfyRouterSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'Comfy Router',
    baseUrl: settings.url ?? API_URL,
    headers: { 'x-api-key': key },
    secrets: [key],
    fetch,
    explain: explainRouterError,
    timeoutMs: settings.callTimeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    ...INLINE,
    byAddress: true,
  });
  const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
  return createSubmitPollEngine<Handle>(
    {
      name: 'comfy-router',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      idempotency: 'replays',
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit(order, context) {
        return await submit(upstream, order.model, requestOf(order, context), context);
      },
      async check({ model, id }, { signal }) {
        const answer = await upstream.call({ url: `${pathOf(model, id)}/status`, signal, accept: [404, 410] });
        if (answer.status === 404 || answer.status === 410) return { state: 'gone' };
        return await standingOf(upstream, model, id, answer.body, signal);
      },
      async cancel({ model, id }, { signal }) {
        const answer = await upstream.call({
          method: 'PUT',
          url: `${pathOf(model, id)}/cancel`,
          signal,
          accept: [404, 409],
        });
        return answer.status < 300;
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/v2/models?limit=1', { has: ['data'] }),
      async models({ signal }) {
        const models = new Map<string, string | null>();
        let url: string | null = LIST;
        for (let page = 0; url !== null && page < MOST_PAGES; page++) {
          const { body } = await upstream.call({ url, signal });
          const { data, has_more: hasMore, next_cursor: next } = objectOf(body);
          for (const [name, end] of modelsIn('Comfy Router', data)) models.set(name, end);
          url = hasMore === true && typeof next === 'string' ? `${LIST}&cursor=${encodeURIComponent(next)}` : null;
        }
        if (url === null) return models;
        throw new EngineError('upstream', `Comfy Router's list of models has more than ${MOST_PAGES} pages`, {
          took: 'yes',
        });
      },
    },
    settings,
  );
}

/** Returns the order in the vendor's own format. One model requires a seed. */
function requestOf({ model, input }: OrderInput, { order }: SubmitContext): JsonObject {
  const seed = model === 'runway/gen4_turbo' && input.seed === undefined ? { seed: seedOf(order) } : {};
  return writeMedia(model, { ...input, ...seed });
}

async function submit(
  upstream: Upstream,
  model: string,
  json: JsonObject,
  { taskId, signal }: SubmitContext,
): Promise<Handle | Unmade> {
  const headers = { 'idempotency-key': uuidOf(taskId) };
  const url = `/v2/models/${model}/requests`;
  const answer = await upstream.call({ method: 'POST', url, json, headers, signal, orders: true });
  const { request_id: id } = objectOf(answer.body);
  if (typeof id === 'string' && id !== '') return { model, id };
  return upstream.unmade(answer, 'took the order but named no id');
}

function pathOf(model: string, id: string): string {
  return `/v2/models/${model}/requests/${encodeURIComponent(id)}`;
}

/** Reads the state of a request: a failed or canceled one is `COMPLETED` too, with an `error_type`. */
async function standingOf(
  upstream: Upstream,
  model: string,
  id: string,
  body: JsonValue | undefined,
  signal: AbortSignal,
): Promise<UpstreamState> {
  const { status, error_type: type, detail } = objectOf(body);
  const word = statusWord(status);
  if (word === 'in_queue' || word === 'in_progress') return { state: 'pending', word: String(status) };
  if (word !== 'completed') return { state: 'unknown', word: String(status) };
  if (type === 'cancelled') return { state: 'canceled' };
  if (typeof type === 'string' && type !== '') {
    const reason = messageOf(detail) ?? 'the request failed without a reason';
    return { state: 'failed', class: classOfRouterType(type), message: `${reason} (${type})` };
  }
  return readResult(upstream, model, await upstream.call({ url: pathOf(model, id), signal }));
}

type Form = (base64: string, type: string) => JsonValue;

/** Form of a picture inside a request, for vendors that do not accept a data URI. */
const FORMS: Readonly<Record<string, Form>> = {
  bfl: (base64) => base64,
  kling: (base64) => base64,
  veo: (bytesBase64Encoded, mimeType) => ({ bytesBase64Encoded, mimeType }),
  vertexai: (data, mimeType) => ({ data, mimeType }),
};
/** Vendors that fetch no picture from our URLs. */
const ONLY_INSIDE = ['openai', 'veo', 'vertexai'];
const PICTURE_FIELDS = ['image', 'mask', 'lastFrame', 'inlineData'];

/**
 * Rewrites the data URIs of a request in the form of the model's vendor.
 * @throws EngineError with `took: 'no'` if a picture is too large to be inside the request and the vendor fetches none
 */
function writeMedia(model: string, input: JsonObject): JsonObject {
  const provider = model.split('/')[0] ?? '';
  const form = FORMS[provider];
  const isOnlyInside = ONLY_INSIDE.includes(provider);
  const rewrite = (value: JsonValue, name: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => rewrite(item, name));
    if (typeof value === 'object' && value !== null) return rewriteFields(value as JsonObject);
    if (typeof value !== 'string') return value;
    const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(value) ?? [];
    if (type !== undefined && base64 !== undefined) return form?.(base64, type) ?? value;
    if (isOnlyInside && PICTURE_FIELDS.includes(name) && /^https?:/.test(value)) {
      const message = `${name}: the picture is too large to be sent inside the request`;
      throw new EngineError('invalid_input', message, { took: 'no', elsewhere: true });
    }
    return value;
  };
  const rewriteFields = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, rewrite(value, name)]));
  return rewriteFields(input);
}
