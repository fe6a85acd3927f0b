import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { from, oneOf } from './input-fields.ts';

const fault = (code: string, message: string): object => ({ error: { code, message } });
const input: InputShape = {
  prompt: { type: 'string', required: true, max_length: 16_000 },
  prompt_enhancement: oneOf('turbo', 'quality', 'default', 'disabled'),
  duration: from(5, 15),
  resolution: oneOf('480p', '768p', '1080p', '2k'),
  seed: from(0, 4_294_967_295),
};
const image: InputShape = {
  image: {
    type: 'object',
    required: true,
    fields: {
      type: { ...oneOf('url', 'base64'), required: true },
      url: { type: 'url' },
      media_type: oneOf('image/png', 'image/jpeg', 'image/webp'),
      data: { type: 'string' },
    },
  },
};
/**
 * Inputs from HeyGen's reference of the call, as a public project recorded it on 2026-10-08, and the types of
 * @ai-sdk/heygen (vercel/ai 8eb55d7).
 */
const INPUTS: Readonly<Record<string, InputShape>> = {
  text_to_video: { ...input, aspect_ratio: oneOf('21:9', '16:9', '4:3', '1:1', '3:4', '9:16') },
  image_to_video: { ...input, ...image },
};

interface Asset {
  readonly url?: string;
  readonly media_type?: string;
  readonly data?: string;
}

/** Opens a fake of HeyGen's video model. */
export async function openFakeHeygen(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'sk_heygen_fake0123456789',
    base: '',
    header: 'x-api-key',
    credentials: (key) => key,
    wrongKey: (given) => [401, fault('unauthorized', `The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('rate_limit_exceeded', 'Too many requests.')),
      billing: { counted: false, answer: [402, fault('insufficient_credit', 'There is not enough balance.')] },
      invalid: { counted: false, answer: [400, fault('invalid_parameter', 'The prompt is too short')] },
      content: { counted: false, answer: [400, fault('content_policy_violation', 'The prompt was refused.')] },
      internal: { counted: true, answer: [500, fault('internal_error', 'Internal error')] },
    },
    order({ method, path, body }) {
      if (method !== 'POST' || path !== '/v3/models/videos') return null;
      const { model, mode, ...given } = body;
      const shape = INPUTS[String(mode)];
      if (model !== 'heygen-video-1' || shape === undefined)
        return { fault: [400, fault('invalid_parameter', `no model ${model} in the mode ${mode}`)] };
      const [wrong] = judgeInput(shape, given);
      if (wrong !== undefined) return { fault: [400, fault('invalid_parameter', `${wrong.field}: ${wrong.message}`)] };
      const isWide = ['16:9', '9:16'].includes(String(given.aspect_ratio ?? '16:9'));
      if (['1080p', '2k'].includes(String(given.resolution)) && !isWide)
        return { fault: [400, fault('invalid_parameter', 'aspect_ratio: 1080p and 2k need 16:9 or 9:16')] };
      const { url, media_type: type, data } = (given.image ?? {}) as Asset;
      const sent = given.image === undefined ? {} : { image: url ?? `data:${type};base64,${data}` };
      return { prompt: String(given.prompt), input: { ...body, ...sent } };
    },
    accepted: ({ id }) => [202, { data: { video_id: id, status: 'pending' } }],
    jobOf({ method, path }) {
      const id = /^\/v3\/models\/videos\/([^/]+)$/.exec(path)?.[1];
      return id === undefined || method !== 'GET' ? null : { id, does: 'check' };
    },
    standing(job, state, video_url): Reply {
      const video = (more: object): Reply => [200, { data: { video_id: job.id, ...more } }];
      if (state === 'queued') return video({ status: 'pending' });
      if (state === 'running') return video({ status: job.words.odd ?? 'processing' });
      const { end = '' } = job.words;
      if (end === 'content')
        return video({ status: 'failed', failure_code: 'moderation_failed', failure_message: 'It was refused.' });
      if (end === 'broken')
        return video({ status: 'failed', failure_code: 'generation_failed', failure_message: 'It could not be made.' });
      if (end === 'cancelled') return video({ status: 'cancelled' });
      return video({ status: 'completed', duration: 5, ...(end === 'nothing' ? {} : { video_url }) });
    },
    noSuchOrder: [404, fault('not_found', 'Not found')],
    free: () => null,
  });
}
