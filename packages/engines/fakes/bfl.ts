import { ROUTER_INPUTS } from './comfy-router-inputs.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { from, oneOf } from './input-fields.ts';

const shapeOf = (model: string): InputShape => ROUTER_INPUTS[`bfl/${model}`]?.shape ?? {};
const { prompt_upsampling: _, ...plain } = shapeOf('flux-2-pro');
// Its page was not read: other sources name these four fields of its larger sibling.
const KLEIN = ['prompt', 'images', 'resolution', 'aspect_ratio'];
/**
 * Inputs from the copies that Comfy Router publishes; in addition, `flex` and `klein` from @ai-sdk/black-forest-labs
 * 2.0.41, and the resolutions of videos from the types of @memberjunction/ai-blackforestlabs 6.2.
 */
const INPUTS: Readonly<Record<string, InputShape>> = {
  'flux-2-pro': shapeOf('flux-2-pro'),
  'flux-2-max': plain,
  'flux-2-flex': { ...plain, guidance: { type: 'number', minimum: 1.5, maximum: 10 }, steps: from(1, 50) },
  'flux-2-klein-4b': plain,
  'flux-2-klein-9b': plain,
  'flux-3-image': shapeOf('flux-3-image'),
  'flux-3-image-klein': Object.fromEntries(
    Object.entries(shapeOf('flux-3-image')).filter(([field]) => KLEIN.includes(field)),
  ),
  'flux-3-video': { ...shapeOf('flux-3-video'), resolution: oneOf('hd', 'fhd', 'qhd', 'uhd') },
};
const fault = (detail: unknown): object => ({ detail });

/** Opens a fake of Black Forest Labs' tasks. */
export async function openFakeBfl(): Promise<FakeUpstream> {
  const fake: FakeUpstream = await openFakeVendor({
    key: 'bfl-fake-0123456789',
    base: '/v1',
    header: 'x-key',
    credentials: (key) => key,
    wrongKey: (given) => [403, fault(`The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('Too many tasks are active.')),
      billing: { counted: false, answer: [402, fault('Insufficient credits.')] },
      flat: { counted: false, answer: [400, { error: 'insufficient_credits', message: 'Insufficient credits.' }] },
      invalid: { counted: false, answer: [422, fault([{ loc: ['body', 'prompt'], msg: 'The prompt is too short' }])] },
      internal: { counted: true, answer: [500, fault('Internal error')] },
      overloaded: { counted: false, answer: [503, fault('Try again in a few moments.')] },
      unseemly: { counted: false, answer: [403, fault('Request Moderated')] },
    },
    order({ method, path, body }) {
      const shape = INPUTS[path.slice(1)];
      if (method !== 'POST') return null;
      if (shape === undefined) return { fault: [404, fault('Not Found')] };
      const wrong = judgeInput(shape, body).map(({ field, message }) => ({ loc: ['body', field], msg: message }));
      if (wrong.length > 0) return { fault: [422, fault(wrong)] };
      const { images } = body;
      const shown = Array.isArray(images) ? { images: images.map((one) => `data:image/png;base64,${one}`) } : {};
      return { prompt: String(body.prompt ?? ''), input: { ...body, ...shown } };
    },
    // Only the regional address in the answer knows the task.
    accepted: ({ id }) => [200, { id, polling_url: `${fake.url}/get_result?region=eu&id=${id}`, cost: 4 }],
    jobOf({ path, query }) {
      if (path !== '/get_result') return null;
      return { id: query.get('region') === 'eu' ? (query.get('id') ?? '') : '', does: 'check' };
    },
    standing(job, state, sample): Reply {
      const { end = '', odd } = job.words;
      if (state === 'queued') return [200, { id: job.id, status: 'Pending', result: null }];
      if (state === 'running') return [200, { id: job.id, status: odd ?? 'Pending', progress: 0.5, result: null }];
      if (end === 'request')
        return [200, { status: 'Request Moderated', details: { 'Moderation Reasons': ['Safety'] } }];
      if (end === 'content') return [200, { status: 'Content Moderated', details: null }];
      if (end === 'silent') return [200, { status: 'Error', details: null }];
      if (end === 'broken') return [200, { status: 'Error', details: 'It could not be made.' }];
      return [200, { id: job.id, status: 'Ready', result: end === 'nothing' ? {} : { sample, seed: 7 } }];
    },
    noSuchOrder: [404, { status: 'Task not found', result: null }],
    free: ({ path }) => (path === '/credits' ? [200, { credits: 100 }] : null),
  });
  return fake;
}
