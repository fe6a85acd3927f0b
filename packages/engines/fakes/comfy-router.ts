import { ROUTER_INPUTS, UNPROVEN } from './comfy-router-inputs.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, judgeInput } from './fake-upstream.ts';
import { promptIn } from './fake-vendor.ts';
import { listedModels } from './listed-models.ts';

const KEY = 'comfyui-fake-0123456789';
const fault = (status: number, type: string, detail: unknown, more: Readonly<Record<string, string>> = {}) =>
  [
    status,
    { detail, ...(status === 422 ? {} : { error_type: type }) },
    { 'x-comfy-error-type': type, ...more },
  ] as const;
/** Entries per page; a page may be shorter than was requested. */
const PAGE = 10;
const BUSY = 'The request allowance is used up.';
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: fault(429, 'rate_limited', BUSY) },
  busyfor: { counted: false, answer: fault(429, 'rate_limited', BUSY, { 'retry-after': '1' }) },
  busyuntil: {
    counted: false,
    answer: fault(429, 'rate_limited', BUSY, {
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT',
    }),
  },
  backlog: { counted: false, answer: fault(429, 'queue_backlog_full', 'Too many requests wait.') },
  billing: { counted: false, answer: fault(402, 'insufficient_credits', 'The workspace has not enough credits.') },
  denied: { counted: false, answer: fault(403, 'forbidden', 'The workspace may not use this model.') },
  disabled: { counted: false, answer: fault(403, 'not_enabled', 'This model cannot be queued.') },
  invalid: {
    counted: false,
    answer: fault(422, 'invalid_input', [
      { loc: ['body', 'prompt'], msg: 'The prompt is too short', type: 'too_short' },
    ]),
  },
  internal: { counted: true, answer: fault(500, 'internal_error', 'The Router failed.') },
  unavailable: { counted: true, answer: fault(503, 'service_unavailable', 'A service is away.') },
};
const ENDS: Readonly<Record<string, readonly [type: string, detail: string]>> = {
  content: ['content_policy_violation', 'The provider refused the prompt.'],
  failed: ['provider_error', 'The provider could not make it.'],
  late: ['provider_timeout', 'The provider did not answer.'],
  cancelled: ['cancelled', 'It was withdrawn.'],
};

/** Results of finished orders by provider, with the file's address. */
const RESULTS: Readonly<Record<string, (url: string) => object>> = {
  bfl: (sample) => ({ id: 'a', status: 'Ready', result: { sample, seed: 7 } }),
  fal: (url) => ({ video: { url, content_type: 'video/mp4' } }),
  ideogram: (url) => ({ data: [{ url, is_image_safe: true, seed: 7 }] }),
  krea: (url) => ({ job_id: 'a', status: 'completed', result: { urls: [url] } }),
  luma_2: (url) => ({ id: 'a', state: 'completed', output: [{ type: 'image', url }] }),
  minimax: (url) => ({ task: { id: 'a', status: 'succeeded', content: { url } } }),
  openai: (url) => ({ data: [{ url }] }),
  pixverse: (url) => ({ ErrCode: 0, ErrMsg: 'Success', Resp: { status: 1, url } }),
  pruna: (generation_url) => ({ status: 'succeeded', generation_url }),
  qwen: (image) => ({ output: { choices: [{ message: { content: [{ image }] } }] } }),
  recraft: (url) => ({ data: [{ image_id: 'a', url }] }),
  runway: (url) => ({ id: 'a', status: 'SUCCEEDED', output: [url] }),
  veo: (gcsUri) => ({ done: true, response: { videos: [{ gcsUri, mimeType: 'video/mp4' }] } }),
  vertexai: (fileUri) => ({ candidates: [{ content: { parts: [{ text: 'Here.' }, { fileData: { fileUri } }] } }] }),
  wan: (video_url) => ({ output: { task_status: 'SUCCEEDED', video_url } }),
};

function resultOf(model: string, url: string): object {
  const [provider = ''] = model.split('/');
  if (provider === 'byteplus')
    return model.includes('seedream') ? { data: [{ url }] } : { content: { video_url: url } };
  if (provider === 'xai') return model.includes('video') ? { status: 'done', video: { url } } : { data: [{ url }] };
  if (provider === 'kling') {
    return model.endsWith('turbo')
      ? { code: 0, data: [{ id: 'a', status: 'succeeded', outputs: [{ url }] }] }
      : { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ url }] } } };
  }
  return RESULTS[provider]?.(url) ?? {};
}

