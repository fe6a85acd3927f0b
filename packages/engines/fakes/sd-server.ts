import sharp from 'sharp';
import { COLOURS } from './comfyui.ts';
import { FILES } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';

/** Key that a proxy in front of the server requires; the server itself has no keys. */
const KEY = 'sd-key-of-the-proxy';
const FULL = { error: 'job queue is full' };
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, FULL] },
  busyfor: { counted: false, answer: [429, FULL, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, FULL, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: { counted: false, answer: [402, { error: 'no credit left' }] },
  invalid: { counted: false, answer: [400, { error: 'invalid generation parameters: prompt too short' }] },
};

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'picture' | 'pictures' | 'object' | 'objects';

const BOTH: Readonly<Record<string, Kind>> = {
  prompt: 'string',
  negative_prompt: 'string',
  clip_skip: 'integer',
  width: 'integer',
  height: 'integer',
  strength: 'number',
  seed: 'integer',
  init_image: 'picture',
  embed_image_metadata: 'boolean',
  lora: 'objects',
  hires: 'object',
  vae_tiling_params: 'object',
  cache_mode: 'string',
  cache_option: 'string',
  scm_mask: 'string',
  scm_policy_dynamic: 'boolean',
  output_format: 'string',
  output_compression: 'integer',
  sample_params: 'object',
};
const FIELDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  img_gen: {
    ...BOTH,
    batch_count: 'integer',
    ref_images: 'pictures',
    mask_image: 'picture',
    control_image: 'picture',
    ip_adapter_image: 'picture',
    control_strength: 'number',
    ip_adapter_strength: 'number',
    auto_resize_ref_image: 'boolean',
    increase_ref_index: 'boolean',
  },
  vid_gen: {
    ...BOTH,
    video_frames: 'integer',
    fps: 'integer',
    moe_boundary: 'number',
    vace_strength: 'number',
    end_image: 'picture',
    control_frames: 'pictures',
    high_noise_sample_params: 'object',
  },
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  img_gen: ['png', 'jpeg', 'webp'],
  vid_gen: ['webm', 'webp', 'avi'],
};
/** A weight that `stof` cannot read. */
const ENDS_THE_SERVER = /:(?![+-]?(?:\d{1,3}(?:\.\d*)?|\.\d+)\))[+-]?[.\d]+\)/;
const BASE64 = /^(?:data:image\/[a-z]+;base64,)?[A-Za-z0-9+/]+=*$/;

/**
 * Opens a fake of stable-diffusion.cpp's sd-server with its native interface, from its sources.
 * @param modes the modes that the loaded model supports
 * @param told the modes that the server reports, until it refuses an order
 */
