import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { resultIn } from '../upstream/result-in.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
  /** Whether the order is in the older interface, where the result is a file id to look up. */
  readonly isOlder: boolean;
}

const API_URL = 'https://api.minimax.io';
const CONCURRENCY = 10;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Not verified against the live service: the maximum bytes of pictures inside a request. */
const UNVERIFIED = { inline: { inline: 10_000_000, inlineTogether: 20_000_000 } };
/** Codes of both interfaces (MiniMax's page of error codes, 2026-11-11). */
const CLASS_OF_CODE: Readonly<Record<number, EngineErrorClass>> = {
  1001: 'timeout',
  1002: 'rate_limited',
  1004: 'auth',
  1008: 'billing',
  1026: 'content_policy',
  1027: 'content_policy',
  1039: 'rate_limited',
  1042: 'invalid_input',
  2013: 'invalid_input',
  2049: 'auth',
};

/**
 * Creates the engine for MiniMax's videos: H3 by version 2 of its interface, Hailuo by version 1. Version 1 reports
 * refusals with HTTP 200 and a code in `base_resp`.
 */
export function createMinimaxEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'MiniMax',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainMinimaxError,
    timeoutMs: settings.callTimeoutMs,
  });
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    ...UNVERIFIED.inline,
    byAddress: true,
  });
  const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
  return createSubmitPollEngine<Handle>(
    {
      name: 'minimax',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit({ model, input }, { signal }) {
        const isOlder = !model.startsWith('MiniMax-H3');
        const url = isOlder ? '/v1/video_generation' : '/v2/video_generation';
        const answer = await upstream.call({ method: 'POST', url, json: { model, ...input }, signal, orders: true });
        const { task_id: id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id, isOlder };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id, isOlder }, { signal }) {
        if (isOlder) return await olderStanding(upstream, id, signal);
        const url = `/v2/query/video_generation/${encodeURIComponent(id)}`;
        const answer = await upstream.call({ url, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(objectOf(answer.body).task));
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/v2/query/video_generation?page_num=1&page_size=1', {
        has: ['total', 'tasks'],
      }),
    },
    settings,
  );
}

function olderCode(body: JsonValue | undefined): number | null {
  const { status_code: code } = objectOf(objectOf(body).base_resp);
  return typeof code === 'number' ? code : null;
}

/** Reads `base_resp` and `{ error: { message: "… (1026)" } }`. */
function explainMinimaxError({ body }: Answer): Explained | null {
  const { status_msg: told } = objectOf(objectOf(body).base_resp);
  const { message = told } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  const code = olderCode(body) ?? Number(/\((\d{4})\)\s*$/.exec(message)?.[1]);
  const known = CLASS_OF_CODE[code];
  return { message, ...(known === undefined ? {} : { class: known }) };
}

function standingOf(upstream: Upstream, { status, content, error }: JsonObject): UpstreamState {
  switch (statusWord(status)) {
    case 'queued':
    case 'running':
      return { state: 'pending', word: String(status) };
    case 'cancelled':
      return { state: 'canceled' };
    case 'expired':
      return { state: 'failed', class: 'timeout', message: 'the task expired before it was made' };
    case 'failed': {
      const { code } = objectOf(error);
      const reason = failureWords(error) ?? 'the task failed without a reason';
      return { state: 'failed', class: CLASS_OF_CODE[Number(code)], message: reason };
    }
    case 'succeeded': {
      const { url } = objectOf(content);
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}

async function olderStanding(upstream: Upstream, id: string, signal: AbortSignal): Promise<UpstreamState> {
  const url = `/v1/query/video_generation?task_id=${encodeURIComponent(id)}`;
  const { status: httpStatus, body } = await upstream.call({ url, signal, accept: [404] });
  const { status, file_id: file } = objectOf(body);
  if (httpStatus === 404) return { state: 'gone' };
  switch (statusWord(status)) {
    case 'preparing':
    case 'queueing':
    case 'processing':
      return { state: 'pending', word: String(status) };
    case 'fail': {
      const { status_msg: message } = objectOf(objectOf(body).base_resp);
      const failed = CLASS_OF_CODE[olderCode(body) ?? 0];
      return { state: 'failed', class: failed, message: String(message ?? 'the task failed without a reason') };
    }
    case 'success': {
      const answer = await upstream.call({
        url: `/v1/files/retrieve?file_id=${encodeURIComponent(String(file))}`,
        signal,
      });
      const { download_url: address } = objectOf(resultIn('MiniMax', answer, ['file']).file);
      return typeof address === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [address]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
