import { createFakeCallbacks } from './fake-callbacks.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';

const KEY = 'ark-fake-0123456789';
const TASKS = '/api/v3/contents/generations/tasks';
const fault = (code: string, message: string, type = 'BadRequest', param = '') => ({
  error: { code, message, param, type },
  request_id: 'fake-request',
});
const BUSY = fault('ModelAccountRpmRateLimitExceeded', 'The requests of the account are too many.', 'TooManyRequests');
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, fault('ServerOverloaded', 'The service is overloaded.', 'TooManyRequests')] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [403, fault('AccountOverdueError', 'Your account has an overdue balance.', 'Forbidden')],
  },
  denied: { counted: false, answer: [403, fault('AccessDenied', 'No access to the model.', 'Forbidden')] },
  loading: { counted: false, answer: [429, fault('ModelLoadingError', 'The model is loading.', 'TooManyRequests')] },
  rate: {
    counted: false,
    answer: [429, fault('RateLimitExceeded.EndpointRPMExceeded', 'Too many requests.', 'TooManyRequests')],
  },
  setlimit: {
    counted: false,
    answer: [429, fault('SetLimitExceeded', 'The set limit is reached.', 'TooManyRequests')],
  },
  quota: { counted: false, answer: [429, fault('QuotaExceeded', 'The free quota is used up.', 'TooManyRequests')] },
  invalid: { counted: false, answer: [400, fault('InvalidParameter', 'The prompt is too short.')] },
  content: {
    counted: false,
    answer: [400, fault('InputTextSensitiveContentDetected', 'The text may contain sensitive information.')],
  },
  closed: { counted: false, answer: [404, fault('ModelNotOpen', 'The model is not activated.', 'NotFound')] },
  internal: {
    counted: true,
    answer: [500, fault('InternalServiceError', 'An unexpected error occurred.', 'InternalServerError')],
  },
};

