import type { JsonObject } from '@darkroom-service/contract';
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
  /** Path of the job, such as `text-to-video/<id>`: it is known only under the path that made it. */
  readonly path: string;
}

const API_URL = 'https://api.ltx.video/v2';
const CONCURRENCY = 5;
const INLINE = 7_000_000;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** LTX's page of errors (docs.ltx.video/errors and /rate-limits, read on 2026-11-25). */
const CLASS_OF_TYPE: Readonly<Record<string, EngineErrorClass>> = {
  authentication_error: 'auth',
  insufficient_funds_error: 'billing',
  content_filtered_error: 'content_policy',
  rate_limit_error: 'rate_limited',
  concurrency_limit_error: 'rate_limited',
  request_too_large: 'invalid_input',
  service_unavailable: 'busy',
};

/** Creates the engine for LTX. A route's `model` is the path with the model: `text-to-video/ltx-2-5-fast`. */
export function createLtxEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'LTX',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainLtxError,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'ltx',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: createReferenceTransfer({
        pictures: { types: PICTURES, tools: pictures },
        inline: INLINE,
        byAddress: true,
      }),
      async submit({ model: routeModel, input }, { signal }) {
        const [path, model = ''] = routeModel.split('/');
        const json = { model, ...input };
        const answer = await upstream.call({ method: 'POST', url: `/${path}`, json, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { path: `/${path}/${encodeURIComponent(id)}` };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ path }, { signal }) {
        const answer = await upstream.call({ url: path, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body));
      },
      jobOf: ({ path }) => path,
      probe: createFreeProbe(upstream, '/text-to-video/00000000-0000-0000-0000-000000000000', {
        has: ['id'],
        orStatus: [404],
      }),
    },
    settings,
  );
}

/** Reads `{ type: "error", error: { type, message } }`. */
function explainLtxError({ body }: Answer): Explained | null {
  const { type, message } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  const known = CLASS_OF_TYPE[String(type)];
  return known === undefined ? { message } : { class: known, message };
}

function standingOf(upstream: Upstream, { status, result, error }: JsonObject): UpstreamState {
  switch (statusWord(status)) {
    case 'pending':
    case 'processing':
      return { state: 'pending', word: String(status) };
    case 'failed': {
      const { type } = objectOf(error);
      const reason = failureWords(error) ?? 'the job failed without a reason';
      return { state: 'failed', class: CLASS_OF_TYPE[String(type)], message: reason };
    }
    case 'completed': {
      const { video_url: url } = objectOf(result);
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
