import { ROUTER_INPUTS } from './comfy-router-inputs.ts';
import { type FakeUpstream, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, rateLimits } from './fake-vendor.ts';

const fault = (code: string, message: string): object => ({ code, message });
const MODELS = ['', '_pro', '_flash', '_utility', '_utility_pro'].map((tier) => `recraftv4_1${tier}`);

/** Opens a fake of Recraft's pictures from text. Its fields are those that Comfy Router publishes. */
export async function openFakeRecraft(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'recraft-fake-0123456789',
    base: '/v1',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault('unauthorized', `The token ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('rate_limit_exceeded', 'Too many requests.')),
      billing: { counted: false, answer: [400, fault('not_enough_credits', 'There are not enough API units.')] },
      invalid: { counted: false, answer: [400, fault('invalid_request', 'The prompt is too short')] },
      content: { counted: false, answer: [400, fault('content_policy', 'The prompt was refused by the moderation.')] },
      internal: { counted: true, answer: [500, fault('internal', 'Internal error')] },
    },
    order({ method, path, body }) {
      if (method !== 'POST' || path !== '/images/generations') return null;
      const { model, ...input } = body;
      if (!MODELS.includes(String(model))) return { fault: [404, fault('not_found', `There is no model ${model}.`)] };
      const [wrong] = judgeInput(ROUTER_INPUTS['recraft/recraftv4_1']?.shape ?? {}, input);
      if (wrong !== undefined) return { fault: [400, fault('invalid_request', `${wrong.field}: ${wrong.message}`)] };
      return { prompt: String(input.prompt), input: body };
    },
    accepted: (job, url) => [
      200,
      { created: 1, credits: 1, data: job.words.end === 'nothing' ? [] : [{ image_id: job.id, url }] },
    ],
    jobOf: () => null,
    noSuchOrder: [404, fault('not_found', 'Not found')],
    free: ({ path }) => (path === '/users/me' ? [200, { credits: 100 }] : null),
  });
}
