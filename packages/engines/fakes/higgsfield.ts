import { isDeepStrictEqual } from 'node:util';
import type { FakeJob } from './fake-jobs.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { flag, from, needed, oneOf, SEED_31 } from './input-fields.ts';

const fault = (detail: unknown): object => ({ detail });
const FULL = fault('Maximum number of concurrent requests (4) has been reached');
/**
 * Inputs from the models' own pages (open.higgsfield.ai/models/<model>/api-reference of 2026-09-27), as
 * github.com/PRYX-STUDIO/pryx-comfyui-higgsfield has them.
 */
const INPUTS: Readonly<Record<string, InputShape>> = {
  'z-image/turbo': {
    prompt: { ...needed, max_length: 800 },
    resolution: oneOf('1k', '2k'),
    aspect_ratio: oneOf('1:1', '2:3', '3:2', '3:4', '4:3', '7:9', '9:7', '9:16', '16:9', '21:9'),
    prompt_extend: flag,
    seed: SEED_31,
  },
  'xai/grok-imagine-image-2.0': {
    prompt: needed,
    quality: oneOf('low', 'medium'),
    image_urls: { type: 'urls', max_items: 10 },
    resolution: oneOf('1k', '2k'),
    aspect_ratio: oneOf('auto', '1:1', '1:2', '2:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'),
  },
  'alibaba/happy-horse/v1.1/text-to-video': {
    prompt: needed,
    duration: from(3, 15),
    resolution: oneOf('720p', '1080p'),
    aspect_ratio: oneOf('16:9', '9:16', '1:1', '4:3', '3:4'),
    seed: from(1, 2_147_483_646),
  },
  'minimax/h3/text-to-video': {
    prompt: needed,
    duration: from(5, 15),
    resolution: oneOf('2K'),
    aspect_ratio: oneOf('auto', 'adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
    aigc_watermark: flag,
  },
  'minimax/hailuo-2.3/standard/text-to-video': { prompt: needed, duration: oneOf(6, 10), prompt_optimizer: flag },
};
const STATUS = { queued: 'queued', running: 'in_progress' } as const;

/**
 * Opens a fake of Higgsfield's requests, from its pages (docs.higgsfield.ai/docs/concepts, 2026-11-22) and its client
 * (@higgsfield/client 0.2.6).
 */
export async function openFakeHiggsfield(): Promise<FakeUpstream> {
  const bodies = new Map<string, object>();
  const request = (id: string, status: string) => ({
    status,
    request_id: id,
    status_url: `${fake.url}/requests/${id}/status`,
    cancel_url: `${fake.url}/requests/${id}/cancel`,
  });

  /** Returns the request made with an idempotency key; undefined if there is none. */
  function madeWith(key: string): FakeJob | undefined {
    return [...fake.jobs.values()].find(({ input }) => input === bodies.get(key));
  }

  const fake: FakeUpstream = await openFakeVendor({
    key: 'hf-fake-id:hf-fake-secret-0123456789',
    base: '',
    header: 'authorization',
    credentials: (key) => `Key ${key}`,
    wrongKey: () => [401, fault('Invalid credentials')],
    troubles: {
      ...rateLimits(400, FULL),
      billing: { counted: false, answer: [403, fault('Not enough credits')] },
      blocked: { counted: false, answer: [423, fault('The model is temporarily blocked')] },
      invalid: { counted: false, answer: [422, fault([{ loc: ['body', 'prompt'], msg: 'The prompt is too short' }])] },
      unavailable: { counted: true, answer: [503, fault('Service unavailable')] },
      internal: { counted: true, answer: [500, fault('Internal server error')] },
    },
    order({ method, path, body, headers }) {
      if (method !== 'POST') return null;
      const shape = INPUTS[path.slice(1)];
      if (shape === undefined) return { fault: [404, fault('Model not found')] };
      const wrong = judgeInput(shape, body).map(({ field, message }) => ({ loc: ['body', field], msg: message }));
      if (wrong.length > 0) return { fault: [422, fault(wrong)] };
      const key = String(headers['idempotency-key'] ?? '');
      // The header is optional at Higgsfield; our requests must always have it.
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) return { fault: [422, fault('Idempotency-Key')] };
      const made = madeWith(key);
      if (made !== undefined) {
        const isSame = isDeepStrictEqual(made.input, body);
        return { fault: isSame ? [200, request(made.id, 'queued')] : [422, fault('The parameters are others.')] };
      }
      bodies.set(key, body);
      return { prompt: String(body.prompt), input: body };
    },
    accepted: ({ id }) => [200, request(id, 'queued')],
    jobOf({ method, path }) {
      const [, id, part] = /^\/requests\/([^/]+)\/(status|cancel)$/.exec(path) ?? [];
      if (id === undefined || (part === 'cancel') !== (method === 'POST')) return null;
      return { id, does: part === 'cancel' ? 'cancel' : 'check' };
    },
    standing(job, state, url): Reply {
      const { end = '', odd } = job.words;
      if (job.canceled) return [200, request(job.id, 'canceled')];
      if (state !== 'over')
        return [200, request(job.id, state === 'running' ? (odd ?? STATUS.running) : STATUS.queued)];
      if (end === 'failed') return [200, { ...request(job.id, 'failed'), error: 'It could not be made.' }];
      if (end === 'nsfw' || end === 'canceled') return [200, request(job.id, end)];
      return [200, { ...request(job.id, 'completed'), images: end === 'nothing' ? [] : [{ url }] }];
    },
    canceled: [202, fault('Accepted')],
    noSuchOrder: [404, fault('Not found')],
    free: () => null,
  });
  return fake;
}
