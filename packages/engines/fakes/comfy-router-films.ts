import type { RouterInput } from './comfy-router-schema.ts';
import type { InputShape } from './fake-upstream.ts';
import { flag, from, needed, oneOf, SEED_31, text } from './input-fields.ts';

const flux3Video: InputShape = {
  mode: { type: 'any', enum: ['t2v', 'i2v', 'v2v', 'draft_enhance'], required: true },
  prompt: text,
  aspect_ratio: oneOf('auto', '21:9', '2:1', '16:9', '4:3', '1:1', '3:4', '9:16'),
  draft: flag,
  draft_cache: text,
  duration: from(5, 20),
  generate_audio: flag,
  keyframes: { type: 'any' },
  resolution: oneOf('hd', 'fhd'),
  safety_tolerance: from(0, 4),
  start_video: text,
  version: text,
};
const url = { type: 'object', fields: { url: { type: 'url', required: true } } } as const;
const seedance: InputShape = {
  content: {
    type: 'objects',
    required: true,
    fields: {
      type: { type: 'any', enum: ['text', 'image_url', 'video_url', 'audio_url'], required: true },
      text: { type: 'string', max_length: 100_000 },
      image_url: url,
      video_url: url,
      audio_url: url,
      role: oneOf('first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio'),
    },
  },
  duration: oneOf(-1, ...Array.from({ length: 29 }, (_, at) => at + 2)),
  generate_audio: flag,
  output_format: oneOf('mp4', 'mov'),
  ratio: oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21', 'adaptive'),
  resolution: oneOf('480p', '720p', '1080p', '4k'),
  return_last_frame: flag,
  seed: from(-1, 4_294_967_295),
  service_tier: oneOf('default', 'flex'),
  watermark: flag,
};
const bytes = {
  type: 'object',
  fields: { bytesBase64Encoded: needed, mimeType: oneOf('image/jpeg', 'image/png') },
} as const;
const veo: InputShape = {
  instances: {
    type: 'objects',
    required: true,
    max_items: 1,
    fields: {
      prompt: needed,
      image: bytes,
      lastFrame: bytes,
      referenceImages: {
        type: 'objects',
        max_items: 3,
        fields: {
          image: { ...bytes, required: true },
          referenceType: { type: 'any', enum: ['asset', 'style'], required: true },
        },
      },
    },
  },
  parameters: {
    type: 'object',
    fields: {
      aspectRatio: oneOf('16:9', '9:16'),
      durationSeconds: oneOf(4, 6, 8),
      generateAudio: flag,
      negativePrompt: text,
      personGeneration: oneOf('dont_allow', 'allow_adult', 'allowAll'),
      resolution: oneOf('720p', '1080p', '4k'),
      sampleCount: from(1, 4),
      seed: from(0, 4_294_967_295),
    },
  },
};
const klingLength = oneOf(...Array.from({ length: 13 }, (_, at) => String(at + 3)));
const klingShots = {
  multi_shot: flag,
  shot_type: oneOf('customize', 'intelligence'),
  multi_prompt: {
    type: 'objects',
    max_items: 6,
    fields: { index: { type: 'integer' }, prompt: { type: 'string', max_length: 512 }, duration: text },
  },
} as const;
const klingText: InputShape = {
  prompt: { type: 'string', max_length: 2500 },
  negative_prompt: { type: 'string', max_length: 2500 },
  aspect_ratio: oneOf('16:9', '9:16', '1:1'),
  cfg_scale: { type: 'number', minimum: 0, maximum: 1 },
  duration: klingLength,
  mode: oneOf('std', 'pro'),
  sound: oneOf('on', 'off'),
  ...klingShots,
};
const klingOmni: InputShape = {
  prompt: { type: 'string', max_length: 2500 },
  aspect_ratio: oneOf('16:9', '9:16', '1:1'),
  duration: klingLength,
  image_list: {
    type: 'objects',
    fields: { image_url: needed, type: oneOf('first_frame', 'end_frame') },
  },
  mode: oneOf('std', 'pro'),
  sound: oneOf('on', 'off'),
  ...klingShots,
};
const klingTurbo: InputShape = {
  prompt: { type: 'string', required: true, max_length: 3072 },
  settings: {
    type: 'object',
    fields: {
      aspect_ratio: oneOf('16:9', '9:16', '1:1'),
      duration: from(3, 15),
      resolution: oneOf('720p', '1080p'),
    },
  },
};
const runway: InputShape = {
  promptImage: { type: 'url', required: true },
  promptText: { type: 'string', max_length: 1000 },
  duration: { ...from(2, 10), required: true },
  ratio: {
    type: 'any',
    enum: ['1280:720', '720:1280', '1104:832', '832:1104', '960:960', '1584:672', '1280:768', '768:1280'],
    required: true,
  },
  seed: { ...from(0, 4_294_967_295), required: true },
};
const pruna: InputShape = {
  input: {
    type: 'object',
    required: true,
    fields: {
      prompt: needed,
      aspect_ratio: oneOf('16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '1:1'),
      audio: { type: 'url' },
      draft: flag,
      duration: from(1, 20),
      fps: oneOf(24, 48),
      image: { type: 'url' },
      last_frame_image: { type: 'url' },
      prompt_upsampling: flag,
      resolution: oneOf('720p', '1080p'),
      save_audio: flag,
      seed: { type: 'integer' },
    },
  },
};
const aleph: InputShape = {
  promptText: { type: 'string', required: true, max_length: 1000 },
  videoUri: { type: 'url', required: true },
  contentModeration: { type: 'object', fields: { publicFigureThreshold: oneOf('auto', 'low') } },
  seed: from(0, 4_294_967_295),
};
const h3Max: InputShape = {
  prompt: { type: 'string', required: true },
  prompt_expansion_mode: { type: 'any', enum: ['balanced', 'quality'], required: true },
  aspect_ratio: oneOf('21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
  duration: { type: 'integer' },
  enable_safety_checker: flag,
  resolution: oneOf('480P', '768P'),
  seed: { type: 'integer' },
};
const grokVideo: InputShape = {
  prompt: { type: 'string', required: true, max_length: 4096 },
  aspect_ratio: oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'),
  duration: from(1, 15),
  image: { type: 'object', fields: { url: { type: 'url', required: true }, type: oneOf('image_url') } },
  reference_images: { type: 'objects', fields: { url: { type: 'url', required: true } } },
  resolution: text,
};
const WAN_MEDIA = [
  'first_frame',
  'last_frame',
  'reference_image',
  'reference_video',
  'reference_audio',
  'file',
  'link',
];
/** Returns the input of a Wan model. All share a schema; its texts name the fields that each accepts. */
const wan = (media: readonly string[], most: number): InputShape => ({
  input: {
    type: 'object',
    required: true,
    fields: {
      prompt: { type: 'string', max_length: 20_000 },
      negative_prompt: { type: 'string', max_length: 500 },
      media: {
        type: 'objects',
        fields: {
          type: { type: 'any', enum: WAN_MEDIA.filter((one) => media.includes(one)), required: true },
          url: { type: 'url', required: true },
        },
      },
    },
  },
  parameters: {
    type: 'object',
    fields: {
      audio: flag,
      duration: from(2, most),
      prompt_extend: flag,
      ratio: oneOf('adaptive', '16:9', '9:16', '1:1', '4:3', '3:4'),
      resolution: { type: 'any', enum: ['480P', '720P', '1080P'], required: true },
      seed: SEED_31,
      watermark: flag,
    },
  },
});

export const minimax: InputShape = {
  content: {
    type: 'objects',
    required: true,
    fields: {
      type: { type: 'any', enum: ['text', 'image_url', 'video_url', 'audio_url'], required: true },
      text,
      image_url: url,
      video_url: url,
      audio_url: url,
      role: oneOf('first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio'),
    },
  },
  resolution: oneOf('768P', '2K'),
  duration: from(4, 15),
  ratio: oneOf('adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
  aigc_watermark: flag,
};

export const ROUTER_FILMS: Readonly<Record<string, RouterInput>> = {
  'bfl/flux-3-video': { version: '14d51fd15b79', shape: flux3Video },
  'byteplus/dreamina-seedance-2-0-260128': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-0-fast-260128': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-0-mini': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-5-260628': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/seedance-1-5-pro-251215': { version: 'a700bc7fc187', shape: seedance },
  'fal/h3-max': { version: 'a2d725bf1c50', shape: h3Max },
  'fal/h3-max-turbo': { version: '90f115db16f2', shape: h3Max },
  'kling/kling-3.0-turbo': { version: '0d4704f286c5', shape: klingTurbo },
  'kling/kling-v3': { version: '67e13ffc02b8', shape: klingText },
  'kling/kling-v3-omni': { version: '37e6c2ec747b', shape: klingOmni },
  'pruna/p-video-2': { version: '337294aee710', shape: pruna },
  'runway/aleph2': { version: 'fec441482380', shape: aleph },
  'runway/gen4_turbo': { version: '997e1bf5e175', shape: runway },
  'veo/veo-3.1-generate-001': { version: '461b74caa277', shape: veo },
  'veo/veo-3.1-fast-generate-001': { version: '461b74caa277', shape: veo },
  'veo/veo-3.1-lite-generate-001': { version: '461b74caa277', shape: veo },
  'wan/happyhorse-1.1-i2v': { version: 'ee8f0a65b21d', shape: wan(['first_frame'], 15) },
  'wan/happyhorse-1.1-r2v': { version: 'ee8f0a65b21d', shape: wan(['reference_image'], 15) },
  'wan/happyhorse-1.1-t2v': { version: 'ee8f0a65b21d', shape: wan([], 15) },
  'wan/wan2.7-i2v': { version: 'ee8f0a65b21d', shape: wan(['first_frame', 'last_frame'], 15) },
  'wan/wan2.7-r2v': { version: 'ee8f0a65b21d', shape: wan(['reference_image', 'reference_video'], 10) },
  'wan/wan2.7-t2v': { version: 'ee8f0a65b21d', shape: wan([], 15) },
  'wan/wan3.0-video': { version: '3ac273053927', shape: wan(WAN_MEDIA, 30) },
  'wan/wan3.0-video-prime': { version: '3ac273053927', shape: wan(WAN_MEDIA, 30) },
  'xai/grok-imagine-video': { version: '4888f1b583c9', shape: grokVideo },
  'xai/grok-imagine-video-1.5': { version: '4888f1b583c9', shape: grokVideo },
  'xai/grok-imagine-video-1.5-lite': { version: '4888f1b583c9', shape: grokVideo },
};
