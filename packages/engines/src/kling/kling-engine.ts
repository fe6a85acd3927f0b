import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import type { ReportedCost } from '../reported-cost.ts';
import { newsIn } from '../upstream/callback-news.ts';
import type { Answer } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { reportedDollars, reportedUnits } from '../upstream/reported-cost.ts';
import { statusWord } from '../upstream/status-word.ts';
import {
  createSubmitPollEngine,
  type EngineTools,
  type SubmitContext,
  type UpstreamState,
} from '../upstream/submit-poll-engine.ts';
import type { Unmade } from '../upstream/unmade.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import { assertCodeIsZero, codeOf, explainKlingError } from './kling-errors.ts';

interface KlingSettings extends EngineTools {
  /** `KLING_API_KEY`: valid for both generations of the API. */
  readonly key: string;
  /** The endpoint's URL; null = the one outside China. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

interface Handle extends JsonObject {
  /** The id as a text: its 18 digits are more than a number can represent. */
  readonly id: string;
  /** The path to poll in the older generation; null = the newer one. */
  readonly path: string | null;
}

const API_URL = 'https://api-singapore.klingai.com';
const PICTURES = ['image/png', 'image/jpeg'];
const MOST_INLINE_BYTES = 10_000_000;
/** The real limit depends on account and resource pack; excess orders are refused with `1303` and retried. */
const CONCURRENCY = 20;
/** Not verified against the live service. */
const UNVERIFIED = {
  /** Words by which the newer generation refuses a second order with the same external id, under code 1201. */
  duplicate: /exist|duplicat|external_task_id/i,
};
const INVALID = 1201;
const WORKING = ['submitted', 'processing'];

/**
 * Creates the engine for Kling, both generations of its API. A route's `model` is the path with the model at its end:
 * `text-to-video/kling-3.0-turbo` (newer), `videos/text2video/kling-v3` or `images/generations/kling-v3` (older, where
 * the model goes into the body).
 */
export function createKlingEngine(settings: KlingSettings): Engine {
  const { key, fetch, pictures } = settings;
  const inside = createReferenceTransfer({
    pictures: { types: PICTURES, tools: pictures },
    inline: MOST_INLINE_BYTES,
    bare: true,
    byAddress: true,
  });
  const upstream = createUpstream({
    name: 'Kling',
    baseUrl: settings.url ?? API_URL,
    headers: { authorization: `Bearer ${key}` },
    secrets: [key],
    fetch,
    explain: explainKlingError,
    timeoutMs: settings.callTimeoutMs,
  });
  return createSubmitPollEngine<Handle>(
    {
      name: 'kling',
      idempotency: 'refuses_duplicates',
      concurrency: CONCURRENCY,
      timeoutMs: upstream.timeoutMs,
      secrets: [key],
      handOver: (media, signal, count) => (media.kind === 'image' ? inside : byAddress)(media, signal, count),
      async submit({ model, input }, { taskId, signal, callbackUrl }) {
        try {
          return await submit(upstream, model, input, { taskId, signal, callbackUrl });
        } catch (error) {
          if (!(error instanceof EngineError) || !mayBeThere(error)) throw error;
          const found = await find(upstream, model, taskId, signal).catch(() => null);
          if (found !== null) return found;
          if (!UNVERIFIED.duplicate.test(error.message)) throw error;
          // The order exists, but cannot be found yet.
          throw new EngineError('upstream', error.message, { took: 'unknown', cause: error });
        }
      },
      async check({ id, path }, { signal }) {
        const task = await readTask(upstream, path, id, 'task_ids', signal);
        return task === null ? { state: 'gone' } : standingOf(upstream, task);
      },
      jobOf: ({ id }) => id,
      // Signed only for accounts with a secret of their own.
      readCallback: async ({ body }) => newsIn(body, ['status', 'task_status'], WORKING),
      async find(taskId, { order, signal }) {
        return await find(upstream, order.route.model ?? '', taskId, signal);
      },
      probe: ({ signal }) =>
        probeBy(async () => {
          const answer = await upstream.call({ url: '/tasks?task_ids=0', signal });
          assertAccepted(upstream, answer, { has: ['code'] });
          assertCodeIsZero(answer);
          return 'Kling accepts the key';
        }),
    },
    settings,
  );
}

const byAddress = createReferenceTransfer({ inline: 0, byAddress: true });

