import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import type { Reply } from './fake-vendor.ts';
import { listedModels } from './listed-models.ts';
import { createFakeBatches } from './openai-batches.ts';
import { judgeMask, judgeTogether } from './openai-orders.ts';
import { smallPicture } from './small-picture.ts';

const KEY = 'sk-fake0123456789';
const fault = (message: string, type: string, code: string | null, param: string | null = null) => ({
  error: { message, type, param, code },
});
const BUSY = fault('Rate limit reached for images per minute.', 'requests', 'rate_limit_exceeded');
export const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, BUSY] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1', 'retry-after-ms': '1000' }] },
  /** Retry delay only in OpenAI's own header. */
  busyms: { counted: false, answer: [429, BUSY, { 'retry-after-ms': '1500' }] },
  forbidden: {
    counted: false,
    answer: [403, fault('Your organization must be verified to use the model.', 'invalid_request_error', null)],
  },
  overloaded: {
    counted: false,
    answer: [503, fault('The engine is currently overloaded.', 'service_unavailable', null)],
  },
  /** Retry decided by the header before the status, as in OpenAI's client. */
  inturn: { counted: false, answer: [409, fault('Try again.', 'conflict', null), { 'x-should-retry': 'true' }] },
  again: { counted: false, answer: [500, fault('Try again.', 'server_error', null), { 'x-should-retry': 'true' }] },
  never: {
    counted: true,
    answer: [503, fault('Do not try again.', 'server_error', null), { 'x-should-retry': 'false' }],
  },
  conflict: { counted: true, answer: [409, fault('The request could not be completed.', 'conflict', null)] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [
      429,
      fault(
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ),
    ],
  },
  limit: {
    counted: false,
    answer: [
      400,
      fault('Billing hard limit has been reached.', 'billing_limit_user_error', 'billing_hard_limit_reached'),
    ],
  },
  invalid: {
    counted: false,
    answer: [400, fault('The prompt is too short.', 'invalid_request_error', 'invalid_value', 'prompt')],
  },
  content: {
    counted: false,
    answer: [
      400,
      {
        error: {
          ...fault(
            'Your request was rejected by the safety system.',
            'image_generation_user_error',
            'moderation_blocked',
          ).error,
          moderation_details: { moderation_stage: 'input', categories: ['violence'] },
        },
      },
    ],
  },
  server: {
    counted: true,
    answer: [500, fault('The server had an error while processing your request.', 'server_error', null)],
  },
};

