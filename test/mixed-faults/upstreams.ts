import { conformanceEntry } from '../conformance-entry.ts';
import type { FakeUpstream } from '../fakes/fake-upstream.ts';
import { openFakeFal } from '../fakes/fal.ts';
import { openFakeGoogle } from '../fakes/google.ts';
import { openFakeKling } from '../fakes/kling.ts';
import { openFakeReplicate } from '../fakes/replicate.ts';
import { openFakeXai } from '../fakes/xai.ts';

/**
 * Two with handles and a wish to cancel, one that is asked by our own id, and two that answer with the result, once
 * inside the answer.
 */
export const UPSTREAMS = ['fal', 'replicate', 'kling', 'google', 'xai'] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

export interface Upstreams {
  readonly fakes: Readonly<Record<UpstreamName, FakeUpstream>>;
  /** A model for a cent of each, named by `modelOf`. */
  readonly models: readonly object[];
  /** What switches their engines on. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export function modelOf(upstream: UpstreamName): string {
  return `mixed-${upstream}`;
}

const PROMPT = { prompt: { type: 'string', required: true } } as const;
const covers = ['aspect_ratio'];
const plain = { parameters: { prompt: 'prompt' }, covers };
const ROUTES: Readonly<Record<UpstreamName, object>> = {
  fal: { model: 'foxes/fox', ...plain },
  replicate: { model: 'foxes/fox-2', ...plain },
  kling: { model: 'text-to-video/kling-3.0-turbo', ...plain },
  google: {
    model: 'gemini-3-pro-image',
    parameters: { prompt: { to: 'parts[]', shape: { text: '$' } } },
    fixed: { 'generationConfig.responseModalities': ['IMAGE'] },
    covers,
  },
  xai: { model: 'grok-imagine-image', ...plain },
};

export async function openUpstreams(): Promise<Upstreams> {
  const fakes = {
    fal: await openFakeFal({ 'foxes/fox': PROMPT }),
    replicate: await openFakeReplicate({ 'foxes/fox-2': PROMPT }),
    kling: await openFakeKling(),
    google: await openFakeGoogle(),
    xai: await openFakeXai(),
  };
  const { fal, replicate, kling, google, xai } = fakes;
  return {
    fakes,
    models: UPSTREAMS.map((engine) => conformanceEntry(modelOf(engine), [{ engine, ...ROUTES[engine] }])),
    variables: {
      FAL_KEY: fal.key,
      DARKROOM_FAL_URL: fal.url,
      REPLICATE_API_TOKEN: replicate.key,
      DARKROOM_REPLICATE_URL: replicate.url,
      KLING_API_KEY: kling.key,
      DARKROOM_KLING_URL: kling.url,
      GEMINI_API_KEY: google.key,
      DARKROOM_GOOGLE_URL: google.url,
      XAI_API_KEY: xai.key,
      DARKROOM_XAI_URL: xai.url,
    },
    async stop() {
      await Promise.all(Object.values(fakes).map((fake) => fake.stop()));
    },
  };
}
