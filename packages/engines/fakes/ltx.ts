import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { flag, needed, oneOf } from './input-fields.ts';

const fault = (type: string, message: string): object => ({ type: 'error', error: { type, message } });
const SIZES = ['1280x720', '720x1280', '1920x1080', '1080x1920'];
const LARGE = ['2560x1440', '1440x2560', '3840x2160', '2160x3840'];
const input = (isFast: boolean): InputShape => ({
  prompt: { ...needed, max_length: 5000 },
  duration: { type: 'any', enum: [null, 6, 8, 10, ...(isFast ? [12, 14, 16, 18, 20] : [])], required: true },
  resolution: { type: 'any', enum: [...SIZES, ...(isFast ? LARGE : [])], required: true },
  fps: oneOf(24, 25, 50, ...(isFast ? [48] : [])),
  generate_audio: flag,
  camera_motion: oneOf(
    'dolly_in',
    'dolly_out',
    'dolly_left',
    'dolly_right',
    'jib_up',
    'jib_down',
    'static',
    'focus_shift',
  ),
});
const frames: InputShape = { image_uri: { type: 'url', required: true }, last_frame_uri: { type: 'url' } };
/** Inputs from LTX's reference (docs.ltx.io), as client programs quote it (2026-06 to 2026-11). */
const INPUTS: Readonly<Record<string, InputShape>> = {
  'text-to-video/ltx-2-5-fast': input(true),
  'text-to-video/ltx-2-5-pro': input(false),
  'image-to-video/ltx-2-5-fast': { ...input(true), ...frames },
  'image-to-video/ltx-2-5-pro': { ...input(false), ...frames },
};

/** Opens a fake of LTX's jobs. */
export async function openFakeLtx(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'ltxv_fake0123456789',
    base: '/v2',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault('authentication_error', `The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('rate_limit_error', 'Too many requests.')),
      billing: { counted: false, answer: [402, fault('insufficient_funds_error', 'There are not enough credits.')] },
      invalid: { counted: false, answer: [400, fault('invalid_request_error', 'The prompt is too short')] },
      content: { counted: false, answer: [422, fault('content_filtered_error', 'The prompt was refused.')] },
      internal: { counted: true, answer: [500, fault('api_error', 'Internal error')] },
    },
    order({ method, path, body }) {
      if (method !== 'POST') return null;
      const { model, ...given } = body;
      const shape = INPUTS[`${path.slice(1)}/${model}`];
      if (shape === undefined) return { fault: [404, fault('not_found_error', `${path} has no model ${model}`)] };
      const [wrong] = judgeInput(shape, given);
      if (wrong !== undefined)
        return { fault: [400, fault('invalid_request_error', `${wrong.field}: ${wrong.message}`)] };
      return { prompt: String(given.prompt), input: body };
    },
    accepted: ({ id }) => [202, { id, created_at: '2026-11-21T00:00:00Z' }],
    jobOf({ method, path }) {
      const id = /^\/(?:text|image)-to-video\/([^/]+)$/.exec(path)?.[1];
      return id === undefined || method !== 'GET' ? null : { id, does: 'check' };
    },
    standing(job, state, video_url): Reply {
      if (state === 'queued') return [200, { id: job.id, status: 'pending' }];
      if (state === 'running') return [200, { id: job.id, status: job.words.odd ?? 'processing' }];
      const { end = '' } = job.words;
      if (end === 'content')
        return [200, { status: 'failed', error: { type: 'content_filtered_error', message: 'It was refused.' } }];
      if (end === 'broken')
        return [200, { status: 'failed', error: { type: 'api_error', message: 'It could not be made.' } }];
      return [200, { id: job.id, status: 'completed', result: end === 'nothing' ? {} : { video_url } }];
    },
    noSuchOrder: [404, fault('not_found_error', 'Not found')],
    free: () => null,
  });
}
