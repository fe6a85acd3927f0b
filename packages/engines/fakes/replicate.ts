import { createHmac, randomBytes } from 'node:crypto';
import { createFakeCallbacks } from './fake-callbacks.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { listedModels } from './listed-models.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.from('fake secret of thirty-two bytes!').toString('base64')}`;
const TOKEN = 'r8_fake0123456789fake0123456789fake012345';
const BUSY = { detail: 'Request was throttled. Your rate limit resets in ~1s.' };
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, { detail: 'Request was throttled.' }] },
  /** Retry delay only in the text. */
  busytext: { counted: false, answer: [429, BUSY] },
  version: {
    counted: false,
    answer: [
      422,
      { title: 'Invalid version or not permitted', detail: 'The specified version does not exist', status: 422 },
    ],
  },
  busyfor: { counted: false, answer: [429, { ...BUSY, status: 429, retry_after: 1 }, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [
      402,
      { title: 'Insufficient credit', detail: 'You have insufficient credit to run this model.', status: 402 },
    ],
  },
  invalid: {
    counted: false,
    answer: [422, { title: 'Input validation failed', detail: '- input: prompt is too short\n', status: 422 }],
  },
};
const LONGEST_DATA_URL = 256_000;
const VERSION = /^(?:[0-9a-f]{64}|[\w-]+\/[\w.-]+(?::[0-9a-f]{64})?)$/;

const ERRORS: Readonly<Record<string, unknown>> = {
  nsfw: 'NSFW content detected. Try running it again, or try a different prompt.',
  sensitive: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
  invalid: 'Prompt is required (E006)',
  demand: 'Service is temporarily unavailable due to high demand (E003)',
  memory: 'CUDA out of memory (E001)',
  detail: { detail: 'The weights cannot be read' },
  faults: { detail: [{ loc: ['body', 'image'], msg: 'cannot be opened' }] },
  odd: { why: { because: 'out of luck' } },
};

/**
 * Opens a fake of Replicate's predictions, from its documentation and client.
 * @param models the inputs of models, by `owner/name`.
 */
export async function openFakeReplicate(models: Readonly<Record<string, InputShape>>): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const callbacks = createFakeCallbacks();
  const uploads = new Map<string, Buffer>();
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);
  const base = `${server.url}/v1`;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    const delivered = /^\/delivery\/([^/]+)/.exec(path);
    if (delivered !== null) {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(delivered[1] ?? '');
      return job === undefined
        ? reply(404, '')
        : await sendFile(exchange, job.words.file ?? 'webp', jobs.download(job));
    }
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      return reply(401, {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      });
    }
    if (path === '/v1/account' && method === 'GET') return reply(200, { type: 'organization', username: 'foxes' });
    if (path === '/v1/webhooks/default/secret' && method === 'GET') return reply(200, { key: WEBHOOK_SECRET });
    if (path === '/v1/files' && method === 'POST') return await keepFile(exchange);
    const created = /^\/v1\/(?:(models|deployments)\/([^/]+\/[^/]+)\/)?predictions$/.exec(path);
    if (created !== null && method === 'POST') return create(exchange, created[1] ?? null, created[2] ?? null);
    const [, described = ''] = /^\/v1\/models\/([^/]+\/[^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && (described in models || listedModels('replicate').includes(described))) {
      const [owner, name] = described.split('/');
      return reply(200, { owner, name, visibility: 'public' });
    }
    const one = /^\/v1\/predictions\/([^/]+)(\/cancel)?$/.exec(path);
    if (one === null)
      return reply(404, { title: 'Not found', detail: 'The requested resource could not be found.', status: 404 });
    const job = jobs.jobs.get(one[1] ?? '');
    if (job === undefined || job.words.end === 'gone') {
      return reply(404, { title: 'Prediction not found', detail: 'Prediction not found', status: 404 });
    }
    if (one[2] !== undefined && method === 'POST') {
      jobs.cancel(job);
      return reply(200, prediction(job, 'over'));
    }
    const state = jobs.poll(exchange, job);
    if (state !== null) reply(200, prediction(job, state));
  }

  async function keepFile({ bytes, headers, reply }: Exchange): Promise<undefined> {
    const type = headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const content = form?.get('content');
    if (!(content instanceof File)) return reply(422, { title: 'Invalid', detail: 'content is required', status: 422 });
    const address = `${base}/files/${randomBytes(12).toString('hex')}`;
    uploads.set(address, Buffer.from(await content.arrayBuffer()));
    reply(201, {
      id: address.split('/').at(-1),
      name: content.name,
      content_type: content.type,
      urls: { get: address },
    });
  }

  function create(exchange: Exchange, kind: string | null, name: string | null): undefined {
    const { json, reply } = exchange;
    const refuse = (detail: string, fields: readonly { type: string; field: string; description: string }[] = []) =>
      reply(422, { title: 'Input validation failed', detail, status: 422, invalid_fields: fields });
    if (typeof json !== 'object' || json === null) return refuse('- (root): the body is no JSON object\n');
    const { input, version, ...others } = json as Record<string, unknown>;
    const { webhook, webhook_events_filter: events } = others;
    // Without this filter, every line of a model's log causes a call.
    if (webhook !== undefined && String(events) !== 'completed') return refuse('- webhook_events_filter\n');
    const extra = Object.keys(others).find((key) => !['webhook', 'webhook_events_filter', 'stream'].includes(key));
    if (extra !== undefined) return refuse(`- (root): Additional property ${extra} is not allowed\n`);
    if ((kind === null) !== (version !== undefined)) return refuse('- version: belongs to POST /predictions alone\n');
    if (version !== undefined && !VERSION.test(String(version))) {
      return reply(422, {
        title: 'Invalid version or not permitted',
        detail: 'The specified version does not exist',
        status: 422,
      });
    }
    const model = name ?? String(version).split(':')[0] ?? '';
    const shape = models[model];
    if (shape === undefined)
      return reply(404, { title: 'Not found', detail: `The model ${model} could not be found.`, status: 404 });
    if (typeof input !== 'object' || input === null) return refuse('- input is required\n');
    const faults = judgeInput(shape, input as Record<string, unknown>);
    const long = Object.entries(input).find(([, value]) =>
      [value].flat().some((one) => typeof one === 'string' && one.startsWith('data:') && one.length > LONGEST_DATA_URL),
    );
    if (long !== undefined) faults.push({ field: long[0], kind: 'value', message: 'data URL is longer than 256 kB' });
    if (faults.length > 0) {
      return refuse(
        faults.map(({ field, message }) => `- input.${field}: ${message}\n`).join(''),
        faults.map(({ field, kind: type, message }) => ({ type, field: `input.${field}`, description: message })),
      );
    }
    const order = input as Record<string, unknown>;
    const job = jobs.take(exchange, String(order.prompt), order, () => randomBytes(13).toString('hex'));
    if (job === null) return;
    callbacks.promise(job, webhook, (state) =>
      state === 'running' ? null : { body: prediction(job, 'over'), headers: signed },
    );
    reply(201, prediction(job, 'queued'));
  }

  function prediction(job: FakeJob, state: 'queued' | 'running' | 'over'): Record<string, unknown> {
    const facts = {
      id: job.id,
      model: 'fakes/model',
      version: 'hidden',
      input: job.input,
      data_removed: false,
      error: null,
      source: 'api',
      created_at: '2026-11-20T10:00:00.000Z',
      urls: { get: `${base}/predictions/${job.id}`, cancel: `${base}/predictions/${job.id}/cancel` },
    };
    if (job.canceled) return { ...facts, status: 'canceled', logs: '', output: null };
    if (state === 'queued') return { ...facts, status: 'starting', logs: '', output: null };
    if (state === 'running') {
      const steps = Math.min(4, job.polls);
      const logs = `Using seed: 7\n${Array.from({ length: steps }, (_, step) => ` ${(step + 1) * 25}%|██ | ${step + 1}/4\n`).join('')}`;
      return { ...facts, status: job.words.odd ?? 'processing', logs, output: null };
    }
    const end = job.words.end ?? 'ok';
    const error = ERRORS[end];
    if (error !== undefined) return { ...facts, status: 'failed', error, logs: '', output: null };
    if (end === 'late') return { ...facts, status: 'aborted', error: 'Deadline exceeded', logs: '', output: null };
    if (end === 'aborted' || end === 'canceled') return { ...facts, status: end, logs: '', output: null };
    if (end === 'removed') return { ...facts, status: 'succeeded', data_removed: true, logs: '', output: null };
    const file = `${server.url}/delivery/${job.id}/out-0.webp`;
    const outputs: Readonly<Record<string, unknown>> = {
      string: file,
      object: { picture: file },
      words: 'I see a fox.',
    };
    return { ...facts, status: 'succeeded', logs: '', output: outputs[end] ?? [file], metrics: { predict_time: 1.2 } };
  }

  return {
    ...server,
    url: base,
    key: TOKEN,
    jobs: jobs.jobs,
    counts: jobs.counts,
    uploads,
    misplacedKeys,
    callbacks: callbacks.made,
    forget: jobs.forget,
  };
}

/** Signs a body according to Standard Webhooks. */
function signed(body: string): Record<string, string> {
  const [id, seconds] = [`msg_${randomBytes(8).toString('hex')}`, String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
