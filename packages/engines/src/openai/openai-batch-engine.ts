import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import { type Engine, EngineError } from '../engine.ts';
import { createBatchEngine, type JobPage } from '../upstream/batch-lane.ts';
import { type Answer, errorFromAnswer } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { failureWords } from '../upstream/reasons.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import { resultIn } from '../upstream/result-in.ts';
import { beforeOrdering, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import { readImages } from './images-answer.ts';
import { askModels, openOpenAi } from './openai-api.ts';
import { explainOpenAiError } from './openai-errors.ts';

interface Handle extends JsonObject {
  readonly id: string;
  /** Id of the file with the order, which is deleted when the order has ended. */
  readonly file: string;
}

const NAME = 'openai-batch';
const TIMEOUT_MS = 2 * 60_000;
const ENDPOINT = '/v1/images/generations';
/** Name of the job's metadata field with our task id. */
const TASK = 'darkroom_task';
const PAGE = 100;
const DAY_SECONDS = 86_400;
/** Lifetimes: an order's file is needed until the job ends, its result until we have it. Nobody has to delete them. */
const [INPUT_SECONDS, RESULT_SECONDS] = [2 * DAY_SECONDS, 3 * DAY_SECONDS];
const RUNNING: readonly JsonValue[] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

/**
 * Creates the engine for OpenAI's Batch API (openai 7.57.0, `resources/batches`): images from text at half price within
 * 24 hours. Its requests are lines of an uploaded file, so a job is one file with one line.
 */
export function createOpenAiBatchEngine(settings: VendorSettings): Engine {
  const { key } = settings;
  const api = openOpenAi(settings, TIMEOUT_MS);

  async function upload(taskId: string, order: JsonObject, signal: AbortSignal): Promise<string> {
    const line = { custom_id: taskId, method: 'POST', url: ENDPOINT, body: order };
    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('expires_after[anchor]', 'created_at');
    form.append('expires_after[seconds]', String(INPUT_SECONDS));
    form.append('file', new Blob([`${JSON.stringify(line)}\n`], { type: 'application/jsonl' }), `${taskId}.jsonl`);
    const answer = await api.call({ method: 'POST', url: '/files', body: form, signal });
    const { id } = objectOf(answer.body);
    if (typeof id === 'string' && id !== '') return id;
    throw new EngineError('upstream', 'OpenAI took the file of the order but named no id', { took: 'no' });
  }

  /** Reads the only line of a result. */
  async function standingIn(file: string, taskId: string, signal: AbortSignal): Promise<UpstreamState> {
    const answer = await api.call({ url: `/files/${encodeURIComponent(file)}/content`, signal, hasFiles: true });
    const { custom_id: customId, response, error } = resultIn('OpenAI', answer, ['custom_id']);
    if (customId !== taskId) return { state: 'failed', class: 'upstream', message: 'the result is of another order' };
    const { status_code: status, body } = objectOf(response);
    const isRefused = (Number.isInteger(status) && Number(status) >= 400) || failureWords(error) !== null;
    if (isRefused) return failureIn({ ...answer, status: Number(status), body }, [key], objectOf(error));
    const made = readImages(api, { ...answer, body });
    return 'refused' in made ? { state: 'failed', ...made.refused } : { state: 'succeeded', delivery: made };
  }

  return createBatchEngine<Handle>(
    {
      name: NAME,
      timeoutMs: api.timeoutMs,
      secrets: [key],
      handOver: createReferenceTransfer({ inline: 0, byAddress: false }),
      async submit({ model, input }, { taskId, signal }) {
        const order = { model, ...input };
        const file = await beforeOrdering((limited) => upload(taskId, order, limited), signal, api.timeoutMs);
        const json = {
          input_file_id: file,
          endpoint: ENDPOINT,
          completion_window: '24h',
          metadata: { [TASK]: taskId },
          output_expires_after: { anchor: 'created_at', seconds: RESULT_SECONDS },
        };
        const answer = await api.call({ method: 'POST', url: '/batches', json, ordered: input, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id, file };
        return api.unmade(answer, 'took the order but named no id');
      },
      async check({ id, file }, { order, signal }) {
        const answer = await api.call({ url: `/batches/${encodeURIComponent(id)}`, signal, accept: [404] });
        if (answer.status === 404) return { state: 'gone' };
        const { status = null, output_file_id: output, error_file_id: errors, ...others } = objectOf(answer.body);
        if (RUNNING.includes(status)) return { state: 'pending', word: String(status) };
        const result = [output, errors].find((one) => typeof one === 'string');
        const standing =
          typeof result === 'string'
            ? await standingIn(result, order.taskId, signal)
            : endWithoutResult(status, others);
        if (standing.state !== 'unknown') await forget(api, file, signal);
        return standing;
      },
      jobOf: ({ id }) => id,
      async cancel({ id }, { signal }) {
        await api.call({ method: 'POST', url: `/batches/${encodeURIComponent(id)}/cancel`, signal });
        return true;
      },
      ...askModels(api),
    },
    {
      isNewestFirst: true,
      async pageOf(from, signal) {
        const after = from === null ? '' : `&after=${encodeURIComponent(from)}`;
        return pageIn((await api.call({ url: `/batches?limit=${PAGE}${after}`, signal })).body);
      },
    },
    settings,
  );
}

/** Deletes the uploaded order. A failure does no harm, since the file expires by itself. */
async function forget(api: Upstream, file: string, signal: AbortSignal): Promise<void> {
  await api.call({ method: 'DELETE', url: `/files/${encodeURIComponent(file)}`, signal }).catch(() => {});
}

/** Returns the end of a job that neither made nor refused its order. */
function endWithoutResult(status: JsonValue, { errors }: JsonObject): UpstreamState {
  switch (status) {
    case 'cancelled':
      return { state: 'canceled' };
    case 'expired':
      return { state: 'failed', class: 'timeout', message: 'the order was not made within 24 hours' };
    case 'failed': {
      // The job did not begin, for instance because the organization has no credit.
      const { data } = objectOf(errors);
      const error = objectOf(Array.isArray(data) ? data[0] : undefined);
      const refused = explainOpenAiError({ status: 400, headers: {}, body: { error }, text: '' });
      return { state: 'failed', class: refused?.class, message: refused?.message ?? 'the job failed without a reason' };
    }
    case 'completed':
      return { state: 'failed', class: 'upstream', message: 'the job has no result' };
    default:
      return { state: 'unknown', word: String(status) };
  }
}

/** Reads a refusal: like that of a direct call, or by the job, such as when the 24 hours are over. */
function failureIn(answer: Answer, secrets: readonly string[], { code, message }: JsonObject): UpstreamState {
  const refused = explainOpenAiError(answer);
  if (refused?.message !== undefined) {
    const context = { name: 'OpenAI', explain: explainOpenAiError, secrets, orders: true };
    return { state: 'failed', class: errorFromAnswer(answer, context).class, message: refused.message };
  }
  const reason = typeof message === 'string' ? message : 'the order failed without a reason';
  return { state: 'failed', class: code === 'batch_expired' ? 'timeout' : 'upstream', message: reason };
}

function pageIn(body: JsonValue | undefined): JobPage<Handle> {
  const { data, has_more: hasMore } = objectOf(body);
  const listed = (Array.isArray(data) ? data : []).map((job: JsonValue) => objectOf(job));
  const jobs = listed.flatMap(({ id, input_file_id: file, metadata, created_at: seconds }) => {
    const taskId = objectOf(metadata)[TASK];
    if (typeof id !== 'string' || typeof file !== 'string') return [];
    return [
      { taskId: typeof taskId === 'string' ? taskId : null, createdAt: Number(seconds) * 1000, handle: { id, file } },
    ];
  });
  return { jobs, next: hasMore === true ? (jobs.at(-1)?.handle.id ?? null) : null };
}
