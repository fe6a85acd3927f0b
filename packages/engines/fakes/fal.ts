import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createFakeCallbacks } from './fake-callbacks.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';

const KEY = 'fal-key-id:fal-key-secret';
const BUSY = { detail: 'Too many requests. Please slow down.' };
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, BUSY] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [
      403,
      { detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.' },
    ],
  },
  overloaded: { counted: false, answer: [503, { detail: 'Service temporarily unavailable.' }] },
  locked: { counted: false, answer: [403, { detail: 'Your account has been locked.' }] },
  forbidden: { counted: false, answer: [403, { detail: 'Forbidden' }] },
  downstream: {
    counted: false,
    answer: [400, { detail: [{ loc: ['body'], msg: 'Downstream service error', type: 'downstream_service_error' }] }],
  },
  invalid: {
    counted: false,
    answer: [
      422,
      {
        detail: [{ loc: ['body', 'prompt'], msg: 'The prompt is too short', type: 'sequence_too_short' }],
      },
    ],
  },
  content: {
    counted: false,
    answer: [
      422,
      {
        detail: [
          {
            loc: ['body', 'prompt'],
            msg: 'The content could not be processed because it contained material flagged by a content checker.',
            type: 'content_policy_violation',
          },
        ],
      },
    ],
  },
};

/** The results that are errors: status and body at the address of the result. */
const FAILURES: Readonly<Record<string, readonly [number, unknown]>> = {
  content: [
    422,
    {
      detail: [
        {
          loc: ['body', 'prompt'],
          msg: 'The content was flagged by a content checker.',
          type: 'content_policy_violation',
        },
      ],
    },
  ],
  badimage: [
    422,
    { detail: [{ loc: ['body', 'image_url'], msg: 'Could not load the image.', type: 'image_load_error' }] },
  ],
  crashed: [500, { detail: [{ loc: ['body'], msg: 'Internal server error', type: 'internal_server_error' }] }],
  slow: [504, { detail: [{ loc: ['body'], msg: 'Generation timed out', type: 'generation_timeout' }] }],
  runner: [503, { detail: 'Runner disconnected', error_type: 'runner_disconnected' }],
  startup: [504, { detail: 'Startup timed out', error_type: 'startup_timeout' }],
  text: [400, { detail: 'the prompt is beyond me' }],
};

/**
 * Opens a fake of fal's queue, from its documentation.
 * @param models the inputs of models, by their full id.
 * @param promptFor returns the prompt by whose words an order without one is treated; the default says nothing.
 */