const IMAGE: InputShape = {
  model: { type: 'string', required: true },
  prompt: { type: 'string', required: true },
  image: { type: 'urls' },
  size: { type: 'string' },
  response_format: { type: 'string', enum: ['url', 'b64_json'] },
  watermark: { type: 'boolean' },
  sequential_image_generation: { type: 'string', enum: ['auto', 'disabled'] },
};
const FORMAT = { output_format: { type: 'string', enum: ['png', 'jpeg'] } } as const;
const BACKGROUND = { background: { type: 'string', enum: ['auto', 'opaque', 'transparent'] } } as const;
const FILM: InputShape = {
  model: { type: 'string', required: true },
  resolution: { type: 'string', enum: ['480p', '720p', '1080p', '4k'] },
  ratio: { type: 'string', enum: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'] },
  duration: { type: 'integer' },
  watermark: { type: 'boolean' },
  generate_audio: { type: 'boolean' },
  return_last_frame: { type: 'boolean' },
  callback_url: { type: 'url' },
};
/** Fields that versions 2.x refuse. */
const FILM_OF_ONE = { seed: { type: 'integer' }, camera_fixed: { type: 'boolean' } } as const;
/** Items of `content` besides text, by the field with the address, each with its roles. */
const MEDIA: Readonly<Record<string, readonly string[]>> = {
  image_url: ['first_frame', 'last_frame', 'reference_image'],
  video_url: ['reference_video'],
  audio_url: ['reference_audio'],
};
const FAILURES: Readonly<Record<string, readonly [string, string]>> = {
  content: ['OutputVideoSensitiveContentDetected.PolicyViolation', 'The film may contain sensitive information.'],
  broken: ['InternalServiceError', 'The film could not be made.'],
};

/** Opens a fake of Seedream and Seedance on ModelArk, from its documentation and Python client. */
export async function openFakeArk(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const callbacks = createFakeCallbacks();
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    const file = /^\/files\/([^/]+)/.exec(path);
    if (file !== null) {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(file[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (headers.authorization !== `Bearer ${KEY}`) {
      const message = `The API key ${headers.authorization?.replace('Bearer ', '')} is not valid.`;
      return reply(401, fault('AuthenticationError', message, 'Unauthorized'));
    }
    if (method === 'POST' && path === '/api/v3/images/generations') return picture(exchange);
    if (method === 'POST' && path === TASKS) return film(exchange);
    if (method === 'GET' && path === TASKS) return reply(200, { total: 0, items: [] });
    const id = path.startsWith(`${TASKS}/`) ? decodeURIComponent(path.slice(TASKS.length + 1)) : null;
    if (id === null || method !== 'GET') return reply(404, fault('NotFound', `no ${method} ${path}`, 'NotFound'));
    const job = jobs.jobs.get(id);
    if (job === undefined) return reply(404, fault('ResourceNotFound', `The task ${id} is not found.`, 'NotFound'));
    const state = jobs.poll(exchange, job);
    if (state !== null) reply(200, task(job, state));
  }

  function picture(exchange: Exchange): undefined {
    const input = (exchange.json ?? {}) as Record<string, unknown>;
    const model = String(input.model);
    const isFive = model.includes('seedream-5');
    const isNewest = model.includes('seedream-5-5');
    const shape = { ...IMAGE, ...(isFive ? FORMAT : {}), ...(isNewest ? BACKGROUND : {}) };
    const [wrong] = judgeInput(shape, input);
    if (!model.includes('seedream')) return noModel(exchange, model);
    if (wrong !== undefined) return refuse(exchange, wrong.field, wrong.message);
    const [width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(String(input.size)) ?? []).slice(1).map(Number);
    const isSmall = isNewest || /-(pro|flash)-/.test(model);
    const [least, most] = isSmall ? [921_600, 4_624_220] : [3_686_400, 16_777_216];
    if (input.size !== undefined && width * height < least) return refuse(exchange, 'size', 'too few pixels');
    if (width * height > most) return refuse(exchange, 'size', 'too many pixels');
    if (Math.max(width / height, height / width) > 16) return refuse(exchange, 'size', 'too long');
    const pictures = (input.image as unknown[] | undefined)?.length ?? 0;
    if (input.background === 'transparent' && input.output_format === 'jpeg')
      return refuse(exchange, 'background', 'a transparent background needs png');
    if (pictures > (isSmall ? 10 : 14)) return refuse(exchange, 'image', 'too many pictures');
    const job = jobs.take(exchange, String(input.prompt), input, () => `picture-${++orders}`);
    if (job === null) return;
    const { end } = job.words;
    const facts = { model, created: 1_763_600_000, usage: { generated_images: 1, output_tokens: 4096 } };
    if (end === 'content' || end === 'broken') {
      const [code, message] = FAILURES[end] ?? [];
      return exchange.reply(200, { ...facts, data: [{ error: { code, message } }] });
    }
    if (end === 'nothing') return exchange.reply(200, { ...facts, data: [] });
    exchange.reply(200, { ...facts, data: [{ url: `${server.url}/files/${job.id}/0.png`, size: '2048x2048' }] });
  }

  function film(exchange: Exchange): undefined {
    const { content, ...input } = (exchange.json ?? {}) as Record<string, unknown>;
    if (!String(input.model).includes('seedance')) return noModel(exchange, String(input.model));
    const isOne = String(input.model).includes('-1-');
    const [wrong] = judgeInput(isOne ? { ...FILM, ...FILM_OF_ONE } : FILM, input);
    if (wrong !== undefined) return refuse(exchange, wrong.field, wrong.message);
    const { duration, resolution = '720p' } = input;
    const isFive = String(input.model).includes('2-5');
    const tiers = isFive ? ['480p', '720p', '1080p'] : ['480p', '720p', '1080p', '4k'];
    const isSmall = /-(fast|mini)-/.test(String(input.model));
    if (!(isSmall ? ['480p', '720p'] : tiers).includes(String(resolution)))
      return refuse(exchange, 'resolution', String(resolution));
    const most = isFive ? 30 : isOne ? 12 : 15;
    if (isOne && resolution === '4k') return refuse(exchange, 'resolution', '4k');
    if (duration !== undefined && duration !== -1 && (Number(duration) < 4 || Number(duration) > most)) {
      return refuse(exchange, 'duration', `4 to ${most}`);
    }
    if (!Array.isArray(content) || content.length === 0) return refuse(exchange, 'content', 'is required');
    let text = '';
    const pictures: string[] = [];
    for (const item of content as Record<string, unknown>[]) {
      const { type, role, ...rest } = item;
      if (type === 'text' && typeof rest.text === 'string') {
        text = rest.text;
        continue;
      }
      const { url } = (rest[String(type)] ?? {}) as { url?: unknown };
      const isKnown = MEDIA[String(type)]?.includes(String(role)) === true && Object.keys(rest).length === 1;
      const isData = typeof url === 'string' && /^data:image\/[a-z]+;base64,/.test(url);
      const isAddress = typeof url === 'string' && /^https?:\/\//.test(url);
      if (!isKnown || !(isAddress || (isData && type === 'image_url'))) {
        return refuse(exchange, 'content', `${String(type)} as ${String(role)} cannot be used`);
      }
      pictures.push(url as string);
    }
    const wrongMedia = judgeMedia(
      (content as { role?: string }[]).map(({ role }) => role ?? 'text'),
      isFive,
    );
    if (wrongMedia !== null) return refuse(exchange, 'content', wrongMedia);
    const shown = pictures.length === 0 ? {} : { pictures };
    const job = jobs.take(exchange, text, { ...input, prompt: text, ...shown }, () => `cgt-2026-${++orders}`);
    if (job === null) return;
    callbacks.promise(job, input.callback_url, (state) => ({ body: task(job, state) }));
    exchange.reply(200, { id: job.id });
  }

  function task(job: FakeJob, state: 'queued' | 'running' | 'over'): Record<string, unknown> {
    const facts = { id: job.id, model: job.input.model, error: null, created_at: 1, updated_at: 2, seed: 7 };
    if (state === 'queued') return { ...facts, status: 'queued' };
    if (state === 'running') return { ...facts, status: job.words.odd ?? 'running' };
    const end = job.words.end ?? 'ok';
    const failure = FAILURES[end];
    if (failure !== undefined) {
      return { ...facts, status: 'failed', error: { code: failure[0], message: failure[1] } };
    }
    if (end === 'expired' || end === 'cancelled') return { ...facts, status: end };
    if (end === 'nothing') return { ...facts, status: 'succeeded', content: {} };
    const content = { video_url: `${server.url}/files/${job.id}/0.mp4` };
    return { ...facts, status: 'succeeded', content, usage: { completion_tokens: 108_900, total_tokens: 108_900 } };
  }

  const { jobs: made, counts, forget } = jobs;
  const url = `${server.url}/api/v3`;
  const facts = { key: KEY, jobs: made, counts, uploads: new Map(), misplacedKeys, callbacks: callbacks.made, forget };
  return { ...server, url, ...facts };
}

/** Returns the fault of an order's media; null if there is none. Frames and references exclude each other. */
function judgeMedia(roles: readonly string[], isFive: boolean): string | null {
  const count = (role: string) => roles.filter((one) => one === role).length;
  const [first, last, sounds] = [count('first_frame'), count('last_frame'), count('reference_audio')];
  const [pictures, films] = [count('reference_image'), count('reference_video')];
  const references = pictures + films + sounds;
  if (first > 1 || last > first) return 'a last frame needs a first one, and there is one of each';
  if (first > 0 && references > 0) return 'frames and references cannot be combined';
  if (isFive) return pictures > 30 || references > 50 ? 'too many references' : null;
  if (sounds > 0 && sounds === references) return 'a sound cannot be the only reference';
  return pictures > 9 || films > 3 || sounds > 3 || references > 12 ? 'too many references' : null;
}

function refuse({ reply }: Exchange, field: string, message: string): undefined {
  reply(400, fault('InvalidParameter', `The parameter ${field} is not valid: ${message}`, 'BadRequest', field));
}

function noModel({ reply }: Exchange, model: string): undefined {
  reply(404, fault('InvalidEndpointOrModel.NotFound', `The model ${model} does not exist.`, 'NotFound'));
}
