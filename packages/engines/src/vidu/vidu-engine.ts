import type { JsonObject } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import { newsIn } from '../upstream/callback-news.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
  readonly seed: number | null;
}

const API_URL = 'https://api.vidu.com/ent/v2';
const CONCURRENCY = 10;
/** Maximum bytes inlined: a request may have 20 MB, base64 included. */
const INLINE = { inline: 10_000_000, inlineTogether: 14_000_000 };
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Vidu's page of error codes, as client programs quote it (2026-11-25). Other codes leave it to the HTTP status. */
const CLASS_OF_CODE: Readonly<Record<string, EngineErrorClass>> = {
  AuditSubmitIllegal: 'content_policy',
  TaskPromptPolicyViolation: 'content_policy',
  CreationPolicyViolation: 'content_policy',
  PhotoAuditNotPass: 'content_policy',
  AuditFailed: 'content_policy',
  CreditInsufficient: 'billing',
  Unauthorized: 'auth',
  ModelUnavailable: 'auth',
  ModelNotFound: 'auth',
  TooManyRequests: 'rate_limited',
  /** Quota of concurrent tasks, not of credits. */
  QuotaExceeded: 'rate_limited',
  OperationInProcess: 'rate_limited',
  SystemThrottling: 'busy',
  FieldLacking: 'invalid_input',
  FieldInvalid: 'invalid_input',
  FieldItemCountOutOfRange: 'invalid_input',
  ImageDownloadFailure: 'invalid_input',
  ImageFormatInvalid: 'invalid_input',
  ImageSizeInvalid: 'invalid_input',
  PageSizeOutOfRange: 'invalid_input',
};
/** Vidu's own client sends an order again after a 5xx (vidu-cli 0.2.7, `client.rs`). Others may come after the work. */
const REFUSALS = [503];
const OF_MODEL = ['ModelUnavailable', 'ModelNotFound'];

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
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs,
  });
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    ...INLINE,
    byAddress: true,
  });
  const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
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
        const answer = await upstream.call({ method: 'POST', url: `/${path}`, json, signal, orders: true });
        const { task_id: id, seed } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id, seed: seedIn(seed) };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id, seed }, { signal }) {
        const url = `/tasks/${encodeURIComponent(id)}/creations`;
        const answer = await upstream.call({ url, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body), seed);
      },
      jobOf: ({ id }) => id,
      // Vidu calls at each change of the state. Its signatures are unknown to us.
      readCallback: async ({ body }) => newsIn(body, ['state', 'status'], WORKING),
      probe: createFreeProbe(upstream, '/tasks/0/creations', { has: ['id'], orStatus: [404] }),
    },
    settings,
  );
}

/** Reads `{ code, reason, message }`, where `code` repeats the HTTP status. */
function explainViduError({ body }: Answer): Explained | null {
  const { reason, message } = objectOf(body);
  if (typeof message !== 'string') return null;
  const code = String(reason);
  const known = CLASS_OF_CODE[code];
  return {
    message,
    ...(known === undefined ? {} : { class: known }),
    ...(OF_MODEL.includes(code) ? { scope: 'route' } : {}),
  };
}

function standingOf(
  upstream: Upstream,
  { state, err_code: code, creations }: JsonObject,
  seed: number | null,
): UpstreamState {
  switch (statusWord(state)) {
    case 'created':
    case 'queueing':
    case 'processing':
      return { state: 'pending', word: String(state) };
    case 'failed': {
      const reason = typeof code === 'string' && code !== '' ? code : 'the task failed without a reason';
      return { state: 'failed', class: CLASS_OF_CODE[reason], message: reason };
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
