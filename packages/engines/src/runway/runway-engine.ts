import type { JsonObject } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
import { createCreditBalance } from '../upstream/credit-balance.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedDollars } from '../upstream/reported-cost.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const API_URL = 'https://api.dev.runwayml.com/v1';
const VERSION = '2024-11-06';
/** Decimals of a credit in dollars: it is a cent (docs.dev.runwayml.com/guides/pricing, as read on 2026-07-10). */
const DECIMALS_OF_A_CREDIT = 2;
const CONCURRENCY = 10;
/** Maximum bytes of an inlined file: a data URI may have 5 MB (types of @runwayml/sdk 4.20.1). */
const INLINE = 3_700_000;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Runway sheds load or is overloaded, and the request may be sent again (docs.dev.runwayml.com/errors). */
const REFUSALS = [502, 503, 504];

/** Creates the engine for Runway. A route's `model` is a path with its model: `image_to_video/gen4_turbo`. */
export function createRunwayEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'Runway',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}`, 'x-runway-version': VERSION },
    secrets: [key],
    fetch,
    explain: () => null,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'runway',
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
        if (typeof id === 'string' && id !== '') return { id };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const answer = await upstream.call({ url: taskOf(id), signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body));
      },
      async cancel({ id }, { signal }) {
        const answer = await upstream.call({ method: 'DELETE', url: taskOf(id), signal, accept: [404] });
        return answer.status !== 404;
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/organization', { has: ['creditBalance', 'tier'] }),
      balance: createCreditBalance(upstream, '/organization', 'creditBalance'),
    },
    settings,
  );
}

function taskOf(id: string): string {
  return `/tasks/${encodeURIComponent(id)}`;
}

/** Groups of failure codes (Runway's page on task failures). */
const CLASS_OF_FAILURE: readonly (readonly [RegExp, EngineErrorClass])[] = [
  [/SAFETY/, 'content_policy'],
  [/^ASSET\.INVALID/, 'invalid_input'],
  [/UNAVAILABLE/, 'busy'],
];

function standingOf(upstream: Upstream, task: JsonObject): UpstreamState {
  const { status, progress, output, failure, failureCode } = task;
  const cost = reportedDollars(objectOf(task.cost).credits, DECIMALS_OF_A_CREDIT);
  switch (statusWord(status)) {
    case 'pending':
    case 'throttled':
      return { state: 'pending', word: String(status) };
    case 'running':
      return {
        state: 'pending',
        word: String(status),
        progress: typeof progress === 'number' ? progress * 100 : undefined,
      };
    case 'cancelled':
      return { state: 'canceled', ...cost };
    case 'failed': {
      const known = CLASS_OF_FAILURE.find(([pattern]) => pattern.test(String(failureCode)))?.[1];
      const message = failureWords(failure) ?? 'the task failed without a reason';
      return { state: 'failed', class: known, message, ...cost };
    }
    case 'succeeded': {
      const [url] = Array.isArray(output) ? output : [];
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: { ...deliver(upstream, [url]), ...cost } }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file', ...cost };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
