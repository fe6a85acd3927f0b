import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputShape } from './fake-upstream.ts';

interface Publication {
  /** When the upstream said so. */
  readonly as_of: string;
  readonly source: string;
  readonly endpoints: Readonly<Record<string, InputShape>>;
}

/**
 * Endpoints whose inputs nobody has published where we could read it: taken to be those of the next of kin, less what only that one can
 * have. What is ordered there is not verified.
 */
export const UNVERIFIED: Readonly<Record<string, { readonly like: string; readonly without?: readonly string[] }>> = {
  'alibaba/wan-3.0/image-to-video': { like: 'alibaba/wan-3.0-prime/image-to-video' },
  'alibaba/wan-3.0/reference-to-video': { like: 'alibaba/wan-3.0-prime/reference-to-video' },
  'alibaba/wan-3.0-prime/text-to-video': { like: 'alibaba/wan-3.0/text-to-video' },
  'bytedance/seedance-2.5/text-to-video': {
    like: 'bytedance/seedance-2.5/reference-to-video',
    without: ['task', 'image_urls', 'video_urls', 'audio_urls', 'seed'],
  },
};

/** What each endpoint of fal takes, as fal published it; by the full id. */
export function falInputs(): Readonly<Record<string, InputShape>> {
  const { records } = JSON.parse(readFileSync(join(import.meta.dirname, 'fal-inputs.json'), 'utf8')) as {
    records: readonly Publication[];
  };
  const published: Readonly<Record<string, InputShape>> = Object.assign({}, ...records.map((one) => one.endpoints));
  const alike = Object.entries(UNVERIFIED).map(([endpoint, { like, without = [] }]) => {
    const kin = published[like];
    if (kin === undefined) throw new Error(`fal-inputs.json has no ${like}, which ${endpoint} is said to be like`);
    return [endpoint, Object.fromEntries(Object.entries(kin).filter(([field]) => !without.includes(field)))] as const;
  });
  return { ...published, ...Object.fromEntries(alike) };
}
