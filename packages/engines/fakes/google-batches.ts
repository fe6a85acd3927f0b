import type { createFakeJobs, FakeJob } from './fake-jobs.ts';
import type { Exchange } from './fake-server.ts';
import { type GoogleOrder, judgeContent } from './google-orders.ts';

type Input = Readonly<Record<string, unknown>>;

interface Known {
  readonly model: string;
  readonly displayName: string;
  readonly key: unknown;
  readonly createTime: string;
}

const fault = (code: number, status: string, message: string) => ({ error: { code, message, status, details: [] } });
const missing = fault(404, 'NOT_FOUND', 'Requested entity was not found.');
/** Errors of a whole job, by the word `end`. */
const FAILURES: Readonly<Record<string, object>> = {
  failed: { code: 13, message: 'The batch could not be processed.' },
  unpaid: { code: 9, message: 'Billing is not enabled.' },
};
/** Errors of a job's only request, by the word `end`. */
const REFUSALS: Readonly<Record<string, object>> = {
  refused: { code: 3, message: 'Request contains an invalid argument.' },
};

/** Creates the Gemini API's Batch API with inlined requests, from its client and reference; jobs of one order. */
export function createFakeGoogleBatches(
  jobs: ReturnType<typeof createFakeJobs>,
  candidate: (job: FakeJob) => Promise<object>,
): { answer(exchange: Exchange, path: string): Promise<boolean> } {
  const known = new Map<string, Known>();

  async function create(exchange: Exchange, model: string): Promise<undefined> {
    const { json, reply } = exchange;
    const judged = judgeBatch((json ?? {}) as Input, model);
    if ('missing' in judged) return reply(404, fault(404, 'NOT_FOUND', judged.missing));
    if ('fault' in judged) return reply(400, fault(400, 'INVALID_ARGUMENT', judged.fault));
    const { prompt, input, displayName, key } = judged;
    const id = `job-${known.size + 1}`;
    const facts = { model: `models/${model}`, displayName, key, createTime: new Date().toISOString() };
    const job = jobs.take(exchange, prompt, input, () => {
      known.set(id, facts);
      return id;
    });
    if (job === null) return;
    if (!known.has(job.id)) known.set(job.id, facts);
    reply(200, operation(job, { state: 'BATCH_STATE_PENDING' }));
  }

  function operation(job: FakeJob, metadata: Input, more: Input = {}): object {
    const { key: _, ...facts } = known.get(job.id) ?? { key: null };
    const type = 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch';
    const name = `batches/${job.id}`;
    return { name, metadata: { '@type': type, name, ...facts, ...metadata }, ...more };
  }

  async function ended(job: FakeJob): Promise<object> {
    const { end = 'ok' } = job.words;
    if (job.canceled && end !== 'late') {
      const error = { code: 1, message: 'The operation was cancelled.' };
      return operation(job, { state: 'BATCH_STATE_CANCELLED' }, { done: true, error });
    }
    if (end === 'expired') return operation(job, { state: 'BATCH_STATE_EXPIRED' }, { done: true });
    const error = FAILURES[end];
    if (error !== undefined) return operation(job, { state: 'BATCH_STATE_FAILED' }, { done: true, error });
    const made = { state: 'BATCH_STATE_SUCCEEDED' };
    if (end === 'empty') return operation(job, made, { done: true });
    const metadata = { key: end === 'foreign' ? 'another' : known.get(job.id)?.key };
    const refused = REFUSALS[end];
    if (refused === undefined) jobs.download(job);
    const result = refused === undefined ? { response: await candidate(job), metadata } : { error: refused, metadata };
    const output = { inlinedResponses: { inlinedResponses: [result] } };
    return operation(job, { ...made, output }, { done: true, response: output });
  }

  /** Lists the jobs, the oldest first: callers cannot rely on an order. */
  function list({ query, reply }: Exchange): undefined {
    const [size, from] = [Number(query.get('pageSize') ?? 50), Number(query.get('pageToken') ?? 0)];
    const all = [...jobs.jobs.values()].filter(({ id }) => known.has(id));
    const operations = all.slice(from, from + size).map((job) => operation(job, { state: 'BATCH_STATE_RUNNING' }));
    reply(200, { operations, ...(from + size < all.length ? { nextPageToken: String(from + size) } : {}) });
  }

  async function know(exchange: Exchange, job: FakeJob, does: string): Promise<undefined> {
    const { method, reply } = exchange;
    if (does === ':cancel' && method === 'POST') {
      jobs.cancel(job);
      return reply(200, {});
    }
    if (does !== '' || method !== 'GET') return reply(404, missing);
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    if (state === 'over') return reply(200, await ended(job));
    const word = job.words.odd ?? (state === 'queued' ? 'PENDING' : 'RUNNING');
    reply(200, operation(job, { state: `BATCH_STATE_${word}` }));
  }

  return {
    async answer(exchange, path) {
      const { method, reply } = exchange;
      const model = /^\/models\/([^/:]+):batchGenerateContent$/.exec(path)?.[1];
      const [, id, does = ''] = /^\/batches(?:\/([^/:]+)(:[a-z]+)?)?$/.exec(path) ?? [];
      if (model !== undefined && method === 'POST') await create(exchange, model);
      else if (path === '/batches' && method === 'GET') list(exchange);
      else if (id !== undefined) {
        const job = jobs.jobs.get(id);
        if (job === undefined) reply(404, missing);
        else await know(exchange, job, does);
      } else return false;
      return true;
    },
  };
}

type Judged =
  | (Extract<GoogleOrder, { readonly prompt: string }> & { readonly displayName: string; readonly key: unknown })
  | Exclude<GoogleOrder, { readonly prompt: string }>;

/** Validates a batch of one inlined request. */
function judgeBatch({ batch, ...others }: Input, model: string): Judged {
  const { displayName, inputConfig, ...rest } = (batch ?? {}) as Input;
  const { requests: list, ...ofConfig } = (inputConfig ?? {}) as Input;
  const { requests, ...ofList } = (list ?? {}) as Input;
  const [first, second] = (Array.isArray(requests) ? requests : []) as Input[];
  const { request, metadata = {}, ...ofRequest } = first ?? {};
  const [extra] = Object.keys({ ...others, ...rest, ...ofConfig, ...ofList, ...ofRequest });
  if (extra !== undefined) return { fault: `Invalid JSON payload received. Unknown name "${extra}" at 'batch'` };
  if (typeof displayName !== 'string' || displayName === '') return { fault: 'batch.display_name is required' };
  if (first === undefined || second !== undefined) return { fault: 'requests: one request' };
  const judged = judgeContent((request ?? {}) as Input, model);
  return 'prompt' in judged ? { ...judged, displayName, key: (metadata as Input).key } : judged;
}
