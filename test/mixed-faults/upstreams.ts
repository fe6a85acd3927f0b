import {
  openFakeBfl,
  openFakeComfyRouter,
  openFakeFal,
  openFakeGoogle,
  openFakeKling,
  openFakeReplicate,
  openFakeVertex,
  openFakeXai,
  vertexKeyFile,
} from '@darkroom-service/engines/fakes';
import type { FakeUpstream } from '@darkroom-service/engines/fakes/parts';
import { conformanceEntry } from '../helpers/conformance-entry.ts';

/**
 * Two with handles and a wish to cancel, one with handles alone, one that is asked by our own id, one that replays a
 * key, and three that answer with the result: by an address, inside the answer, and after a sign-in.
 */
export const UPSTREAMS = ['fal', 'replicate', 'bfl', 'kling', 'comfy-router', 'xai', 'google', 'vertex'] as const;
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

const HANGING_SECONDS = '20';
const PROMPT = { prompt: { type: 'string', required: true } } as const;
const covers = ['aspect_ratio'];
const plain = { parameters: { prompt: 'prompt' }, covers };
const gemini = {
  model: 'gemini-3-pro-image',
  parameters: { prompt: { to: 'parts[]', shape: { text: '$' } } },
  fixed: { 'generationConfig.responseModalities': ['IMAGE'] },
  covers,
};
const ROUTES: Readonly<Record<UpstreamName, object>> = {
  fal: { model: 'foxes/fox', ...plain },
  replicate: { model: 'foxes/fox-2', ...plain },
  kling: { model: 'text-to-video/kling-3.0-turbo', ...plain },
  google: gemini,
  vertex: gemini,
  xai: { model: 'grok-imagine-image', ...plain },
  bfl: { model: 'flux-2-pro', ...plain },
  'comfy-router': { model: 'byteplus/seedream-4-5-251128', ...plain },
};

export async function openUpstreams(): Promise<Upstreams> {
  const fakes = {
    fal: await openFakeFal({ 'foxes/fox': PROMPT }),
    replicate: await openFakeReplicate({ 'foxes/fox-2': PROMPT }),
    kling: await openFakeKling(),
    google: await openFakeGoogle(),
    xai: await openFakeXai(),
    bfl: await openFakeBfl(),
    'comfy-router': await openFakeComfyRouter(),
    vertex: await openFakeVertex(),
  };
  const { fal, replicate, kling, google, xai, bfl, 'comfy-router': router, vertex } = fakes;
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
      BFL_API_KEY: bfl.key,
      DARKROOM_BFL_URL: bfl.url,
      COMFY_API_KEY: router.key,
      DARKROOM_COMFY_ROUTER_URL: router.url,
      DARKROOM_VERTEX_CREDENTIALS: vertexKeyFile(vertex),
      DARKROOM_VERTEX_URL: vertex.url,
      // Some calls hang until then.
      DARKROOM_BFL_TIMEOUT_SECONDS: HANGING_SECONDS,
      DARKROOM_COMFY_ROUTER_TIMEOUT_SECONDS: HANGING_SECONDS,
    },
    async stop() {
      await Promise.all(Object.values(fakes).map((fake) => fake.stop()));
    },
  };
}