export async function openFakeSdServer(
  modes: readonly string[] = ['img_gen', 'vid_gen'],
  told: readonly string[] = modes,
): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const uploads = new Map<string, Buffer>();
  const kinds = new Map<string, string>();
  const server = await openFakeServer(answer);
  let made = 0;
  let hasRefused = false;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    if (headers.authorization !== `Bearer ${KEY}`) return reply(401, { error: 'who are you?' });
    if (method === 'GET' && path === '/sdcpp/v1/capabilities') {
      return reply(200, {
        model: { name: 'fox.safetensors' },
        supported_modes: hasRefused ? modes : told,
        limits: { min_width: 64, max_width: 4096, min_height: 64, max_height: 4096, max_batch_count: 8 },
      });
    }
    const mode = /^\/sdcpp\/v1\/(img_gen|vid_gen)$/.exec(path)?.[1];
    if (mode !== undefined && method === 'POST') return await take(exchange, mode);
    const one = /^\/sdcpp\/v1\/jobs\/([^/]+)(\/cancel)?$/.exec(path);
    if (one === null) return reply(404, 'Not Found');
    const job = jobs.jobs.get(one[1] ?? '');
    if (job === undefined || job.words.end === 'gone') return reply(404, { error: 'job not found' });
    if (job.words.end === 'expired') return reply(410, { error: 'job expired' });
    if (one[2] !== undefined && method === 'POST') return cancel(exchange, job);
    const state = jobs.poll(exchange, job);
    if (state !== null) reply(200, await jobAs(job, state));
  }

  async function take(exchange: Exchange, mode: string): Promise<undefined> {
    const { json, bytes, reply } = exchange;
    if (bytes.length === 0) return reply(400, { error: 'empty body' });
    if (typeof json !== 'object' || json === null) return reply(400, { error: 'invalid json', message: 'parse error' });
    if (!modes.includes(mode)) {
      hasRefused = true;
      return reply(400, { error: `loaded model does not support ${mode}` });
    }
    const input = json as Readonly<Record<string, unknown>>;
    const fault = faultOf(mode, input);
    if (fault !== null) return reply(400, { error: fault });
    if (!(await isReadable(input.init_image))) return reply(400, { error: 'invalid generation parameters' });
    // The real server ends with an uncaught exception.
    if (ENDS_THE_SERVER.test(`${input.prompt} ${input.negative_prompt}`)) return void exchange.response.destroy();
    const id = () => `job_${(1_763_600_000 + made).toString(16)}_${(++made).toString(16).padStart(8, '0')}`;
    const job = jobs.take(exchange, String(input.prompt), withoutFormat(input), id);
    if (job === null) return;
    kinds.set(job.id, mode);
    reply(202, { id: job.id, kind: mode, status: 'queued', created: 1, poll_url: `/sdcpp/v1/jobs/${job.id}` });
  }

  async function jobAs(job: FakeJob, state: 'queued' | 'running' | 'over'): Promise<object> {
    const facts = {
      id: job.id,
      kind: kinds.get(job.id),
      created: 1,
      started: null,
      completed: null,
      queue_position: 0,
    };
    const empty = { ...facts, result: null, error: null };
    if (job.canceled) return { ...empty, status: 'cancelled', error: { code: 'cancelled', message: 'cancelled' } };
    if (state === 'queued') return { ...empty, status: 'queued', queue_position: 1 };
    if (state === 'running') return { ...empty, status: job.words.odd ?? 'generating' };
    const failure = { generation_failed: 'generate_image returned no results', cancelled: 'cancelled by the operator' };
    const code = job.words.end as keyof typeof failure;
    if (failure[code] !== undefined) return { ...empty, status: 'failed', error: { code, message: failure[code] } };
    const done = { ...empty, status: 'completed', completed: 2 };
    if (job.words.end === 'nothing') return { ...done, result: { output_format: 'png', images: [] } };
    if (kinds.get(job.id) === 'vid_gen') {
      const film = { output_format: 'webp', mime_type: 'image/webp', fps: 16, frame_count: 17 };
      return { ...done, result: { ...film, b64_json: await fileOf(job, 0) } };
    }
    const images = [];
    for (let index = 0; index < Number(job.input.batch_count ?? 1); index++) {
      images.push({ index, b64_json: await fileOf(job, index) });
    }
    return { ...done, result: { output_format: 'png', images } };
  }

  function cancel({ reply }: Exchange, job: FakeJob): undefined {
    const isQueued = job.polls <= Number(job.words.queue ?? 0);
    if (!isQueued && !job.canceled) {
      return reply(409, { error: 'job is currently generating and cannot be interrupted yet' });
    }
    jobs.cancel(job);
    reply(200, { id: job.id, kind: kinds.get(job.id), status: 'cancelled', result: null, error: null });
  }

  return {
    ...server,
    key: KEY,
    jobs: jobs.jobs,
    counts: jobs.counts,
    uploads,
    misplacedKeys: [],
    forget: jobs.forget,
  };
}

function faultOf(mode: string, input: Readonly<Record<string, unknown>>): string | null {
  const fields = FIELDS[mode] ?? {};
  for (const [name, value] of Object.entries(input)) {
    const kind = fields[name];
    if (kind === undefined || !isOf(kind, value)) return 'invalid generation parameters';
  }
  const { output_format: format = FORMATS[mode]?.[0], batch_count: count = 1 } = input;
  if (FORMATS[mode]?.includes(String(format)) !== true) {
    return `invalid output_format, must be one of [${FORMATS[mode]?.join(', ')}]`;
  }
  const sides = [input.width ?? 512, input.height ?? 512].map(Number);
  const fits = sides.every((side) => side >= 64 && side <= 4096) && Number(count) >= 1 && Number(count) <= 8;
  return fits ? null : 'invalid generation parameters';
}

/** Tells whether a picture has three channels or more and a type that stb_image or libwebp reads. */
async function isReadable(picture: unknown): Promise<boolean> {
  if (typeof picture !== 'string') return true;
  const { format, channels } = await sharp(Buffer.from(picture.split(',').at(-1) ?? '', 'base64')).metadata();
  return channels >= 3 && ['png', 'jpeg', 'webp', 'gif'].includes(format);
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'picture') return typeof value === 'string' && BASE64.test(value);
  if (kind === 'pictures') return Array.isArray(value) && value.every((one) => isOf('picture', one));
  if (kind === 'objects') return Array.isArray(value) && value.every((one) => typeof one === 'object');
  if (kind === 'integer') return Number.isInteger(value);
  return typeof value === kind;
}

/** Returns the input that tests compare: the format follows from the model, and no file has metadata of its origin. */
function withoutFormat({
  output_format: _,
  embed_image_metadata: __,
  ...input
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return input;
}

async function fileOf(job: FakeJob, index: number): Promise<string> {
  if (job.words.file === undefined) {
    // A UNet model renders whole blocks.
    const [width = 512, height = 512] = [job.input.width, job.input.height].map(
      (side) => Math.ceil(Number(side ?? 512) / 64) * 64,
    );
    const background = COLOURS[index % 4] ?? '#888';
    const picture = sharp({ create: { width, height, channels: 3, background } });
    return (await picture.png().toBuffer()).toString('base64');
  }
  const name = job.words.file === 'wrongtype' ? 'webp' : job.words.file;
  const sent: Buffer[] = [];
  const reply = (_: number, body: unknown) => void sent.push(Buffer.from(body as Uint8Array));
  await FILES[name]?.({ reply } as unknown as Exchange, 1);
  return Buffer.concat(sent).toString('base64');
}
