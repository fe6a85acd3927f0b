import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError, type OrderMedia } from '../engine.ts';
import { bytesOf } from '../upstream/bytes-of.ts';
import { createCallbackKeys, isSigned } from '../upstream/callback-keys.ts';
import type { Answer } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { addressesIn, deliver, seedIn } from '../upstream/output-list.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedUnits } from '../upstream/reported-cost.ts';
import { resultIn } from '../upstream/result-in.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type EngineTools, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import { isSignedByFal, readFalKeys } from './fal-callbacks.ts';
import { classOfErrorType, explainFalError, UNVERIFIED as UNVERIFIED_WORDS } from './fal-errors.ts';
import { findFalModels } from './fal-models.ts';

interface FalSettings extends EngineTools {
  /** `FAL_KEY` in fal's own format: `id:secret`. */
  readonly key: string;
  /** The endpoint's URL; null = fal's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

interface Handle extends JsonObject {
  readonly requestId: string;
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
}

/**
 * fal's own client submits again (@fal-ai/client 1.10.1, `queue.submit`), and failed requests are not charged
 * (docs.fal.ai, reliability, 2026-11-21).
 */
const REFUSALS = [503];
const QUEUE_URL = 'https://queue.fal.run';
/** Base URL of uploads, as in @fal-ai/client 1.10.1. */
const UPLOAD_URL = 'https://rest.fal.ai';
const PLATFORM_URL = 'https://api.fal.ai';
/** Not verified against the live service: that only a valid key gets the answer that a request does not exist. */
const UNVERIFIED = {
  probePath: '/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status',
};
/** Maximum orders: fal runs those that the account may have at once, and queues the others without a limit. */
const CONCURRENCY = 200;
const INLINE_BYTES = 8 * 1024 * 1024;
const INLINE_TOGETHER = 16 * 1024 * 1024;
/** Lifetime of files: results are downloaded within minutes, and uploads are needed as long as the slowest order. */
const LIFECYCLE = JSON.stringify({ expiration_duration_seconds: 24 * 60 * 60 });
const IN_PROGRESS_YET = /still in progress/i;
/** Fields of results with files; below, their other fields. */
const FILES = ['images', 'image', 'videos', 'video', 'output'];
const OF_RESULTS = ['description', 'has_nsfw_concepts', 'seed', 'prompt', 'timings'];
/** Statuses of a model's errors about its input. Nobody else answers a question with them. */
const OF_THE_INPUT = [400, 413, 422];

/** Creates the engine for the fal queue: hundreds of models behind one interface. */
export function createFalEngine(settings: FalSettings): Engine {
  const { key, fetch } = settings;
  const connection = {
    name: 'fal',
    headers: { authorization: `Key ${key}` },
    secrets: secretsOf(key),
    fetch,
    explain: explainFalError,
    refusals: REFUSALS,
    timeoutMs: settings.callTimeoutMs,
  };
  const queue = createUpstream({ ...connection, baseUrl: settings.url ?? QUEUE_URL });
  const files = createUpstream({ ...connection, baseUrl: settings.url ?? UPLOAD_URL });
  const platform = createUpstream({ ...connection, baseUrl: settings.url ?? PLATFORM_URL });
  const callbackKeys = createCallbackKeys(settings.clock, (signal) => readFalKeys(files, signal));
  return createSubmitPollEngine<Handle>(
    {
      name: 'fal',
      concurrency: CONCURRENCY,
      timeoutMs: queue.timeoutMs,
      secrets: connection.secrets,
      handOver: createReferenceTransfer({
        inline: INLINE_BYTES,
        inlineTogether: INLINE_TOGETHER,
        byAddress: true,
        upload: (media, signal) => upload(files, media, signal),
      }),
      async submit({ model, input }, { signal, callbackUrl }) {
        const headers = { 'x-fal-object-lifecycle-preference': LIFECYCLE, 'x-fal-no-retry': '1' };
        const answer = await queue.call({
          method: 'POST',
          url: callbackUrl === null ? `/${model}` : `/${model}?fal_webhook=${encodeURIComponent(callbackUrl)}`,
          json: input,
          headers,
          signal,
          orders: true,
        });
        return readHandle(model, answer.body) ?? queue.unmade(answer, 'took the order but named no request_id');
      },
      async check({ statusUrl, responseUrl }, { signal }) {
        const answer = await queue.call({ url: queue.rebase(statusUrl), signal, accept: [404, 410] });
        if (answer.status === 404 || answer.status === 410) return { state: 'gone' };
        return await standingOf(queue, answer.body, responseUrl, signal);
      },
      jobOf: ({ requestId }) => requestId,
      // fal calls once, when the order has ended.
      async readCallback(callback, { signal }) {
        const now = settings.clock.now();
        return (await isSigned(callbackKeys, (key) => isSignedByFal(key, callback, now), signal)) ? 'ended' : 'forged';
      },
      async cancel({ cancelUrl }, { signal }) {
        const url = queue.rebase(cancelUrl);
        const { status } = await queue.call({ method: 'PUT', url, signal, accept: [400, 404] });
        return status < 300;
      },
      models: ({ signal }, asked) => findFalModels(platform, asked, signal),
      probe: ({ signal }) =>
        probeBy(async () => {
          const accepted = { has: ['status'], orStatus: [404, 422] };
          assertAccepted(
            queue,
            await queue.call({ url: UNVERIFIED.probePath, signal, accept: accepted.orStatus }),
            accepted,
          );
          return `fal answers at ${queue.origin} and accepts the key`;
        }),
    },
    settings,
  );
}

/** Reads the handle of an order; null if it got no id. */
function readHandle(model: string, body: JsonValue | undefined): Handle | null {
  const { request_id: requestId, status_url, response_url, cancel_url } = objectOf(body);
  if (typeof requestId !== 'string' || requestId === '') return null;
  // The path of a request contains owner and app, without the rest of the model's path.
  const own = `/${model.split('/').slice(0, 2).join('/')}/requests/${encodeURIComponent(requestId)}`;
  const address = (given: JsonValue | undefined, path: string) => (typeof given === 'string' ? given : path);
  return {
    requestId,
    statusUrl: address(status_url, `${own}/status`),
    responseUrl: address(response_url, own),
    cancelUrl: address(cancel_url, `${own}/cancel`),
  };
}

async function standingOf(
  queue: Upstream,
  body: JsonValue | undefined,
  responseUrl: string,
  signal: AbortSignal,
): Promise<UpstreamState> {
  const { status, error, error_type: errorType } = objectOf(body);
  const word = statusWord(status);
  if (word === 'in_queue' || word === 'in_progress') return { state: 'pending', word: String(status) };
  if (word !== 'completed') return { state: 'unknown', word: String(status) };
  if (typeof error === 'string' && error !== '') {
    if (errorType === UNVERIFIED_WORDS.canceled) return { state: 'canceled' };
    const failed = { state: 'failed', class: classOfErrorType(errorType), message: error } as const;
    // The request's result has more details, such as a content policy refusal.
    const result = await resultOf(queue, responseUrl, signal).catch(() => failed);
    signal.throwIfAborted();
    return result.state === 'failed' || result.state === 'canceled' ? result : failed;
  }
  return await resultOf(queue, responseUrl, signal);
}

/** Reads the result of an order that is COMPLETED, which only means that it ended. */
async function resultOf(queue: Upstream, responseUrl: string, signal: AbortSignal): Promise<UpstreamState> {
  const accept = [400, 404, 408, 409, 410, 413, 422, 499, 500, 502, 503, 504];
  const answer = await queue.call({ url: queue.rebase(responseUrl), signal, accept });
  if (answer.status < 300) return readResult(queue, answer);
  const { detail, error_type: errorType } = objectOf(answer.body);
  if (answer.status === 499 || errorType === UNVERIFIED_WORDS.canceled) return { state: 'canceled' };
  if (answer.status === 400 && typeof detail === 'string' && IN_PROGRESS_YET.test(detail)) return { state: 'pending' };
  if (!isOfModel(answer)) return readResult(queue, answer);
  const explained = explainFalError(answer);
  return {
    state: 'failed',
    class: explained?.class ?? (answer.status < 500 ? 'invalid_input' : undefined),
    message: explained?.message ?? `the model answered ${answer.status}`,
  };
}

/** Tells whether an error is the model's and not that of a proxy, which also writes `{ detail: text }`. */
function isOfModel({ status, body }: Answer): boolean {
  const { detail, error_type: errorType } = objectOf(body);
  if (Array.isArray(detail) ? detail.length > 0 : typeof errorType === 'string') return true;
  return typeof detail === 'string' && OF_THE_INPUT.includes(status);
}

/** Reads a result. @throws EngineError if the answer has none, so that it is requested again */
function readResult(queue: Upstream, answer: Answer): UpstreamState {
  const result = resultIn('fal', answer, [...FILES, ...OF_RESULTS]);
  const cost = reportedUnits(answer.headers['x-fal-billable-units']);
  const { description, has_nsfw_concepts: nsfw, seed } = result;
  if (Array.isArray(nsfw) && nsfw.includes(true)) {
    return {
      state: 'failed',
      class: 'content_policy',
      message: 'the result was withheld by the safety checker',
      ...cost,
    };
  }
  const files = FILES.flatMap((field) => filesIn(result[field]));
  if (files.length === 0) {
    const words = typeof description === 'string' && description !== '' ? `: ${description}` : '';
    return { state: 'failed', message: `the result holds no file${words}`, ...cost };
  }
  return { state: 'succeeded', delivery: { ...deliver(queue, files, { seed: seedIn(seed) }), ...cost } };
}

/** Returns the URLs in `{ url, … }`, in a list of such objects, or in a plain string. */
function filesIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  return addressesIn(typeof value === 'string' ? value : objectOf(value).url);
}

async function upload(files: Upstream, media: OrderMedia, signal: AbortSignal): Promise<string> {
  const json = { file_name: `${media.field}-${media.index}`, content_type: media.contentType };
  const url = '/storage/upload/initiate?storage_type=fal-cdn-v3';
  const kept = { 'x-fal-object-lifecycle': LIFECYCLE };
  const { body } = await files.call({ method: 'POST', url, json, headers: kept, signal });
  const { file_url: fileUrl, upload_url: uploadUrl } = objectOf(body);
  if (typeof fileUrl !== 'string' || typeof uploadUrl !== 'string') {
    throw new EngineError('upstream', 'fal named no address for an upload', { took: 'no' });
  }
  const headers = { 'content-type': media.contentType };
  await files.call({ method: 'PUT', url: uploadUrl, body: await bytesOf(media), headers, signal, signed: true });
  return fileUrl;
}

function secretsOf(key: string): string[] {
  return [key, ...key.split(':').slice(1)];
}
