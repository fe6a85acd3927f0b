import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { createFakeGoogleBatches } from './google-batches.ts';
import { type GoogleOrder, judgeContent, judgeInteraction } from './google-orders.ts';
import { listedModels } from './listed-models.ts';
import { resultInside, smallPicture } from './small-picture.ts';

const KEY = 'AIzaFake0123456789';
const fault = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, message, status, details },
});
const BUSY = fault(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota. Please retry in 1s.', {
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: '1s',
});
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, fault(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted.')] },
  busyfor: { counted: false, answer: [429, BUSY] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [402, fault(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')],
  },
  denied: {
    counted: false,
    answer: [403, fault(403, 'PERMISSION_DENIED', 'The caller does not have permission.')],
  },
  /** Refusal of an account without credit as of October 2026, besides 402. */
  depleted: {
    counted: false,
    answer: [429, fault(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted. Please go to AI Studio.')],
  },
  unavailable: { counted: false, answer: [503, fault(503, 'UNAVAILABLE', 'The model is overloaded.')] },
  late: { counted: true, answer: [504, fault(504, 'DEADLINE_EXCEEDED', 'Deadline expired.')] },
  region: {
    counted: false,
    answer: [400, fault(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.')],
  },
  invalid: { counted: false, answer: [400, fault(400, 'INVALID_ARGUMENT', 'The prompt is too short.')] },
  internal: { counted: true, answer: [500, fault(500, 'INTERNAL', 'An internal error has occurred.')] },
};
/** Reasons for a candidate without a picture, by the word `end`. */
const REASONS: Readonly<Record<string, string>> = { safety: 'IMAGE_SAFETY', recited: 'IMAGE_RECITATION' };
/** Errors of an interaction, by the word `end`. */
const ERRORS: Readonly<Record<string, object>> = {
  usage: { code: 'content_blocked', message: "The prompt violates Google's usage guidelines." },
  failed: { code: 'internal', message: 'Video generation failed due to an internal server issue.' },
};

/**
 * Opens a fake of the Gemini API: pictures, also by its Batch API, and films by Omni's interactions; from its client
 * and documentation. Downloads require the key.
 */
export async function openFakeGoogle(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const server = await openFakeServer(answer);
  const batches = createFakeGoogleBatches(jobs, candidate);
  const base = `${server.url}/v1`;
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, headers, reply } = exchange;
    if (headers['x-goog-api-key'] !== KEY) {
      const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
      const message = `API key not valid. Please pass a valid API key: ${headers['x-goog-api-key']}`;
      return reply(400, fault(400, 'INVALID_ARGUMENT', message, reason));
    }
    const path = exchange.path.replace(/^\/v1(?=\/)/, '');
    const file = /\/files\/([^/:]+)/.exec(path);
    if (file !== null) {
      const job = jobs.jobs.get(file[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (method === 'GET' && path === '/models')
      return reply(200, { models: listedModels('google').map((id) => ({ name: `models/${id}` })) });
    if (await batches.answer(exchange, path)) return;
    const model = /^\/models\/([^/:]+):generateContent$/.exec(path)?.[1] ?? null;
    if (method === 'POST' && (model !== null || path === '/interactions')) return await create(exchange, model);
    const asked = /^\/interactions\/([^/]+)$/.exec(path);
    const job = jobs.jobs.get(decodeURIComponent(asked?.[1] ?? ''));
    if (method !== 'GET' || job === undefined) {
      return reply(404, fault(404, 'NOT_FOUND', 'Requested entity was not found.'));
    }
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    reply(200, await interaction(job, state));
  }

  /** Takes an order. @param model null for an interaction, whose body names the model */
  async function create(exchange: Exchange, model: string | null): Promise<undefined> {
    const { json, reply } = exchange;
    if (typeof json !== 'object' || json === null) {
      return reply(400, fault(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.'));
    }
    const body = json as Record<string, unknown>;
    const judged: GoogleOrder = model === null ? judgeInteraction(body, String(body.model)) : judgeContent(body, model);
    if ('missing' in judged) return reply(404, fault(404, 'NOT_FOUND', judged.missing));
    if ('fault' in judged) return reply(400, fault(400, 'INVALID_ARGUMENT', judged.fault));
    const { prompt, input } = judged;
    const job = jobs.take(exchange, prompt, input, () => `fake-${++orders}`);
    if (job === null) return;
    reply(200, model === null ? await interaction(job, 'running') : await candidate(job));
  }

  async function candidate(job: FakeJob): Promise<object> {
    const { end = 'ok' } = job.words;
    const usageMetadata = {
      promptTokenCount: 10,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
      candidatesTokenCount: 1120,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
      thoughtsTokenCount: 170,
      totalTokenCount: 1300,
    };
    const facts = { usageMetadata, modelVersion: 'fake', responseId: job.id };
    if (end === 'blocked') return { ...facts, promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    if (end === 'words') {
      const parts = [{ text: 'I should decline.', thought: true }, { text: 'I cannot draw a person who lives.' }];
      return { ...facts, candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] };
    }
    const finishReason = REASONS[end];
    if (finishReason !== undefined) {
      return { ...facts, candidates: [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }] };
    }
    const { type: mimeType, data } = await resultInside(job.words.file);
    const thought = { thought: true, inlineData: { mimeType: 'image/png', data: 'bm8gcGljdHVyZQ==' } };
    const drawn = { thought: true, inlineData: { mimeType, data } };
    const parts =
      end === 'drafts' ? [thought, drawn] : [thought, { text: 'Here is a fox.' }, { inlineData: { mimeType, data } }];
    return { ...facts, candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] };
  }

  async function interaction(job: FakeJob, state: 'queued' | 'running' | 'over'): Promise<object> {
    const facts = { id: job.id, object: 'interaction', model: job.input.model };
    if (state !== 'over') return { ...facts, status: job.words.odd ?? 'in_progress' };
    const { end = 'ok', file } = job.words;
    const error = ERRORS[end];
    if (error !== undefined) return { ...facts, status: 'failed', errors: [error] };
    if (['cancelled', 'budget_exceeded', 'requires_action'].includes(end)) return { ...facts, status: end };
    const film =
      file === undefined
        ? { data: (await smallPicture).toString('base64') }
        : { uri: `${base}/files/${job.id}:download?alt=media` };
    const content = end === 'filtered' ? [] : [{ type: 'video', mime_type: 'video/mp4', ...film }];
    const steps = [{ type: 'user_input' }, { type: 'thought' }, { type: 'model_output', content }];
    const usage = {
      total_input_tokens: 10,
      input_tokens_by_modality: [{ modality: 'text', tokens: 10 }],
      total_output_tokens: 46_336,
      output_tokens_by_modality: [{ modality: 'video', tokens: 46_336 }],
      total_thought_tokens: 100,
      total_tokens: 46_446,
    };
    return { ...facts, status: 'completed', steps, usage };
  }

  const { jobs: made, counts, forget } = jobs;
  return { ...server, url: base, key: KEY, jobs: made, counts, uploads: new Map(), misplacedKeys: [], forget };
}
