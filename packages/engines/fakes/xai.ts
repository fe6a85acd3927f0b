import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { listedModels } from './listed-models.ts';

const KEY = 'xai-fake-0123456789';
const BUSY = { code: 'rate_limited', error: 'Too many requests for the team.' };
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, BUSY] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: {
    counted: false,
    answer: [403, { code: 'permission_denied', error: 'Your team has no credits left or reached its spending limit.' }],
  },
  denied: { counted: false, answer: [403, { code: 'permission_denied', error: 'The key lacks the permission.' }] },
  invalid: {
    counted: false,
    answer: [
      422,
      { error: { message: 'The prompt is too short', type: 'invalid_request_error', param: null, code: null } },
    ],
  },
  content: { counted: false, answer: [400, { error: 'The prompt was rejected by content moderation.' }] },
  overloaded: {
    counted: false,
    answer: [503, { code: 'unavailable', error: 'The service is currently unavailable. Please try again.' }],
  },
  internal: { counted: true, answer: [500, { code: 'internal', error: 'Internal error' }] },
};

const RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '1:2', '19.5:9', '9:19.5', '20:9', '9:20'];
const IMAGE: InputShape = {
  model: { type: 'string', required: true },
  prompt: { type: 'string', required: true },
  n: { type: 'integer', minimum: 1, maximum: 10 },
  aspect_ratio: { type: 'string', enum: RATIOS },
  resolution: { type: 'string', enum: ['1k', '2k'] },
  quality: { type: 'string', enum: ['low', 'medium', 'high'] },
  response_format: { type: 'string', enum: ['url', 'b64_json'] },
};
const FILM: InputShape = {
  model: { type: 'string', required: true },
  prompt: { type: 'string' },
  duration: { type: 'integer', enum: Array.from({ length: 15 }, (_, at) => at + 1) },
  aspect_ratio: { type: 'string', enum: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'] },
  resolution: { type: 'string', enum: ['480p', '720p', '1080p'] },
  generate_audio: { type: 'boolean' },
};

/** Opens a fake of Grok Imagine, from xAI's documentation and clients. */
export async function openFakeXai(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
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
      const given = headers.authorization?.replace('Bearer ', '');
      return reply(400, { code: 'invalid_argument', error: `Incorrect API key provided: ${given}.` });
    }
    if (method === 'GET' && path === '/v1/models')
      return reply(200, { data: listedModels('xai').map((id) => ({ id, object: 'model' })), object: 'list' });
    if (method === 'POST' && path === '/v1/images/generations') return picture(exchange, false);
    if (method === 'POST' && path === '/v1/images/edits') return picture(exchange, true);
    if (method === 'POST' && path === '/v1/videos/generations') return film(exchange);
    const job = jobs.jobs.get(decodeURIComponent(/^\/v1\/videos\/([^/]+)$/.exec(path)?.[1] ?? ''));
    if (method !== 'GET' || job === undefined) return reply(404, { code: 'not_found', error: 'Not found' });
    const state = jobs.poll(exchange, job);
    if (state !== null) standing(exchange, job, state);
  }

  function picture(exchange: Exchange, isEdit: boolean): undefined {
    const { image, images, ...input } = (exchange.json ?? {}) as Record<string, unknown>;
    const pictures = [images ?? image ?? []].flat().map((one) => addressOf(one, 'image_url'));
    const [wrong] = judgeInput(IMAGE, input);
    if (wrong !== undefined) return refuse(exchange, `${wrong.field}: ${wrong.message}`);
    if (!/^grok-imagine-image/.test(String(input.model))) {
      return exchange.reply(404, { code: 'not_found', error: `The model ${input.model} does not exist.` });
    }
    if (input.quality !== undefined && !String(input.model).endsWith('-2.0'))
      return refuse(exchange, 'quality: not here');
    if (isEdit !== pictures.length > 0 || pictures.length > 3)
      return refuse(exchange, 'images: one to three, in edits');
    if (pictures.includes(null)) return refuse(exchange, 'images: { url, type: "image_url" }');
    const job = take(exchange, input, pictures);
    if (job === null) return;
    const { end = 'ok' } = job.words;
    const one = { url: `${server.url}/files/${job.id}`, respect_moderation: true, revised_prompt: '' };
    const data = end === 'nothing' ? [] : [end === 'withheld' ? { url: '', respect_moderation: false } : one];
    exchange.reply(200, { data, usage: { cost_in_usd_ticks: 200_000_000 } });
  }

  function film(exchange: Exchange): undefined {
    const {
      image,
      reference_images: references = [],
      reference_audios: voices = [],
      ...input
    } = (exchange.json ?? {}) as Record<string, unknown>;
    const [wrong] = judgeInput(FILM, input);
    if (wrong !== undefined) return refuse(exchange, `${wrong.field}: ${wrong.message}`);
    const model = String(input.model);
    if (!/^grok-imagine-video(-|$)/.test(model)) {
      return exchange.reply(404, { code: 'not_found', error: `The model ${model} does not exist.` });
    }
    const list = references as unknown[];
    const pictures = [...(image === undefined ? [] : [image]), ...list].map((one) => addressOf(one));
    if (pictures.includes(null) || list.length > 7) return refuse(exchange, 'reference_images: at most seven { url }');
    if (image !== undefined && list.length > 0)
      return refuse(exchange, 'image and reference_images cannot be combined');
    const isNewer = model.includes('-1.5');
    const tiers = list.length > 0 || !isNewer ? ['480p', '720p'] : ['480p', '720p', '1080p'];
    if (!tiers.includes(String(input.resolution ?? '480p'))) return refuse(exchange, `resolution: ${tiers.join(', ')}`);
    const spoken = voices as Record<string, unknown>[];
    if (spoken.length > 0 && !isNewer) return refuse(exchange, 'reference_audios: not here');
    if (spoken.length > 3 || !spoken.every(({ voice_id: id, ...rest }) => typeof id === 'string' && isEmpty(rest))) {
      return refuse(exchange, 'reference_audios: at most three { voice_id }');
    }
    const job = take(exchange, input, pictures);
    if (job !== null) exchange.reply(200, { request_id: job.id });
  }

  function take(exchange: Exchange, input: Record<string, unknown>, pictures: readonly (string | null)[]) {
    const received = { ...input, ...(pictures.length === 0 ? {} : { pictures }) };
    return jobs.take(exchange, String(input.prompt), received, () => `request-${++orders}`);
  }

  function standing({ reply }: Exchange, job: FakeJob, state: 'queued' | 'running' | 'over'): undefined {
    // While the order is queued, the answer has no body at all.
    if (state === 'queued') return reply(202);
    if (state === 'running') {
      return reply(202, { status: job.words.odd ?? 'pending', progress: Math.min(99, job.polls * 10) });
    }
    const { end = 'ok' } = job.words;
    const video = { url: `${server.url}/files/${job.id}`, duration: 6, respect_moderation: end !== 'withheld' };
    if (end === 'failed') return reply(200, { status: end, error: { code: 'internal', message: 'The film broke.' } });
    if (end === 'moderated') {
      return reply(200, { status: 'failed', error: { code: 'x', message: 'Rejected by content moderation.' } });
    }
    if (end === 'expired') return reply(200, { status: 'expired' });
    if (end === 'bare') return reply(200, { video });
    reply(200, { status: 'done', ...(end === 'nothing' ? {} : { video }), model: 'fake', progress: 100 });
  }

  const { jobs: made, counts, forget } = jobs;
  const url = `${server.url}/v1`;
  return { ...server, url, key: KEY, jobs: made, counts, uploads: new Map(), misplacedKeys, forget };
}

function refuse({ reply }: Exchange, error: string): undefined {
  reply(422, { code: 'invalid_argument', error });
}

/** Returns the address in `{ url }`, with `type` for pictures; null if the value is something else. */
function addressOf(value: unknown, type?: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { url, type: given, ...rest } = value as Record<string, unknown>;
  const isAddress = typeof url === 'string' && /^(https?:\/\/|data:image\/[a-z]+;base64,)/.test(url);
  return isAddress && given === type && isEmpty(rest) ? (url as string) : null;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
