import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { createCreditBalance } from '../upstream/credit-balance.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedDollars } from '../upstream/reported-cost.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
  /** URL to poll, at a regional host: only that host knows the order. */
  readonly pollingUrl: string;
  /** Cost of the order in credits, as stated at its submission; null if it was not. */
  readonly cost: JsonValue;
}

const API_URL = 'https://api.bfl.ai/v1';
/** Decimals of a credit in dollars: it is a cent (docs.bfl.ai/quick_start/pricing, as cited on 2026-11-16). */
const DECIMALS_OF_A_CREDIT = 2;
/** "Typically due to maintenance or high load. Try again in a few moments" (docs.bfl.ai/api_integration/errors). */
const REFUSALS = [503];
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
    refusals: REFUSALS,
    trusts: (url) => url.hostname.endsWith('.bfl.ai') && url.hostname.startsWith('api.'),
    timeoutMs: settings.callTimeoutMs,
  });
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    inline: INLINE,
    bare: true,
    byAddress: true,
  });
  const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });
  return createSubmitPollEngine<Handle>(
    {
      name: 'bfl',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit({ model, input }, { signal }) {
        const answer = await upstream.call({ method: 'POST', url: `/${model}`, json: input, signal, orders: true });
        const { id, polling_url: pollingUrl, cost = null } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '' && typeof pollingUrl === 'string') return { id, pollingUrl, cost };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id, pollingUrl, cost }, { signal }) {
        const url = new URL(upstream.rebase(pollingUrl));
        if (!url.searchParams.has('id')) url.searchParams.set('id', id);
        const answer = await upstream.call({ url: url.href, signal, accept: [404] });
        return standingOf(upstream, { cost, ...objectOf(answer.body) });
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/credits', { has: ['credits'] }),
      balance: createCreditBalance(upstream, '/credits', 'credits'),
    },
    settings,
  );
}

/** Reads `{ error, message }` of the newer interface, whose `error` is a code; the other forms are the usual ones. */
function explainBflError({ status, body }: Answer): Explained | null {
  const { message, error } = objectOf(body);
  if (typeof message !== 'string' || typeof error !== 'string') return null;
  return error === 'insufficient_credits' && status < 500 ? { class: 'billing', message } : { message };
}

function standingOf(upstream: Upstream, { status, state, progress, result, details, cost }: JsonObject): UpstreamState {
  const word = statusWord(status ?? state);
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
      return { state: 'failed', class: 'content_policy', message: `${word}${detailsOf(details)}` };
    }
    case 'error':
    case 'failed':
      return { state: 'failed', message: `the task failed${detailsOf(details)}` };
    case 'ready': {
      const { sample, seed } = objectOf(result);
      return typeof sample === 'string'
        ? {
            state: 'succeeded',
            delivery: {
              ...deliver(upstream, [sample], { seed: seedIn(seed) }),
              ...reportedDollars(cost, DECIMALS_OF_A_CREDIT),
            },
          }
        : {
            state: 'failed',
            class: 'upstream',
            message: 'the result holds no file',
            ...reportedDollars(cost, DECIMALS_OF_A_CREDIT),
          };
    }
    default:
      return { state: 'unknown', word: String(status ?? state) };
  }
}

/** Returns the vendor's details besides the status, as a suffix; empty without details. */
function detailsOf(details: JsonValue | undefined): string {
  const isEmpty = details === undefined || details === null || details === '' || JSON.stringify(details).length === 2;
  return isEmpty ? '' : `: ${typeof details === 'string' ? details : JSON.stringify(details)}`;
}
