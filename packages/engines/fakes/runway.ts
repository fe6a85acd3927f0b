import type { ImageToVideoCreateParams } from '@runwayml/sdk/resources/image-to-video';
import type { TaskRetrieveResponse } from '@runwayml/sdk/resources/tasks';
import type { TextToImageCreateParams } from '@runwayml/sdk/resources/text-to-image';
import type { TextToVideoCreateParams } from '@runwayml/sdk/resources/text-to-video';
import type { VideoToVideoCreateParams } from '@runwayml/sdk/resources/video-to-video';
import type { FakeJob } from './fake-jobs.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, promptIn, rateLimits } from './fake-vendor.ts';
import { from, oneOf, type ShapeOf } from './input-fields.ts';
import { PARTNERS } from './runway-partners.ts';

type Still = TextToImageCreateParams.Gen4Image;
type QuickStill = TextToImageCreateParams.Gen4ImageTurbo;
type FromText = TextToVideoCreateParams.Gen4_5;
type FromPicture = ImageToVideoCreateParams.Gen4_5;
type Turbo = ImageToVideoCreateParams.Gen4Turbo;
type FromVideo = VideoToVideoCreateParams.Variant0;

const fault = (error: string, issues: unknown = []): object => ({
  error,
  issues,
  docUrl: 'https://docs.dev.runwayml.com',
});
const moderation = {
  type: 'object',
  fields: { publicFigureThreshold: oneOf('auto', 'low') } satisfies ShapeOf<NonNullable<FromText['contentModeration']>>,
} as const;
const words = { type: 'string', max_length: 1000 } as const;
const picture = { type: 'url', required: true } as const;
const SEED = from(0, 4_294_967_295);
const wide = {
  ...oneOf('1280:720', '720:1280', '1104:832', '832:1104', '960:960', '1584:672'),
  required: true,
} as const;
const fromText = {
  promptText: { ...words, required: true },
  duration: { ...from(2, 10), required: true },
  ratio: { ...oneOf('1280:720', '720:1280'), required: true },
  contentModeration: moderation,
  seed: SEED,
} satisfies ShapeOf<Omit<FromText, 'model'>>;
const fromPicture = {
  promptImage: picture,
  promptText: { ...words, required: true },
  duration: { ...from(2, 10), required: true },
  ratio: wide,
  contentModeration: moderation,
  seed: SEED,
} satisfies ShapeOf<Omit<FromPicture, 'model'>>;
const turbo = {
  promptImage: picture,
  promptText: words,
  duration: from(2, 10),
  ratio: wide,
  contentModeration: moderation,
  seed: SEED,
} satisfies ShapeOf<Omit<Turbo, 'model'>>;
const fromVideo = {
  videoUri: picture,
  promptText: words,
  contentModeration: moderation,
  seed: SEED,
} satisfies ShapeOf<Omit<FromVideo, 'model' | 'keyframes' | 'promptImage' | 'outputFormat'>>;
const pictures = { type: 'objects', max_items: 3, fields: { uri: picture, tag: { type: 'string' } } } as const;
const still = {
  promptText: { ...words, required: true },
  ratio: {
    ...oneOf(
      ...(['1024:1024', '1080:1080', '1168:880', '1360:768', '1440:1080', '1080:1440', '1808:768'] as const),
      ...(['1920:1080', '1080:1920', '2112:912', '1280:720', '720:1280', '720:720', '960:720'] as const),
      ...(['720:960', '1680:720'] as const),
    ),
    required: true,
  },
  referenceImages: pictures,
  contentModeration: moderation,
  seed: SEED,
} satisfies ShapeOf<Omit<Still, 'model'>>;
const quickStill = { ...still, referenceImages: { ...pictures, required: true } } satisfies ShapeOf<
  Omit<QuickStill, 'model'>
>;
/** Inputs by endpoint; each is bound to the client's type for it. */
const INPUTS: Readonly<Record<string, InputShape>> = {
  'text_to_video/gen4.5': fromText,
  'image_to_video/gen4.5': fromPicture,
  'image_to_video/gen4_turbo': turbo,
  'video_to_video/aleph2': fromVideo,
  'text_to_image/gen4_image': still,
  'text_to_image/gen4_image_turbo': quickStill,
  ...PARTNERS,
};
const ENDS: Readonly<Record<string, readonly [failure: string, code: string]>> = {
  content: ['The output did not pass the safety check.', 'SAFETY.OUTPUT.THIRD_PARTY'],
  asset: ['The image cannot be used.', 'ASSET.INVALID'],
  broken: ['The video could not be made.', 'INTERNAL.BAD_OUTPUT.CODE01'],
};

/** Opens a fake of Runway's tasks, from the types of its client. */
export async function openFakeRunway(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'key_fake0123456789',
    base: '/v1',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault(`The API key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('You have reached your limit of requests.')),
      billing: { counted: false, answer: [400, fault('You do not have enough credits to run this task.')] },
      invalid: { counted: false, answer: [400, fault('The prompt is too short')] },
      internal: { counted: true, answer: [500, fault('Internal error')] },
      shed: { counted: false, answer: [502, fault('We are shedding load.')] },
      overloaded: { counted: false, answer: [503, fault('We are shedding load.')] },
    },
    order({ method, path, body, headers }) {
      if (method !== 'POST') return null;
      if (headers['x-runway-version'] !== '2024-11-06') return { fault: [400, fault('X-Runway-Version is missing')] };
      const { model, ...input } = body;
      const shape = INPUTS[`${path.slice(1)}/${model}`];
      if (shape === undefined) return { fault: [404, fault(`${path} has no model ${model}`)] };
      const [wrong] = judgeInput(shape, input);
      if (wrong !== undefined) return { fault: [400, fault(`${wrong.field}: ${wrong.message}`)] };
      const prompt = promptIn(input.promptText ?? '');
      const { promptText: _, ...others } = input;
      return { prompt, input: { prompt, model, ...others } };
    },
    accepted: ({ id }) => [200, { id, estimatedCost: { credits: 25 } }],
    jobOf({ method, path }) {
      const id = /^\/tasks\/([^/]+)$/.exec(path)?.[1];
      return id === undefined ? null : { id, does: method === 'DELETE' ? 'cancel' : 'check' };
    },
    standing: (job, state, url) => [200, taskOf(job, state, url)],
    canceled: [204],
    noSuchOrder: [404, fault('Not found')],
    free: ({ path }) => (path === '/organization' ? [200, { creditBalance: 100 }] : null),
  });
}

function taskOf(job: FakeJob, state: 'queued' | 'running' | 'over', url: string): TaskRetrieveResponse {
  const base = { id: job.id, createdAt: '2026-11-21T00:00:00Z' };
  const estimatedCost = { credits: 25 };
  if (job.canceled) return { ...base, status: 'CANCELLED', cost: { credits: 0 } };
  if (state === 'queued') return { ...base, status: 'PENDING', estimatedCost };
  if (state === 'running') {
    // A status unknown to the client, if the prompt names one.
    const status = (job.words.odd ?? 'RUNNING') as 'RUNNING';
    return { ...base, status, progress: Math.min(0.99, job.polls / 10), estimatedCost };
  }
  const { end = '' } = job.words;
  const [failure, failureCode] = ENDS[end] ?? [];
  if (failure !== undefined && failureCode !== undefined)
    return { ...base, status: 'FAILED', failure, failureCode, cost: { credits: 0 } };
  return { ...base, status: 'SUCCEEDED', output: end === 'nothing' ? [] : [url], cost: { credits: 25 } };
}
