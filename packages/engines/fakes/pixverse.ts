import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { rateLimits } from './fake-vendor.ts';
import { flag, from, needed, oneOf, SEED_31 } from './input-fields.ts';

const KEY = 'sk-pixverse-fake0123456789';
const told = (ErrCode: number, ErrMsg: string, Resp: object | null = null): object => ({ ErrCode, ErrMsg, Resp });
const refused = (code: number, message: string): Trouble => ({ counted: false, answer: [200, told(code, message)] });
const TROUBLES: Readonly<Record<string, Trouble>> = {
  ...rateLimits(429, told(500044, 'Reached the limit for concurrent generations.')),
  limit: refused(500044, 'Reached the limit for concurrent generations.'),
  billing: refused(500090, 'Insufficient balance.'),
  invalid: refused(400017, 'invalid param: the prompt is too short'),
  unkeyed: refused(10005, 'Invalid API key'),
  content: refused(500063, 'The prompt was blocked.'),
  internal: { counted: true, answer: [200, told(500100, 'Internal error')] },
};
const video: InputShape = {
  model: { ...oneOf('v6', 'v6-max'), required: true },
  prompt: { ...needed, max_length: 5000 },
  duration: { ...from(1, 15), required: true },
  quality: { ...oneOf('360p', '540p', '720p', '1080p'), required: true },
  generate_audio_switch: flag,
  seed: SEED_31,
};
const RATIO = { ...oneOf('16:9', '9:16', '4:3', '3:4', '1:1', '2:3', '3:2', '21:9'), required: true };
const picture = { type: 'integer', required: true } as const;
/** Inputs from a public copy of PixVerse's interface description (2026-11-21); V6 Max is assumed to be like V6. */
const INPUTS: Readonly<Record<string, InputShape>> = {
  text: { ...video, aspect_ratio: RATIO, generate_multi_clip_switch: flag },
  img: { ...video, img_id: picture, generate_multi_clip_switch: flag },
  transition: { ...video, first_frame_img: picture, last_frame_img: picture },
};

/** Opens a fake of PixVerse: pictures are uploaded first, and most refusals are answered with 200. */
export async function openFakePixverse(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const uploads = new Map<string, Buffer>();
  const misplacedKeys: string[] = [];
  const seen = new Set<string>();
  const server = await openFakeServer(answer);
  let ids = 1000;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, headers, reply } = exchange;
    const file = /^\/files\/([^/]+)/.exec(exchange.path);
    if (file !== null) {
      if (headers['api-key'] !== undefined) misplacedKeys.push(exchange.path);
      const job = jobs.jobs.get(decodeURIComponent(file[1] ?? ''));
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (headers['api-key'] !== KEY) return reply(401, told(400012, `Invalid account: ${headers['api-key']}`));
    const trace = String(headers['ai-trace-id'] ?? '');
    if (!/^[0-9a-f-]{36}$/.test(trace) || seen.has(trace)) return reply(200, told(400017, 'Ai-trace-id'));
    seen.add(trace);
    const path = exchange.path.replace(/^\/openapi\/v2/, '');
    if (method === 'GET' && path === '/account/balance') return reply(200, told(0, 'success', { credit_monthly: 0 }));
    if (method === 'POST' && path === '/image/upload') return await store(exchange);
    const asked = /^\/video\/result\/([^/]+)$/.exec(path)?.[1];
    if (method === 'GET' && asked !== undefined) return know(exchange, jobs.jobs.get(asked));
    const shape = INPUTS[/^\/video\/(\w+)\/generate$/.exec(path)?.[1] ?? ''];
    if (method !== 'POST' || shape === undefined) return reply(404, told(500008, 'Requested data not found'));
    order(exchange, shape);
  }

  async function store({ bytes, headers, reply }: Exchange): Promise<undefined> {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const image = form.get('image');
    if (!(image instanceof Blob) || !/^image\/(jpeg|png|webp)$/.test(image.type))
      return reply(200, told(500032, 'Invalid image format'));
    uploads.set(String(++ids), Buffer.from(await image.arrayBuffer()));
    reply(200, told(0, 'success', { img_id: ids, img_url: 'https://media.pixverse.ai/a.png' }));
  }

  function order(exchange: Exchange, shape: InputShape): undefined {
    const input = (exchange.json ?? {}) as Readonly<Record<string, unknown>>;
    const [wrong] = judgeInput(shape, input);
    if (wrong !== undefined) return exchange.reply(200, told(400017, `${wrong.field}: ${wrong.message}`));
    const images = [input.img_id, input.first_frame_img, input.last_frame_img].filter((id) => id !== undefined);
    if (images.some((id) => !uploads.has(String(id)))) return exchange.reply(200, told(400032, 'Invalid image id'));
    const shown = images.length === 0 ? {} : { images: images.map(String) };
    const job = jobs.take(exchange, String(input.prompt), { ...input, ...shown }, () => String(++ids));
    if (job !== null)
      exchange.reply(
        200,
        told(0, 'success', { video_id: /^\d+$/.test(job.id) ? Number(job.id) : job.id, credits: 10 }),
      );
  }

  function know(exchange: Exchange, job: FakeJob | undefined): undefined {
    if (job === undefined) return exchange.reply(200, told(500008, 'Requested data not found'));
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    const { end = '', odd } = job.words;
    const ended = { content: 7, broken: 8, deleted: 6 }[end] ?? 1;
    const status = state === 'over' ? ended : (odd ?? 5);
    const url = status === 1 && end !== 'nothing' ? `${server.url}/files/${job.id}` : '';
    exchange.reply(200, told(0, 'Success', { id: Number(job.id), status, url, seed: 7 }));
  }

  const { jobs: made, counts, forget } = jobs;
  const url = `${server.url}/openapi/v2`;
  return { ...server, url, key: KEY, jobs: made, counts, uploads, misplacedKeys, forget };
}
