import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError, type EngineErrorClass, type OrderMedia } from '../engine.ts';
import { bytesOf } from '../upstream/bytes-of.ts';
import { createCallbackKeys, isSigned } from '../upstream/callback-keys.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { namesFound } from '../upstream/listed-models.ts';
import { addressesIn, deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { isStandardSigned } from '../upstream/standard-signature.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type EngineTools, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';

interface ReplicateSettings extends EngineTools {
  /** `REPLICATE_API_TOKEN`. */
  readonly token: string;
  /** The endpoint's URL, with the version (`https://api.replicate.com/v1`); null = Replicate's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

interface Handle extends JsonObject {
  readonly id: string;
}

const API_URL = 'https://api.replicate.com/v1';
/**
 * Not verified against the live service: the meaning of the codes in a model's error text, where files are uploaded,
 * and the path that returns the token's account.
 */
const UNVERIFIED = {
  classOfCode: { E003: 'busy', E004: 'upstream', E005: 'content_policy', E006: 'invalid_input' } as Readonly<
    Record<string, EngineErrorClass>
  >,
  filesPath: '/files',
  probePath: '/account',
};
/** The maximum length of a data URL, as text. */
const INLINE_BYTES = Math.floor((256_000 - 100) * 0.75);
const CONCURRENCY = 200;
const NO_SUCH_VERSION = /^invalid version/i;
const RESETS_IN = /resets in ~?(\d+)s/i;

/** Creates the engine for Replicate: one prediction resource for every model. */
export function createReplicateEngine(settings: ReplicateSettings): Engine {
  const { token, fetch } = settings;
  const headers = { authorization: `Bearer ${token}` };
  const upstream = createUpstream({
    name: 'Replicate',
    baseUrl: settings.url ?? API_URL,
    headers,
    secrets: [token],
    fetch,
    explain: explainError,
    timeoutMs: settings.callTimeoutMs,
  });
  const callbackKeys = createCallbackKeys(settings.clock, async (signal) => {
    const { key } = objectOf((await upstream.call({ url: '/webhooks/default/secret', signal })).body);
    return typeof key === 'string' ? [key] : [];
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'replicate',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [token],
      handOver: createReferenceTransfer({
        inline: INLINE_BYTES,
        byAddress: true,
        upload: (media, signal) => upload(upstream, media, signal),
      }),
      async submit({ model, input }, { signal, callbackUrl }) {
        const { url, named } = createAddress(model);
        const callback = callbackUrl === null ? {} : { webhook: callbackUrl, webhook_events_filter: ['completed'] };
        const json = { ...named, input, ...callback };
        const answer = await upstream.call({ method: 'POST', url, json, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id };
        return upstream.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const url = `/predictions/${encodeURIComponent(id)}`;
        const answer = await upstream.call({ url, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(upstream, objectOf(answer.body));
      },
      jobOf: ({ id }) => id,
      async readCallback(callback, { signal }) {
        const now = settings.clock.now();
        return (await isSigned(callbackKeys, (key) => isStandardSigned(key, callback, now), signal))
          ? 'ended'
          : 'forged';
      },
      async cancel({ id }, { signal }) {
        const url = `/predictions/${encodeURIComponent(id)}/cancel`;
        const { status } = await upstream.call({ method: 'POST', url, signal, accept: [404] });
        return status < 300;
      },
      probe: ({ signal }) =>
        probeBy(async () => {
          const answer = await upstream.call({ url: UNVERIFIED.probePath, signal });
          assertAccepted(upstream, answer, { has: ['username', 'type'] });
          return `Replicate accepts the token of ${String(objectOf(answer.body).username ?? 'an account')}`;
        }),
      models: ({ signal }, asked) => namesFound(upstream, asked, pathOf, signal),
    },
    settings,
  );
}

/** Returns the URL of a model: `owner/name`, `owner/name:version` or `deployments/owner/name`. */
function createAddress(model: string): { url: string; named: JsonObject } {
  if (model.includes(':')) return { url: '/predictions', named: { version: model } };
  return { url: `${pathOf(model)}/predictions`, named: {} };
}

/** Returns the path that describes a model; for a version, that of its model. */
function pathOf(model: string): string {
  const [name = ''] = model.split(':');
  return name.startsWith('deployments/') ? `/${name}` : `/models/${name}`;
}

function standingOf(upstream: Upstream, prediction: JsonObject): UpstreamState {
  const { status, output, error, logs, data_removed: removed, model } = prediction;
  switch (statusWord(status)) {
    case 'starting':
      return { state: 'pending', word: String(status) };
    case 'processing':
      return { state: 'pending', word: String(status), progress: progressIn(logs) };
    case 'canceled':
    // Ended before it began, by a cancel or by Replicate itself.
    case 'aborted':
      return { state: 'canceled', message: failureWords(error) };
    case 'failed':
      return failure(error);
    case 'succeeded': {
      const files = addressesIn(output);
      if (files.length > 0) {
        const named = typeof model === 'string' ? { named: { model } } : {};
        return { state: 'succeeded', delivery: { ...deliver(upstream, files), ...named } };
      }
      const message = removed === true ? 'the result has been deleted there' : 'the result holds no file';
      return { state: 'failed', class: 'upstream', message };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}

function failure(error: JsonValue | undefined): UpstreamState {
  const message = failureWords(error) ?? 'the prediction failed without a reason';
  const code = /\((E\d+)\)/.exec(message)?.[1] ?? '';
  return { state: 'failed', class: UNVERIFIED.classOfCode[code], message };
}

/** Returns the last percentage that the model printed; most models print a progress bar. */
function progressIn(logs: JsonValue | undefined): number | undefined {
  const last = typeof logs === 'string' ? [...logs.matchAll(/(\d{1,3}(?:\.\d+)?)%/g)].at(-1)?.[1] : undefined;
  return last === undefined ? undefined : Number(last);
}

/** Reads `{ title, detail, status, invalid_fields? }`; null: the HTTP status decides. */
function explainError({ status, headers, body }: Answer): Explained | null {
  const { title, detail } = objectOf(body);
  const words = [title, detail].filter((text) => typeof text === 'string' && text !== '');
  if (words.length === 0) return null;
  const message = words.join(': ');
  const seconds = headers['retry-after'] === undefined ? RESETS_IN.exec(message)?.[1] : undefined;
  return {
    message,
    // The operator must fix a model or version that is gone; other models are not affected.
    ...(status === 404 || NO_SUCH_VERSION.test(message) ? { class: 'auth' as const } : {}),
    ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }),
  };
}

async function upload(upstream: Upstream, media: OrderMedia, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  const name = `${media.field}-${media.index}.${media.contentType.split('/')[1] ?? 'bin'}`;
  form.append('content', new Blob([new Uint8Array(await bytesOf(media))], { type: media.contentType }), name);
  const { body } = await upstream.call({ method: 'POST', url: UNVERIFIED.filesPath, body: form, signal });
  const address = objectOf(objectOf(body).urls).get;
  if (typeof address === 'string') return address;
  throw new EngineError('upstream', 'Replicate named no address of an uploaded file', { took: 'no' });
}
