import type { Entry, Parameter } from '@darkroom-service/contract/catalog';
import { CHARACTERS, LOCAL_ENGINE, NEGATIVE, PICTURE, pricingOf, ratio, SEED, usesNegative } from './entry-parts.ts';
import type { ModelRecord } from './store.ts';

const DEFAULTS = { width: 832, height: 480, fps: 16, max_seconds: 5 };
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'] as const;

/** Returns the catalog entry of a pulled video model, at the operator's price. */
export function videoEntry(record: ModelRecord): Entry {
  const { width, height, fps, max_seconds: longest } = { ...DEFAULTS, ...record.parameters };
  const { edits } = record;
  const negative = usesNegative(record);
  return {
    model_id: `local-${record.name}`,
    name: record.title,
    type: 'video',
    description: `${record.title} on this machine: silent videos of up to ${longest} seconds, about ${width} × ${height} pixels. Needs no account, and no data leaves the machine. Licence: ${record.licence}.`,
    parameters: {
      prompt: { type: 'string', default: null, description: 'What happens in the video.' },
      ...(negative ? { negative_prompt: NEGATIVE } : {}),
      ...(edits ? { image_urls: { ...PICTURE, description: 'The first frame of the video.' } } : {}),
      duration: seconds(longest),
      aspect_ratio: ratio(RATIOS, 'Width to height of the video.'),
      seed: SEED,
    },
    required: [['prompt']],
    supported_features: [
      'text_to_video',
      ...(edits ? (['image_to_video'] as const) : []),
      ...(negative ? (['negative_prompt'] as const) : []),
      'seed',
    ],
    limits: {
      prompt: CHARACTERS,
      ...(negative ? { negative_prompt: CHARACTERS } : {}),
      ...(edits ? { image_urls: { max: 1, role: 'first_frame' as const } } : {}),
    },
    sizing: { tiers: { native: [width, height] }, tier: 'native', multiple_of: 16 },
    output: { fps, audio: false },
    pricing: pricingOf(record, 'output_second'),
    routes: [
      {
        engine: LOCAL_ENGINE,
        model: record.name,
        parameters: {
          prompt: 'prompt',
          seed: 'seed',
          width: 'width',
          height: 'height',
          // These models make 4n + 1 frames.
          duration: { to: 'video_frames', times: fps, plus: 1, as: 'integer' },
          ...(negative ? { negative_prompt: 'negative_prompt' } : {}),
          ...(edits ? { image_urls: { to: 'init_image', take: 'first' as const } } : {}),
        },
        fixed: { fps },
      },
    ],
  };
}

function seconds(longest: number): Parameter {
  const description = 'Seconds. A longer video takes longer to make.';
  return { type: 'integer', minimum: 1, maximum: longest, default: Math.min(2, longest), description };
}
