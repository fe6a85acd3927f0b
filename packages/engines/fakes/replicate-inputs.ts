import type { FieldShape, InputShape } from './fake-upstream.ts';

const RATIOS = ['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'];
const side: FieldShape = { type: 'integer', minimum: 256, maximum: 2048 };
const quality: FieldShape = { type: 'integer', minimum: 0, maximum: 100 };
const format: FieldShape = { type: 'string', enum: ['webp', 'jpg', 'png'] };
const prompt: FieldShape = { type: 'string', required: true };
const flag: FieldShape = { type: 'boolean' };

/** FLUX.2 pro, max and flex: pixels count only with the ratio `custom`. */
const flux2: InputShape = {
  prompt,
  input_images: { type: 'urls', max_items: 8 },
  aspect_ratio: { type: 'string', enum: ['match_input_image', 'custom', ...RATIOS] },
  resolution: { type: 'string', enum: ['match_input_image', '0.5 MP', '1 MP', '2 MP', '4 MP'] },
  width: side,
  height: side,
  safety_tolerance: { type: 'integer', minimum: 1, maximum: 5 },
  seed: { type: 'integer' },
  output_format: format,
  output_quality: quality,
};

/** FLUX.2 klein, with the ratios that the whole family has: the page counts twelve ratios and names none. */
const klein: InputShape = {
  prompt,
  images: { type: 'urls', max_items: 5 },
  aspect_ratio: { type: 'string', enum: ['match_input_image', ...RATIOS] },
  output_megapixels: { type: 'string', enum: ['0.25', '0.5', '1', '2', '4'] },
  seed: { type: 'integer' },
  go_fast: flag,
  output_format: format,
  output_quality: quality,
  disable_safety_checker: flag,
};

const seedance2: InputShape = {
  prompt,
  image: { type: 'url' },
  last_frame_image: { type: 'url' },
  reference_images: { type: 'urls', max_items: 9 },
  reference_videos: { type: 'urls', max_items: 3 },
  reference_audios: { type: 'urls', max_items: 3 },
  duration: { type: 'integer', minimum: -1, maximum: 15 },
  resolution: { type: 'string', enum: ['480p', '720p', '1080p', '4k'] },
  aspect_ratio: { type: 'string', enum: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21', 'adaptive'] },
  generate_audio: flag,
  seed: { type: 'integer' },
};

const veo: InputShape = {
  prompt,
  image: { type: 'url' },
  last_frame: { type: 'url' },
  duration: { type: 'integer', enum: [4, 6, 8] },
  resolution: { type: 'string', enum: ['720p', '1080p'] },
  aspect_ratio: { type: 'string', enum: ['16:9', '9:16'] },
  generate_audio: flag,
  negative_prompt: { type: 'string' },
  seed: { type: 'integer' },
};

/**
 * The inputs of each model on Replicate, from the schemas of `https://replicate.com/<owner>/<name>/api/schema` as of
 * October 2026.
 */
export const REPLICATE_INPUTS: Readonly<Record<string, InputShape>> = {
  'black-forest-labs/flux-2-pro': flux2,
  'black-forest-labs/flux-2-max': flux2,
  'black-forest-labs/flux-2-flex': {
    ...flux2,
    input_images: { type: 'urls', max_items: 10 },
    prompt_upsampling: flag,
    steps: { type: 'integer', minimum: 1, maximum: 50 },
    guidance: { type: 'number', minimum: 1.5, maximum: 10 },
  },
  'black-forest-labs/flux-2-klein-4b': klein,
  /** Not verified: the input of the undistilled model, without guidance, which only that one has. */
  'black-forest-labs/flux-2-klein-9b': klein,
  'black-forest-labs/flux-3-image': {
    prompt,
    images: { type: 'urls', max_items: 10 },
    aspect_ratio: {
      type: 'string',
      enum: [
        'auto',
        '21:9',
        '2:1',
        '16:9',
        '3:2',
        '7:5',
        '4:3',
        '5:4',
        '1:1',
        '4:5',
        '3:4',
        '5:7',
        '2:3',
        '9:16',
        '1:2',
        '9:21',
      ],
    },
    resolution: { type: 'string', enum: ['768sq', '1k', '1.5k', '2k', '4k'] },
    grounding: flag,
    safety_tolerance: { type: 'integer', minimum: 0, maximum: 4 },
    output_format: format,
    output_quality: quality,
  },
  'google/veo-3.1': { ...veo, reference_images: { type: 'urls' } },
  'google/veo-3.1-fast': veo,
  'bytedance/seedance-2.0': seedance2,
  'bytedance/seedance-2.0-fast': { ...seedance2, resolution: { type: 'string', enum: ['480p', '720p'] } },
  'bytedance/seedance-2.5': {
    ...seedance2,
    prompt: { type: 'string', max_length: 2000 },
    reference_images: { type: 'urls', max_items: 30 },
    reference_videos: { type: 'urls', max_items: 10 },
    reference_audios: { type: 'urls', max_items: 10 },
    duration: { type: 'integer', minimum: -1, maximum: 30 },
    resolution: { type: 'string', enum: ['480p', '720p'] },
    aspect_ratio: { type: 'string', enum: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'] },
    watermark: flag,
    output_format: { type: 'string', enum: ['mp4', 'mov'] },
  },
};
