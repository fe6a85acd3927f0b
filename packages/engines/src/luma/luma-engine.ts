import type { JsonObject } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass } from '../engine.ts';
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

const API_URL = 'https://agents.lumalabs.ai/v1';
const CONCURRENCY = 10;
/** Not verified against the live service: the maximum bytes of pictures inside a request. */
const UNVERIFIED = { inline: { inline: 8_000_000, inlineTogether: 16_000_000 } };
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
/** Luma's own client submits again (luma-agents 0.5.0, `_should_retry`). */
const REFUSALS = [503];
/** Classes of failures in luma-agents 0.5.0, Luma's client for Python. All others are the upstream's own failures. */
const CLASS_OF_FAILURE: Readonly<Record<string, EngineErrorClass>> = {
  content_moderated: 'content_policy',
  budget_exhausted: 'billing',
  image_too_large: 'invalid_input',
  unsupported_format: 'invalid_input',
  corrupt_input: 'invalid_input',
  invalid_request: 'invalid_input',
  rate_limited: 'rate_limited',
};

/** Creates the engine for Luma's Agents API: Uni for pictures, Ray for videos. Routes write pictures as `{ data }`. */
export function createLumaEngine(settings: VendorSettings): Engine {
  const { key, fetch, pictures } = settings;
  const upstream = createUpstream({
    name: 'Luma',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: () => null,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'luma',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: createReferenceTransfer({
        pictures: { types: PICTURES, tools: pictures },
        ...UNVERIFIED.inline,
        byAddress: true,
      }),
      async submit({ model, input }, { signal }) {
        const json = { model, ...(writeReferences(input) as JsonObject) };
        const answer = await upstream.call({ method: 'POST', url: '/generations', json, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const url = `/generations/${encodeURIComponent(id)}`;
        const answer = await upstream.call({ url, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body));
      },
      jobOf: ({ id }) => id,
      probe: createFreeProbe(upstream, '/generations/00000000-0000-0000-0000-000000000000', {
        has: ['id'],
        orStatus: [404],
      }),
    },
    settings,
  );
}

/** Turns `{ url: <data URI> }` into `{ data, media_type }`. */
function writeReferences(value: JsonObject[string]): JsonObject[string] {
  if (Array.isArray(value)) return value.map(writeReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { url } = value as JsonObject;
  const [, media_type, data] = typeof url === 'string' ? (/^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []) : [];
  if (media_type !== undefined && data !== undefined) return { data, media_type };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writeReferences(inner)]));
}

function standingOf(upstream: Upstream, generation: JsonObject): UpstreamState {
  const { state, failure_code: code, failure_reason: reason, output } = generation;
  switch (statusWord(state)) {
    case 'queued':
    case 'processing':
      return { state: 'pending', word: String(state) };
    case 'failed': {
      const message = failureWords(reason) ?? 'the generation failed without a reason';
      return { state: 'failed', class: CLASS_OF_FAILURE[String(code)], message };
    }
    case 'completed': {
      const { url } = objectOf(Array.isArray(output) ? output[0] : undefined);
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(upstream, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    }
    default:
      return { state: 'unknown', word: String(state) };
  }
}
