import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { flag, from, needed, oneOf } from './input-fields.ts';

const fault = (reason: string, message: string): object => ({ code: 400, reason, message, metadata: {} });
const pictures = (most: number) => ({ type: 'urls', required: true, max_items: most }) as const;
const RATIO = oneOf('16:9', '9:16', '4:3', '3:4', '1:1');
const q3: InputShape = {
  prompt: { type: 'string', max_length: 2000 },
  duration: from(1, 16),
  resolution: oneOf('540p', '720p', '1080p'),
  audio: flag,
  seed: { type: 'integer' },
};
const q4: InputShape = {
  ...q3,
  prompt: { type: 'string', max_length: 20_000 },
  duration: from(3, 16),
  resolution: oneOf('540p', '720p', '1080p', '2K', '4K'),
  watermark: flag,
};
const q2: InputShape = { ...q3, duration: from(1, 10) };
/** Inputs from Vidu's pages (platform.vidu.com), as client programs quote them (2026-10 and 2026-11). */
const INPUTS: Readonly<Record<string, InputShape>> = {
  'text2video/viduq3-pro': { ...q3, prompt: needed, aspect_ratio: RATIO },
  'text2video/viduq3-turbo': { ...q3, prompt: needed, aspect_ratio: RATIO },
  'img2video/viduq3-pro': { ...q3, images: pictures(1) },
  'img2video/viduq3-turbo': { ...q3, images: pictures(1) },
  'start-end2video/viduq3-pro': { ...q3, images: pictures(2) },
  'start-end2video/viduq3-turbo': { ...q3, images: pictures(2) },
  'text2video/viduq2': { ...q2, prompt: needed, aspect_ratio: oneOf('16:9', '9:16', '1:1') },
  'reference2video/viduq2': { ...q2, prompt: needed, images: pictures(7), aspect_ratio: oneOf('16:9', '9:16', '1:1') },
  'img2video/viduq4-preview': { ...q4, images: pictures(1), is_rec: flag },
  'reference2video/viduq4-preview': {
    ...q4,
    prompt: { type: 'string', required: true, max_length: 20_000 },
    images: pictures(15),
    sounds: { type: 'urls', max_items: 3 },
    aspect_ratio: RATIO,
  },
};

/** Opens a fake of Vidu's tasks. */
export async function openFakeVidu(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'vda_fake0123456789',
    base: '/ent/v2',
    header: 'authorization',
    credentials: (key) => `Token ${key}`,
    wrongKey: (given) => [401, fault('Unauthorized', `The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('TooManyRequests', 'The limit of tasks is reached.')),
      billing: { counted: false, answer: [400, fault('CreditInsufficient', 'There are not enough credits.')] },
      invalid: { counted: false, answer: [400, fault('FieldInvalid', 'The prompt is too short')] },
      content: { counted: false, answer: [400, fault('AuditSubmitIllegal', 'The prompt was refused.')] },
      overloaded: { counted: false, answer: [503, fault('ServiceUnavailable', 'The service is unavailable.')] },
      internal: { counted: true, answer: [500, fault('Internal', 'Internal error')] },
      quota: { counted: false, answer: [429, fault('QuotaExceeded', 'The quota of tasks at once is exceeded.')] },
      retired: { counted: false, answer: [400, fault('ModelUnavailable', 'The model is unavailable.')] },
    },
    callbackIn: ({ callback_url: url }) => url,
    order({ method, path, body }) {
      if (method !== 'POST') return null;
      const { model, callback_url: url, ...input } = body;
      const shape = INPUTS[`${path.slice(1)}/${model}`];
      if (shape === undefined) return { fault: [404, fault('ModelNotFound', `${path} has no model ${model}`)] };
      const [wrong] = judgeInput(
        { ...shape, callback_url: { type: 'url' } },
        url === undefined ? input : { ...input, callback_url: url },
      );
      if (wrong !== undefined) return { fault: [400, fault('FieldInvalid', `${wrong.field}: ${wrong.message}`)] };
      return { prompt: String(input.prompt ?? ''), input: body };
    },
    accepted: ({ id }) => [200, { task_id: id, state: 'created', seed: 7, credits: 10 }],
    jobOf({ path }) {
      const id = /^\/tasks\/([^/]+)\/creations$/.exec(path)?.[1];
      return id === undefined ? null : { id, does: 'check' };
    },
    standing(job, state, url): Reply {
      const base = { id: job.id, credits: 10, payload: '' };
      if (state === 'queued') return [200, { ...base, state: 'queueing' }];
      if (state === 'running') return [200, { ...base, state: job.words.odd ?? 'processing' }];
      const { end = '' } = job.words;
      if (end === 'content') return [200, { ...base, state: 'failed', err_code: 'CreationPolicyViolation' }];
      if (end === 'broken') return [200, { ...base, state: 'failed', err_code: 'CreationFailed' }];
      const creations = end === 'nothing' ? [] : [{ id: 'c', url, cover_url: url }];
      return [200, { ...base, state: 'success', err_code: '', creations }];
    },
    noSuchOrder: [404, fault('TaskNotFound', 'There is no such task.')],
    free: () => null,
  });
}
