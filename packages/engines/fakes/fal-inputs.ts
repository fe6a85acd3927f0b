import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputShape } from './fake-upstream.ts';

interface Publication {
  /** Date on which the source was read. */
  readonly as_of: string;
  readonly source: string;
  readonly endpoints: Readonly<Record<string, InputShape>>;
}

interface Guess {
  readonly like: string;
  readonly without?: readonly string[];
  /** Fields of the endpoint that are known nevertheless. */
  readonly with?: InputShape;
}

const KLING_4 = {
  duration: { type: 'integer', minimum: 3, maximum: 30 },
  resolution: { type: 'string', enum: ['720p', '1080p'] },
} as const;
const KLING_4_FLASH = { duration: { type: 'integer', minimum: 3, maximum: 20 } } as const;
const KLING_4_RATIO = { aspect_ratio: { type: 'string', enum: ['auto', '16:9', '9:16', '1:1', '21:9'] } } as const;
const KLING_4_REFERENCES = {
  image_urls: { type: 'urls', max_items: 10 },
  video_urls: { type: 'urls', max_items: 5 },
} as const;
const KLING_4_TEXT = { like: 'fal-ai/kling-video/o3/standard/text-to-video', without: ['generate_audio', 'shot_type'] };
const KLING_4_FRAMES = {
  like: 'fal-ai/kling-video/v3/standard/image-to-video',
  without: ['cfg_scale', 'negative_prompt', 'generate_audio', 'shot_type', 'elements'],
};
const KLING_4_MEDIA = {
  like: 'fal-ai/kling-video/o3/standard/reference-to-video',
  without: ['generate_audio', 'shot_type', 'end_image_url'],
};

/**
 * Endpoints whose inputs are not published in full where we could read them: assumed to be those of the most similar
 * endpoint, without the fields that only that one can have. Orders there are not verified.
 */
export const UNVERIFIED: Readonly<Record<string, Guess>> = {
  'alibaba/wan-3.0/image-to-video': { like: 'alibaba/wan-3.0-prime/image-to-video' },
  'alibaba/wan-3.0/reference-to-video': { like: 'alibaba/wan-3.0-prime/reference-to-video' },
  'alibaba/wan-3.0-prime/text-to-video': { like: 'alibaba/wan-3.0/text-to-video' },
  'bytedance/seedance-2.5/text-to-video': {
    like: 'bytedance/seedance-2.5/reference-to-video',
    without: ['task', 'image_urls', 'video_urls', 'audio_urls', 'seed'],
  },
  'kling/v4/text-to-video': { ...KLING_4_TEXT, with: { ...KLING_4, ...KLING_4_RATIO } },
  'kling/v4/image-to-video': { ...KLING_4_FRAMES, with: KLING_4 },
  'kling/v4/reference-to-video': { ...KLING_4_MEDIA, with: { ...KLING_4, ...KLING_4_RATIO, ...KLING_4_REFERENCES } },
  'kling/v4/video-to-video/edit': {
    like: 'fal-ai/kling-video/o3/standard/video-to-video/edit',
    without: ['elements', 'keep_audio', 'shot_type'],
    with: { image_urls: KLING_4_REFERENCES.image_urls, resolution: KLING_4.resolution },
  },
  'kling/v4/flash/text-to-video': { ...KLING_4_TEXT, with: { ...KLING_4_FLASH, ...KLING_4_RATIO } },
  'kling/v4/flash/image-to-video': {
    ...KLING_4_FRAMES,
    without: [...KLING_4_FRAMES.without, 'end_image_url'],
    with: KLING_4_FLASH,
  },
  'kling/v4/flash/reference-to-video': {
    ...KLING_4_MEDIA,
    with: { ...KLING_4_FLASH, ...KLING_4_RATIO, ...KLING_4_REFERENCES },
  },
};

/** Returns the input of each endpoint of fal as fal published it, by the endpoint's full id. */
export function falInputs(): Readonly<Record<string, InputShape>> {
  const { records } = JSON.parse(readFileSync(join(import.meta.dirname, 'fal-inputs.json'), 'utf8')) as {
    records: readonly Publication[];
  };
  const published: Readonly<Record<string, InputShape>> = Object.assign({}, ...records.map((one) => one.endpoints));
  const alike = Object.entries(UNVERIFIED).map(([endpoint, { like, without = [], with: known = {} }]) => {
    const kin = published[like];
    if (kin === undefined) throw new Error(`fal-inputs.json has no ${like}, which ${endpoint} is said to be like`);
    const kept = Object.entries(kin).filter(([field]) => !without.includes(field));
    return [endpoint, { ...Object.fromEntries(kept), ...known }] as const;
  });
  return { ...published, ...Object.fromEntries(alike) };
}
