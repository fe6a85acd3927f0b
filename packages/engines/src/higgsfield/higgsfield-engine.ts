import type { JsonObject } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords, reasonIn } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { uuidOf } from '../upstream/task-numbers.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

/** Base URL, as in @higgsfield/client 0.2.6. */
const API_URL = 'https://api.higgsfield.ai';
const CONCURRENCY = 4;
/** Not verified against the live service: the words for too many requests at once, which come with 400. */
const UNVERIFIED = { concurrent: /concurrent/i };
/** docs.higgsfield.ai/docs/concepts/errors, as read on 2026-11-22. */
const CLASS_OF_STATUS: Readonly<Record<number, EngineErrorClass>> = { 403: 'billing', 404: 'auth', 423: 'busy' };
const OF_ONE_MODEL = [404, 423];

/**
 * Creates the engine for Higgsfield: many vendors' models behind one key. A repeated submission with the same
 * `Idempotency-Key` returns the first one's request (docs.higgsfield.ai/docs/concepts/idempotency, 2026-11-22). Its
 * media are URLs, and another URL makes it another request, so routes with media would not be safe to repeat.
 */
export function createHiggsfieldEngine(settings: VendorSettings): Engine {
  const { key, fetch } = settings;
  const secrets = [key, ...key.split(':').slice(1)];
  const upstream = createUpstream({
    name: 'Higgsfield',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Key ${key}` },
    secrets,
    fetch,
    explain: explainHiggsfieldError,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'higgsfield',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets,
      idempotency: 'replays',
      handOver: createReferenceTransfer({ inline: 0, byAddress: false }),
      async submit({ model, input }, { taskId, signal }) {
        const headers = { 'idempotency-key': uuidOf(taskId) };
        const url = `/${model}`;
        const answer = await upstream.call({ method: 'POST', url, json: input, headers, signal, orders: true });
        const { request_id: id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id };
        return upstream.unmade(answer, 'took the order but named no request_id');
      },
      async check({ id }, { signal }) {
        const answer = await upstream.call({ url: pathOf(id, 'status'), signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body));
      },
      async cancel({ id }, { signal }) {
        const url = pathOf(id, 'cancel');
        const { status } = await upstream.call({ method: 'POST', url, signal, accept: [400, 404] });
        return status < 300;
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, pathOf('00000000-0000-0000-0000-000000000000', 'status'), {
        has: ['status'],
        orStatus: [404],
      }),
    },
    settings,
  );
}

function pathOf(id: string, part: 'status' | 'cancel'): string {
  return `/requests/${encodeURIComponent(id)}/${part}`;
}

/** Reads `{ detail }`, a text or a list of `{ loc, msg }`. */
function explainHiggsfieldError({ status, body }: Answer): Explained | null {
  const message = reasonIn(body);
  if (message === null) return null;
  const isFull = status === 400 && UNVERIFIED.concurrent.test(message);
  const known = isFull ? 'rate_limited' : CLASS_OF_STATUS[status];
  return {
    message,
    ...(known === undefined ? {} : { class: known }),
    ...(OF_ONE_MODEL.includes(status) ? { scope: 'route' as const } : {}),
  };
}

function standingOf(upstream: Upstream, { status, error, images, video }: JsonObject): UpstreamState {
  switch (statusWord(status)) {
    case 'queued':
    case 'in_progress':
      return { state: 'pending', word: String(status) };
    case 'canceled':
      return { state: 'canceled' };
    case 'nsfw':
      return { state: 'failed', class: 'content_policy', message: 'its content moderation refused the order' };
    case 'failed': {
      const message = failureWords(error) ?? 'the request failed without a reason';
      return { state: 'failed', message };
    }
    case 'completed': {
      const { url } = objectOf(Array.isArray(images) ? images[0] : video);
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