async function submit(
  upstream: Upstream,
  model: string,
  input: JsonObject,
  { taskId, signal, callbackUrl }: Pick<SubmitContext, 'taskId' | 'signal' | 'callbackUrl'>,
): Promise<Handle | Unmade> {
  const endpoint = endpointOf(model);
  const callback = callbackUrl === null ? {} : { callback_url: callbackUrl };
  const json =
    endpoint.path === null
      ? { ...input, options: { ...objectOf(input.options), external_task_id: taskId, ...callback } }
      : { model_name: endpoint.model, ...input, external_task_id: taskId, ...callback };
  const answer = await upstream.call({ method: 'POST', url: endpoint.url, json, signal, orders: true });
  assertCodeIsZero(answer);
  const { id, task_id: olderId } = objectOf(objectOf(answer.body).data);
  const given = id ?? olderId;
  if (typeof given === 'string' && given !== '') return { id: given, path: endpoint.path };
  return upstream.unmade(answer, 'took the order but named no id');
}

/** Splits a route's model. The older generation has the model in the body and paths below `/v1`. */
function endpointOf(model: string): { readonly url: string; readonly path: string | null; readonly model: string } {
  const [kind = '', call = '', ...name] = model.split('/');
  if (kind !== 'images' && kind !== 'videos') return { url: `/${model}`, path: null, model: call };
  const path = `/v1/${kind}/${call}`;
  return { url: path, path, model: name.join('/') };
}

/**
 * Tells whether the order may exist after an error. We chose the id, which is unique there, so a lost response does no
 * harm and a second order is refused, with the code of an invalid one.
 */
function mayBeThere({ took, class: errorClass }: EngineError): boolean {
  return took === 'unknown' || errorClass === 'invalid_input';
}

async function find(upstream: Upstream, model: string, taskId: string, signal: AbortSignal): Promise<Handle | null> {
  const { path } = endpointOf(model);
  const task = await readTask(upstream, path, taskId, 'external_task_ids', signal);
  const id = task?.id ?? task?.task_id;
  return typeof id === 'string' ? { id, path } : null;
}

/** Reads a task; null if it is unknown. The newer generation omits it from a list; the older one refuses. */
async function readTask(
  upstream: Upstream,
  path: string | null,
  id: string,
  query: 'task_ids' | 'external_task_ids',
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const url = path === null ? `/tasks?${query}=${encodeURIComponent(id)}` : `${path}/${encodeURIComponent(id)}`;
  const answer = await upstream.call({ url, signal, accept: [400, 404] });
  if (codeOf(answer) === INVALID && path !== null) return null;
  if (answer.status >= 400) {
    throw new EngineError('upstream', `Kling: ${reasonOf(answer)}`, { took: 'yes' });
  }
  assertCodeIsZero(answer);
  const { data } = objectOf(answer.body);
  const tasks = path === null ? data : [data];
  if (data === undefined || !Array.isArray(tasks)) {
    throw new EngineError('upstream', 'Kling answered something else than how the task stands', { took: 'yes' });
  }
  return tasks.length === 0 ? null : objectOf(tasks[0]);
}

function reasonOf(answer: Answer): string {
  return explainKlingError(answer)?.message ?? `it answered ${answer.status}`;
}

function standingOf(upstream: Upstream, task: JsonObject): UpstreamState {
  const status = task.status ?? task.task_status;
  switch (statusWord(status)) {
    case 'submitted':
    case 'processing':
      return { state: 'pending', word: String(status) };
    case 'failed': {
      const reason = failureWords(task.message ?? task.task_status_msg);
      const message = reason ?? 'the task failed without a reason';
      return { state: 'failed', message, ...costIn(task) };
    }
    // The older generation says `succeed`.
    case 'succeed':
    case 'succeeded': {
      const files = filesIn(task);
      return files.length > 0
        ? { state: 'succeeded', delivery: { ...deliver(upstream, files.slice(0, 1)), ...costIn(task) } }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file', ...costIn(task) };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}

/**
 * Reads `billing: [{ charge_type: 'unit' | 'cash', amount, currency? }]`, and `final_unit_deduction` of the older
 * generation. Units come from a pack with a price that only the operator knows. Several entries, or cash in another
 * currency, are not comparable.
 */
function costIn({ billing, final_unit_deduction: units }: JsonObject): { upstreamCost?: ReportedCost } {
  if (!Array.isArray(billing)) return reportedUnits(units);
  if (billing.length !== 1) return {};
  const { charge_type: type, amount, currency = null } = objectOf(billing[0]);
  if (type === 'unit') return reportedUnits(amount);
  return type === 'cash' && currency === 'USD' ? reportedDollars(amount, 0) : {};
}

function filesIn({ outputs, task_result: result }: JsonObject): string[] {
  const { videos, images } = objectOf(result);
  return [outputs, videos, images]
    .flatMap((list): JsonValue[] => (Array.isArray(list) ? [...list] : []))
    .filter((file) => ['video', 'image', undefined].includes(objectOf(file).type as string | undefined))
    .flatMap((file) => {
      const { url } = objectOf(file);
      return typeof url === 'string' && url !== '' ? [url] : [];
    });
}
