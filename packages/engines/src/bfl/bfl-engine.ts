import type { JsonObject, JsonValue } from '@darkroom-service/contract/json';
import { type Engine, EngineError } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { createHandOver } from '../upstream/reference-hand-over.ts';
import { createSubmitPollEngine, type Standing } from '../upstream/submit-poll-engine.ts';
import { toldDollars } from '../upstream/told-cost.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
  /** Orders are known only where this leads: a regional host. */
  readonly pollingUrl: string;
  /** What the order costs, in credits, as told at its submission; null where it was not. */
  readonly cost: JsonValue;
}

const API_URL = 'https://api.bfl.ai/v1';
/** A credit is a cent (docs.bfl.ai/quick_start/pricing, as cited on 2026-11-16). */
const DECIMALS_OF_A_CREDIT = 2;
const CONCURRENCY = 20;
const INLINE = 15_000_000;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];

/** Creates the engine for Black Forest Labs: FLUX, for pictures and videos. */
export function createBflEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'Black Forest Labs',
    baseUrl: settings.url ?? API_URL,
    headers: { 'x-key': key },
    secrets: [key],
    fetch,
    explain: explainBflError,
    trusts: (url) => url.hostname.endsWith('.bfl.ai') && url.hostname.startsWith('api.'),
    timeoutMs: settings.callTimeoutMs,
  });
  const inside = createHandOver({
    pictures: { types: PICTURES, tools: pictures },
    inline: INLINE,
    bare: true,
    byAddress: true,
  });
  const byAddress = createHandOver({ inline: 0, byAddress: true });
  return createSubmitPollEngine<Handle>(
    {
      name: 'bfl',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit({ model, input }, { signal }) {
        const { body } = await upstream.call({ method: 'POST', url: `/${model}`, json: input, signal, orders: true });
        const { id, polling_url: pollingUrl, cost = null } = objectOf(body);
        if (typeof id === 'string' && id !== '' && typeof pollingUrl === 'string') return { id, pollingUrl, cost };
        throw new EngineError('upstream', 'Black Forest Labs took the order but named no id', { took: 'unknown' });
      },
      async check({ id, pollingUrl, cost }, { signal }) {
        const url = new URL(upstream.rebase(pollingUrl));
        if (!url.searchParams.has('id')) url.searchParams.set('id', id);
        const answer = await upstream.call({ url: url.href, signal, accept: [404] });
        return standingOf(upstream, { cost, ...objectOf(answer.body) });
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/credits'),
    },
    settings,
  );
}

/** Reads `{ detail }`, `{ message }` or `{ error, message }`. */
function explainBflError({ status, body }: Answer): Explained | null {
  const { detail, message, error } = objectOf(body);
  if (Array.isArray(detail)) {
    const [{ loc, msg } = {}] = detail.map((one: JsonValue) => objectOf(one));
    return { message: `${Array.isArray(loc) ? loc.slice(1).join('.') : 'the order'}: ${String(msg)}` };
  }
  const told = [detail, message].find((text) => typeof text === 'string');
  if (typeof told !== 'string') return null;
  return error === 'insufficient_credits' && status < 500 ? { class: 'billing', message: told } : { message: told };
}

function standingOf(upstream: Upstream, { status, state, progress, result, details, cost }: JsonObject): Standing {
  const word = String(status ?? state).toLowerCase();
  switch (word) {
    case 'pending':
    case 'queued':
    case 'processing':
    case 'reasoning':
    case 'generating':
      return { state: 'pending', word, progress: typeof progress === 'number' ? progress * 100 : undefined };
    case 'task not found':
      return { state: 'gone' };
    case 'request moderated':
    case 'content moderated': {
      const reasons = details === null || details === undefined ? '' : ` ${JSON.stringify(details)}`;
      return { state: 'failed', class: 'content_policy', message: `${word}${reasons}` };
    }
    case 'error':
    case 'failed':
      return { state: 'failed', class: 'upstream', message: `the task failed ${JSON.stringify(details ?? '')}` };
    case 'ready': {
      const { sample, seed } = objectOf(result);
      return typeof sample === 'string'
        ? {
            state: 'succeeded',
            delivery: {
              ...deliver(upstream, [sample], { seed: seedIn(seed) }),
              ...toldDollars(cost, DECIMALS_OF_A_CREDIT),
            },
          }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(status ?? state) };
  }
}