const COMMON: InputShape = {
  prompt: { type: 'string', required: true },
  model: { type: 'string', required: true },
  n: { type: 'integer', minimum: 1, maximum: 10 },
  size: { type: 'string' },
  quality: { type: 'string', enum: ['auto', 'low', 'medium', 'high'] },
  background: { type: 'string', enum: ['auto', 'opaque', 'transparent'] },
  output_format: { type: 'string', enum: ['png', 'jpeg', 'webp'] },
  output_compression: { type: 'integer' },
  stream: { type: 'boolean' },
  partial_images: { type: 'integer' },
  user: { type: 'string' },
  safety_identifier: { type: 'string' },
};
const GENERATION: InputShape = { ...COMMON, moderation: { type: 'string', enum: ['auto', 'low'] } };
const EDIT: InputShape = {
  ...COMMON,
  image: { type: 'urls', required: true },
  mask: { type: 'url' },
  input_fidelity: { type: 'string', enum: ['high', 'low'] },
};
const LARGER_QUALITY = { type: 'string', enum: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'] } as const;
const COMPLEXITY = { type: 'string', enum: ['low', 'medium', 'high'] } as const;
const NUMBERS = ['n', 'output_compression', 'partial_images'];

/** The call behind a path. */
interface ImagesCall {
  readonly path: string;
  /** The model, if the path names it. */
  readonly model?: string;
  /** Fields of a model that is not OpenAI's. */
  readonly takes?: InputShape;
}

/** Keys and model names of a server with OpenAI's images API. */
export interface ImagesDialect {
  readonly key: string;
  /** The path below the server that is the engine's base URL. */
  readonly base: string;
  readonly header: string;
  readonly credentials: (key: string) => string;
  readonly wrongKey: (given: string) => [number, unknown];
  readonly troubles: Readonly<Record<string, Trouble>>;
  callOf(exchange: Exchange): ImagesCall;
  readonly noModel: (model: string) => unknown;
  /** Whether the upstream has the Batch API too. */
  readonly hasBatches?: boolean;
}

const OPENAI: ImagesDialect = {
  key: KEY,
  hasBatches: true,
  base: '/v1',
  header: 'authorization',
  credentials: (key) => `Bearer ${key}`,
  wrongKey: (given) => {
    const message = `Incorrect API key provided: ${given.replace('Bearer ', '')}.`;
    return [401, fault(message, 'invalid_request_error', 'invalid_api_key')];
  },
  troubles: TROUBLES,
  callOf: ({ path }) => ({ path: path.replace(/^\/v1/, '') }),
  noModel: (model) =>
    fault(`The model '${model}' does not exist.`, 'invalid_request_error', 'model_not_found', 'model'),
};

/**
 * Opens a fake of OpenAI's images, from its specification and client. With `file=` in the prompt it returns an address,
 * as LocalAI does.
 */
export async function openFakeOpenAi(): Promise<FakeUpstream> {
  return await openFakeImages(OPENAI);
}

/** Opens a server with a dialect of OpenAI's images API. */
export async function openFakeImages(dialect: ImagesDialect): Promise<FakeUpstream> {
  const { key, header } = dialect;
  const jobs = createFakeJobs(dialect.troubles);
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);
  const batches = dialect.hasBatches === true ? createFakeBatches(jobs, (input) => judge(input, GENERATION, {})) : null;
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    const file = /^\/generated-images\/([^/]+)/.exec(path);
    if (file !== null) {
      if (headers[header] !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(file[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    const given = String(headers[header] ?? '');
    if (given !== dialect.credentials(key)) return reply(...dialect.wrongKey(given));
    const call = dialect.callOf(exchange);
    if (method === 'GET' && call.path === '/models') {
      return reply(200, {
        object: 'list',
        data: listedModels('openai').map((id) => ({ id, object: 'model', owned_by: 'system' })),
      });
    }
    if (batches !== null && (await batches.answer(exchange, call.path))) return;
    if (method === 'POST' && call.path === '/images/generations')
      return await order(exchange, exchange.json, GENERATION, call);
    if (method === 'POST' && call.path === '/images/edits')
      return await order(exchange, await readForm(exchange), EDIT, call);
    reply(404, fault(`Invalid URL (${method} ${path})`, 'invalid_request_error', null));
  }

  /** Validates the body of an order; null if it is valid. */
  async function judge(
    input: Readonly<Record<string, unknown>>,
    shape: InputShape,
    { model = String(input.model), takes }: Omit<ImagesCall, 'path'>,
  ): Promise<Reply | null> {
    const refuse = (message: string, code: string, param: string): Reply => {
      return [400, fault(message, 'invalid_request_error', code, param)];
    };
    if (takes === undefined && !model.startsWith('gpt-image-2')) return [404, dialect.noModel(model)];
    const isNewest = model.startsWith('gpt-image-2.6');
    const own = {
      ...(model.startsWith('gpt-image-2.') ? { quality: LARGER_QUALITY } : {}),
      ...(isNewest ? { complexity: COMPLEXITY } : {}),
    };
    const [first] = judgeInput(takes ?? { ...shape, ...own }, input);
    if (first !== undefined) {
      const code = { missing: 'missing_required_parameter', unknown: 'unknown_parameter' } as Record<string, string>;
      return refuse(first.message, code[first.kind] ?? 'invalid_value', first.field);
    }
    const wrong = judgeTogether(input) ?? (await judgeMask(input));
    return wrong === null ? null : refuse(wrong[1], 'invalid_value', wrong[0]);
  }

  async function order(exchange: Exchange, json: unknown, shape: InputShape, call: ImagesCall): Promise<undefined> {
    const { reply } = exchange;
    if (typeof json !== 'object' || json === null)
      return reply(400, fault('We could not parse the body.', 'invalid_request_error', 'invalid_json'));
    const input = json as Record<string, unknown>;
    const refused = await judge(input, shape, call);
    if (refused !== null) return reply(...refused);
    const job = jobs.take(exchange, String(input.prompt), input, () => String(++orders));
    if (job !== null) reply(200, await result(job));
  }

  async function result(job: FakeJob): Promise<Record<string, unknown>> {
    const { file, end } = job.words;
    const { quality: asked = 'auto' } = job.input;
    const quality = asked === 'auto' ? 'medium' : asked;
    const base = { created: 1_763_600_000, output_format: 'png', quality, size: '1024x1024' };
    if (end === 'nothing') return { ...base, data: [] };
    const picture =
      file === undefined
        ? { b64_json: (await smallPicture).toString('base64') }
        : { url: end === 'path' ? `/generated-images/${job.id}` : `${server.url}/generated-images/${job.id}` };
    const revised = end === 'revised' ? { revised_prompt: 'a red fox' } : {};
    const usage = {
      input_tokens: 50,
      input_tokens_details: { image_tokens: 40, text_tokens: 10 },
      output_tokens: 1756,
      output_tokens_details: { image_tokens: 1756, text_tokens: 0 },
      total_tokens: 1806,
    };
    return { ...base, data: [{ ...picture, ...revised }], usage };
  }

  const { jobs: made, counts, forget } = jobs;
  return {
    ...server,
    url: `${server.url}${dialect.base}`,
    key,
    jobs: made,
    counts,
    uploads: batches?.files ?? new Map(),
    misplacedKeys,
    forget,
  };
}

/**
 * Returns the fields of a form as JSON would have them: pictures as data URIs, numbers as numbers; undefined if it is
 * no form.
 */
async function readForm({ bytes, headers }: Exchange): Promise<Record<string, unknown> | undefined> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return undefined;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const input: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const given = value instanceof File ? await dataUri(value) : NUMBERS.includes(name) ? Number(value) : value;
    if (name === 'image' || name === 'image[]') input.image = [...((input.image as unknown[]) ?? []), given];
    else input[name] = given;
  }
  return input;
}

async function dataUri(file: File): Promise<string> {
  return `data:${file.type};base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`;
}