/** Opens a fake of Comfy Router's queue, from its documentation and its Python client (comfy-sdk 0.5.0). */
export async function openFakeComfyRouter(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const misplacedKeys: string[] = [];
  /** Requests by idempotency key. */
  const requests = new Map<string, { readonly asked: string; readonly id: string }>();
  const server = await openFakeServer(answer);
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    const file = /^\/files\/([^/]+)/.exec(path);
    if (file !== null) {
      if (headers['x-api-key'] !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(file[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    const given = headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '');
    if (given !== KEY) return reply(...fault(401, 'unauthorized', `The key ${given} is not valid.`));
    if (method === 'GET' && path === '/v2/models') {
      const all = new Set([...listedModels('comfy-router'), ...Object.keys(ROUTER_INPUTS), ...Object.keys(UNPROVEN)]);
      const first = Number(exchange.query.get('cursor') ?? 0);
      if (exchange.query.get('cursor') === '') return reply(...fault(400, 'invalid_input', 'The cursor is malformed.'));
      const data = [...all].slice(first, first + PAGE).map((id) => ({
        id,
        billing: { charges_on_policy_rejection: 'unknown' },
      }));
      const more = first + PAGE < all.size ? { has_more: true, next_cursor: `${first + PAGE}` } : { has_more: false };
      return reply(200, { data, ...more, limit: PAGE });
    }
    const [, model = '', id, call] =
      /^\/v2\/models\/([^/]+\/[^/]+)\/requests(?:\/([^/]+)(?:\/(status|cancel))?)?$/.exec(path) ?? [];
    if (method === 'POST' && model !== '' && id === undefined) return take(exchange, model);
    const job = jobs.jobs.get(decodeURIComponent(id ?? ''));
    if (job === undefined) return reply(...fault(404, 'request_not_found', 'No such request.'));
    if (method === 'GET' && call === 'status') return status(exchange, job);
    if (method === 'GET' && call === undefined) return result(exchange, job, model);
    if (method === 'PUT' && call === 'cancel') {
      jobs.cancel(job);
      return reply(202, { status: 'CANCELLATION_REQUESTED' });
    }
    reply(...fault(404, 'request_not_found', `no ${method} ${path}`));
  }

  function take(exchange: Exchange, model: string): undefined {
    const input = (exchange.json ?? {}) as Record<string, unknown>;
    const shape = ROUTER_INPUTS[model]?.shape ?? UNPROVEN[model];
    if (shape === undefined) return exchange.reply(...fault(404, 'model_not_found', `${model} runs nothing.`));
    const wrong = judgeInput(shape, input).map(({ field, message }) => ({
      loc: ['body', ...field.split('.')],
      msg: message,
    }));
    if (wrong.length > 0) return exchange.reply(...fault(422, 'invalid_input', wrong));
    const key = String(exchange.headers['idempotency-key'] ?? '');
    if (!/^.{1,255}$/.test(key))
      return exchange.reply(...fault(400, 'invalid_input', 'Idempotency-Key: 1 to 255 characters.'));
    const asked = `${exchange.path} ${exchange.bytes.toString()}`;
    const earlier = requests.get(key);
    if (earlier !== undefined) {
      if (earlier.asked !== asked)
        return exchange.reply(...fault(409, 'invalid_input', 'The key is of another request.'));
      return exchange.reply(201, handleOf(model, earlier.id), { 'idempotent-replayed': 'true' });
    }
    let named = `request-${++orders}`;
    const prompt = promptIn(input);
    const job = jobs.take(exchange, prompt, { prompt, ...input }, () => named);
    if (job !== null) named = job.id;
    if (jobs.jobs.has(named)) requests.set(key, { asked, id: named });
    if (job !== null) exchange.reply(201, handleOf(model, named));
  }

  function handleOf(model: string, id: string): object {
    const url = `${server.url}/v2/models/${model}/requests/${id}`;
    return {
      request_id: id,
      status: 'IN_QUEUE',
      response_url: url,
      status_url: `${url}/status`,
      cancel_url: `${url}/cancel`,
    };
  }

  function status(exchange: Exchange, job: FakeJob): undefined {
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    const base = { request_id: job.id };
    if (state === 'queued') return exchange.reply(200, { ...base, status: 'IN_QUEUE', queue_position: 1 });
    if (state === 'running') return exchange.reply(200, { ...base, status: job.words.odd ?? 'IN_PROGRESS' });
    const [error_type, detail] = ENDS[job.canceled ? 'cancelled' : (job.words.end ?? '')] ?? [];
    exchange.reply(200, { ...base, status: 'COMPLETED', ...(error_type === undefined ? {} : { error_type, detail }) });
  }

  function result({ reply }: Exchange, job: FakeJob, model: string): undefined {
    const { end } = job.words;
    if (end === 'nothing') return reply(200, { data: [] });
    if (end === 'withheld') return reply(200, { data: [{ is_image_safe: false }] });
    reply(200, resultOf(model, `${server.url}/files/${job.id}`));
  }

  const { jobs: made, counts, forget } = jobs;
  return { ...server, key: KEY, jobs: made, counts, uploads: new Map(), misplacedKeys, forget };
}