export async function openFakeFal(
  models: Readonly<Record<string, InputShape>>,
  promptFor: (model: string) => string = String,
): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const callbacks = createFakeCallbacks();
  const signing = generateKeyPairSync('ed25519');
  const uploads = new Map<string, Buffer>();
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);
  const { url } = server;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    const file = /^\/files\/([^/]+)/.exec(path);
    if (file !== null || path.startsWith('/put/')) {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      if (path.startsWith('/put/')) {
        uploads.set(`${url}/uploaded/${path.slice(5)}`, exchange.bytes);
        return reply(200, '');
      }
      const job = jobs.jobs.get(file?.[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (path === '/.well-known/jwks.json') {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      return reply(200, { keys: [{ ...signing.publicKey.export({ format: 'jwk' }), kid: 'fake' }] });
    }
    if (headers.authorization === undefined)
      return reply(401, { detail: 'Cannot access application. Authentication is required' });
    if (headers.authorization !== `Key ${KEY}`) return reply(401, { detail: 'No user found for Key ID and Secret' });
    if (method === 'POST' && path === '/storage/upload/initiate') return initiate(exchange);
    if (method === 'GET' && path === '/v1/models') return list(exchange);
    const request = /^\/([^/]+\/[^/]+)\/requests\/([^/]+)(\/status|\/cancel)?$/.exec(path);
    if (request !== null) return onRequest(exchange, request[1] ?? '', request[2] ?? '', request[3] ?? '');
    if (method === 'POST') return submit(exchange, path.slice(1));
    reply(405, { detail: 'Method Not Allowed' });
  }

  /** Lists the known ids; 404 if none is known. fal's documentation leaves open which of the two it does. */
  function list({ query, reply }: Exchange): undefined {
    const ids = query.getAll('endpoint_id');
    if (ids.length > 50) return reply(422, { error: { type: 'validation_error', message: 'At most 50 ids' } });
    const found = ids.filter((id) => id in models);
    if (found.length === 0) return reply(404, { error: { type: 'not_found', message: 'No such model' } });
    const entries = found.map((id) => ({ endpoint_id: id, metadata: { display_name: id, status: 'active' } }));
    reply(200, { models: entries, next_cursor: null, has_more: false });
  }

  function initiate({ json, headers, reply }: Exchange): undefined {
    const { file_name, content_type } = json as Record<string, unknown>;
    // fal would keep the file forever, so our requests must always state a lifetime.
    if (!/"expiration_duration_seconds":\d+/.test(String(headers['x-fal-object-lifecycle'])))
      return reply(422, { detail: 'x-fal-object-lifecycle' });
    if (typeof file_name !== 'string' || typeof content_type !== 'string')
      return reply(422, { detail: 'file_name and content_type' });
    const name = randomUUID();
    reply(200, { file_url: `${url}/uploaded/${name}`, upload_url: `${url}/put/${name}` });
  }

  function submit(exchange: Exchange, model: string): undefined {
    const { json, headers, reply } = exchange;
    const shape = models[model];
    if (shape === undefined) return reply(404, { detail: `Application '${model.split('/')[1]}' not found` });
    if (!headers['content-type']?.startsWith('application/json') || typeof json !== 'object' || json === null) {
      return reply(422, { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] });
    }
    // Without this header, fal repeats failed requests by itself.
    if (headers['x-fal-no-retry'] !== '1') return reply(422, { detail: 'x-fal-no-retry' });
    const input = json as Record<string, unknown>;
    const faults = judgeInput(shape, input);
    if (faults.length > 0) {
      const type = { missing: 'missing', unknown: 'extra_forbidden', type: 'type_error', value: 'one_of' };
      return reply(422, {
        detail: faults.map(({ field, kind, message }) => ({
          loc: ['body', ...field.split('.')],
          msg: message,
          type: type[kind],
        })),
      });
    }
    const job = jobs.take(exchange, String(input.prompt ?? promptFor(model)), input, () => randomUUID());
    if (job === null) return;
    const webhook = exchange.query.get('fal_webhook');
    if (webhook === null) return reply(200, { status: 'IN_QUEUE', ...addresses(job, appOf(model)), queue_position: 0 });
    callbacks.promise(job, webhook, (state) =>
      state === 'running'
        ? null
        : { body: { request_id: job.id, gateway_request_id: job.id, status: 'OK', payload: {} }, headers: signed },
    );
    // Without the addresses, as on its page about webhooks.
    reply(200, { request_id: job.id, gateway_request_id: job.id });
  }

  function onRequest(exchange: Exchange, app: string, id: string, part: string): undefined {
    const { method, reply } = exchange;
    const job = jobs.jobs.get(id);
    if (job === undefined) {
      return part === '/cancel' ? reply(404, { status: 'NOT_FOUND' }) : reply(404, { detail: 'Request not found' });
    }
    const isOver = jobs.isOver(job);
    if (part === '/status' && method === 'GET') return status(exchange, job, app);
    if (part === '/cancel' && method === 'PUT') {
      if (isOver) return reply(400, { status: 'ALREADY_COMPLETED' });
      jobs.cancel(job);
      return reply(202, { status: 'CANCELLATION_REQUESTED' });
    }
    if (part === '' && method === 'GET') {
      return isOver ? result(exchange, job) : reply(400, { detail: 'Request is still in progress' });
    }
    reply(405, { detail: 'Method Not Allowed' });
  }

  function status(exchange: Exchange, job: FakeJob, app: string): undefined {
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    const facts = addresses(job, app);
    if (state === 'queued') return exchange.reply(202, { status: 'IN_QUEUE', ...facts, queue_position: 0 });
    if (state === 'running') {
      return exchange.reply(202, {
        status: job.words.odd === undefined ? 'IN_PROGRESS' : job.words.odd,
        ...facts,
        logs: null,
      });
    }
    if (job.words.end === 'gone') return exchange.reply(404, { detail: 'Request not found' });
    const failure = job.canceled ? { error: 'Request cancelled by the client', error_type: 'client_cancelled' } : {};
    const told =
      job.words.end === 'runner' ? { error: 'Runner disconnected', error_type: 'runner_disconnected' } : failure;
    exchange.reply(200, { status: 'COMPLETED', ...facts, metrics: { inference_time: 1.5 }, ...told });
  }

  function result({ reply }: Exchange, job: FakeJob): undefined {
    if (job.canceled) return reply(499, { detail: 'Request cancelled', error_type: 'client_cancelled' });
    const failure = FAILURES[job.words.end ?? ''];
    if (failure !== undefined) return reply(...failure);
    const file = { url: `${url}/files/${job.id}/0.png`, width: 48, height: 32, content_type: 'image/png' };
    const told = { 'x-fal-billable-units': '1.5' };
    if (job.words.end === 'film') return reply(200, { video: file }, told);
    if (job.words.end === 'single') return reply(200, { image: file, seed: 7 }, told);
    if (job.words.end === 'nothing') return reply(200, { images: [], seed: 7 });
    const has_nsfw_concepts = [job.words.end === 'nsfw'];
    const body = {
      images: [file],
      seed: 4_294_967_295,
      timings: { inference: 1 },
      has_nsfw_concepts,
      prompt: job.input.prompt,
    };
    reply(200, body, told);
  }

  function addresses(job: FakeJob, app: string) {
    // If the service is reached by another address, it still returns its own.
    const own = job.words.end === 'elsewhere' ? 'https://queue.fal.run' : url;
    const base = `${own}/${app}/requests/${job.id}`;
    return { request_id: job.id, response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` };
  }

  function signed(body: string): Record<string, string> {
    const [id, user, seconds] = [randomUUID(), 'fake-user', String(Math.floor(Date.now() / 1000))];
    const text = [id, user, seconds, createHash('sha256').update(body).digest('hex')].join('\n');
    return {
      'x-fal-webhook-request-id': id,
      'x-fal-webhook-user-id': user,
      'x-fal-webhook-timestamp': seconds,
      'x-fal-webhook-signature': sign(null, Buffer.from(text), signing.privateKey).toString('hex'),
    };
  }

  return {
    ...server,
    key: KEY,
    jobs: jobs.jobs,
    counts: jobs.counts,
    uploads,
    misplacedKeys,
    callbacks: callbacks.made,
    forget: jobs.forget,
  };
}

function appOf(model: string): string {
  return model.split('/').slice(0, 2).join('/');
}
