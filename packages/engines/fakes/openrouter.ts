import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, rateLimits } from './fake-vendor.ts';
import { listedModels } from './listed-models.ts';
import { resultInside } from './small-picture.ts';

const fault = (code: number, message: string, metadata?: object): object => ({ error: { code, message, metadata } });
const FLAGGED = fault(403, 'The input was flagged by the moderation.', {
  reasons: ['violence'],
  flagged_input: 'a fox',
});
/** The models of the catalog, and one for tests without it. */
const OFFERED = [...listedModels('openrouter'), 'bytedance-seed/seedream-4.5'];
const RATIOS = [
  '1:1',
  '1:2',
  '1:4',
  '1:8',
  '2:1',
  '2:3',
  '3:2',
  '3:4',
  '4:1',
  '4:3',
  '4:5',
  '5:4',
  '8:1',
  '9:16',
  '16:9',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '9:21',
  '21:9',
  'auto',
];

/** `ImageGenerationRequest` of OpenRouter's TypeScript client (068f9af). */
const REQUEST: InputShape = {
  model: { type: 'string', required: true },
  prompt: { type: 'string', required: true },
  n: { type: 'integer', minimum: 1, maximum: 1 },
  aspect_ratio: { type: 'string', enum: RATIOS },
  background: { type: 'string', enum: ['auto', 'transparent', 'opaque'] },
  input_references: {
    type: 'objects',
    fields: {
      type: { type: 'string', enum: ['image_url'], required: true },
      image_url: { type: 'object', required: true, fields: { url: { type: 'url', required: true } } },
    },
  },
  output_compression: { type: 'integer', minimum: 0, maximum: 100 },
  output_format: { type: 'string', enum: ['png', 'jpeg', 'webp'] },
  quality: { type: 'string', enum: ['auto', 'low', 'medium', 'high'] },
  resolution: { type: 'string', enum: ['512', '1K', '2K', '4K'] },
  seed: { type: 'integer' },
  size: { type: 'string' },
};

/** Opens a fake of OpenRouter's images, from its client and its pages on errors. Answers contain the picture. */
export async function openFakeOpenRouter(): Promise<FakeUpstream> {
  const files = ['png', 'jpeg', 'webp', 'wrongtype', 'garbage'] as const;
  const pictures = new Map<string, { readonly type: string; readonly data: string }>();
  for (const file of files) pictures.set(file, await resultInside(file));
  return await openFakeVendor({
    key: 'sk-or-v1-fake-0123456789',
    base: '/api/v1',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault(401, `No auth credentials found for ${given}.`)],
    troubles: {
      ...rateLimits(429, fault(429, 'Rate limit exceeded.')),
      billing: { counted: false, answer: [402, fault(402, 'Insufficient credits. Add more credits.')] },
      invalid: { counted: false, answer: [400, fault(400, 'The prompt is too short')] },
      content: { counted: false, answer: [403, FLAGGED] },
      age: { counted: false, answer: [403, fault(403, 'This model requires 18+ age confirmation.')] },
      nobody: { counted: false, answer: [503, fault(503, 'No provider meets your routing requirements.')] },
      provider: { counted: true, answer: [502, fault(502, 'The provider returned an invalid response.')] },
    },
    order({ method, path, body }) {
      if (method !== 'POST' || path !== '/images') return null;
      const { prompt, input_references: references, ...input } = body;
      if (!OFFERED.includes(String(input.model)))
        return { fault: [404, fault(404, `No endpoints found for ${input.model}.`)] };
      const [wrong] = judgeInput(REQUEST, body);
      if (wrong !== undefined) return { fault: [400, fault(400, `${wrong.field}: ${wrong.message}`)] };
      const sent = (references as { image_url: { url: string } }[] | undefined)?.map((one) => one.image_url.url);
      return { prompt: String(prompt), input: { prompt, ...input, ...(sent === undefined ? {} : { pictures: sent }) } };
    },
    accepted({ words: { end, file = 'png' } }) {
      const picture = pictures.get(file);
      if (end === 'flagged') return [200, FLAGGED];
      const data = end === 'nothing' ? [] : [{ b64_json: picture?.data, media_type: picture?.type }];
      return [200, { created: 1, data, usage: { total_tokens: 4175, cost: 0.018 } }];
    },
    jobOf: () => null,
    noSuchOrder: [404, fault(404, 'Not found')],
    free({ path }) {
      if (path === '/key') return [200, { data: { label: 'fake', limit_remaining: null } }];
      if (path === '/images/models') return [200, { data: OFFERED.map((id) => ({ id })) }];
      return null;
    },
  });
}
