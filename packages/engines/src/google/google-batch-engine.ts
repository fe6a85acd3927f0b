import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine, EngineErrorClass, Order } from '../engine.ts';
import { createBatchEngine, type JobPage } from '../upstream/batch-lane.ts';
import { textsIn } from '../upstream/error-words.ts';
import { objectOf } from '../upstream/json-object.ts';
import { failureWords } from '../upstream/reasons.ts';
import type { UpstreamState } from '../upstream/submit-poll-engine.ts';
import { contentOf, NO_CANDIDATE, readCandidate } from './gemini-engine.ts';
import { createGoogleApi, type GoogleSettings, probeGoogle, transferToGoogle } from './google-api.ts';

interface Handle extends JsonObject {
  /** `batches/…`. */
  readonly name: string;
}

const NAME = 'google-batch';
const TIMEOUT_MS = 2 * 60_000;
/** Prefix of the states: a job has `BATCH_STATE_…`; Google's client also reads `JOB_STATE_…`. */
const STATE = /^(?:BATCH|JOB)_STATE_/;
const RUNNING = ['PENDING', 'QUEUED', 'RUNNING', 'CANCELLING'];
/** Fields of the list, without the results, which are megabytes per job. */
const FIELDS = 'operations(name,metadata(displayName,createTime)),nextPageToken';
const PAGE = `pageSize=100&fields=${encodeURIComponent(FIELDS)}`;
/** Codes of `google.rpc.Status`. */
const CLASS_OF_CODE: Readonly<Record<string, EngineErrorClass>> = { 4: 'timeout', 7: 'auth', 9: 'billing', 16: 'auth' };

/**
 * Creates the engine for the Batch API of Gemini's pictures: half price within 24 hours (@google/genai 3.1.0,
 * `batches`; ai.google.dev/api/batch-api). An order and its result are inside the job.
 */
export function createGoogleBatchEngine(settings: GoogleSettings): Engine {
  const api = createGoogleApi(settings, TIMEOUT_MS);
  return createBatchEngine<Handle>(
    {
      name: NAME,
      timeoutMs: api.timeoutMs,
      secrets: [settings.key],
      handOver: transferToGoogle,
      async submit({ model, input }, { taskId, signal }) {
        const requests = [{ request: contentOf(input), metadata: { key: taskId } }];
        const json = { batch: { displayName: taskId, inputConfig: { requests: { requests } } } };
        const url = `/models/${model}:batchGenerateContent`;
        const answer = await api.call({ method: 'POST', url, json, signal, orders: true });
        return handleIn(answer.body) ?? api.unmade(answer, 'took the order but named no job');
      },
      async check({ name }, { order, signal }) {
        const { status, body } = await api.call({ url: `/${name}`, signal, accept: [404] });
        return status === 404 ? { state: 'gone' } : standingIn(objectOf(body), order);
      },
      jobOf: ({ name }) => name,
      async cancel({ name }, { signal }) {
        await api.call({ method: 'POST', url: `/${name}:cancel`, json: {}, signal });
        return true;
      },
      probe: (context) => probeGoogle(api, context),
    },
    {
      async pageOf(from, signal) {
        const token = from === null ? '' : `&pageToken=${encodeURIComponent(from)}`;
        return pageIn((await api.call({ url: `/batches?${PAGE}${token}`, signal })).body);
      },
    },
    settings,
  );
}

function handleIn(job: JsonValue | undefined): Handle | null {
  const { name } = objectOf(job);
  return typeof name === 'string' && /^batches\/[\w-]+$/.test(name) ? { name } : null;
}

/** Reads the state of a job. A canceled one may have made its order before. */
function standingIn({ metadata, response, error }: JsonObject, order: Order): UpstreamState {
  const { state = '', output } = objectOf(metadata);
  const word = String(state).replace(STATE, '');
  if (RUNNING.includes(word)) return { state: 'pending', word };
  const { inlinedResponses: list } = objectOf(objectOf(output ?? response).inlinedResponses);
  if (Array.isArray(list) && list.length > 0) return resultIn(objectOf(list[0]), order);
  switch (word) {
    case 'CANCELLED':
      return { state: 'canceled' };
    case 'EXPIRED':
      return { state: 'failed', class: 'timeout', message: 'the order was not made in time' };
    case 'FAILED':
      return failureIn(error);
    case 'SUCCEEDED':
      return { state: 'failed', class: 'upstream', message: 'the job has no result' };
    default:
      return { state: 'unknown', word };
  }
}

function resultIn({ metadata, response, error }: JsonObject, { taskId, request }: Order): UpstreamState {
  if (objectOf(metadata).key !== taskId)
    return { state: 'failed', class: 'upstream', message: 'the result is of another order' };
  if (response === undefined) return failureIn(error);
  const made = readCandidate({ body: response, ordered: () => textsIn(request.values) });
  if (made === null) return { state: 'failed', class: 'upstream', message: NO_CANDIDATE };
  if ('outputs' in made) return { state: 'succeeded', delivery: made };
  const { refused, ...cost } = made;
  return { state: 'failed', ...refused, ...cost };
}

function failureIn(error: JsonValue | undefined): UpstreamState {
  const message = failureWords(error) ?? 'the order failed without a reason';
  return { state: 'failed', class: CLASS_OF_CODE[String(objectOf(error).code)], message };
}

function pageIn(body: JsonValue | undefined): JobPage<Handle> {
  const { operations, nextPageToken: next } = objectOf(body);
  const listed = (Array.isArray(operations) ? operations : []).map((job: JsonValue) => objectOf(job));
  const jobs = listed.flatMap((job) => {
    const { displayName: taskId, createTime } = objectOf(job.metadata);
    const handle = handleIn(job);
    if (handle === null) return [];
    const createdAt = Date.parse(String(createTime));
    return [{ taskId: typeof taskId === 'string' ? taskId : null, createdAt, handle }];
  });
  return { jobs, next: typeof next === 'string' && next !== '' ? next : null };
}
