import type { InputShape } from './fake-upstream.ts';

/**
 * The request bodies that Comfy Router validates orders against, from the schemas in its documentation
 * (`router-schemas/<provider>/<model>.json` of github.com/Comfy-Org/docs, read on 2026-11-21; `version` is the
 * schema's own). Fields that the schema leaves open are closed here, so the fake is never milder than the Router.
 */
export interface RouterInput {
  readonly version: string;
  readonly shape: InputShape;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const needed = { type: 'string', required: true } as const;
const oneOf = (...options: unknown[]) => ({ type: 'any', enum: options }) as const;
const from = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const;
const SEED_31 = from(0, 2_147_483_647);

const flux2: InputShape = {
  prompt: needed,
  width: from(256, 2048),
  height: from(256, 2048),
  output_format: oneOf('jpeg', 'png'),
  safety_tolerance: from(0, 5),
  prompt_upsampling: flag,
  seed: { type: 'integer' },
  ...Object.fromEntries(['', '_2', '_3', '_4', '_5', '_6', '_7', '_8', '_9'].map((at) => [`input_image${at}`, text])),
};
const flux3Image: InputShape = {
  prompt: needed,
  aspect_ratio: oneOf(
    ...[
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
  ),
  grounding: flag,
  images: { type: 'any' },
  resolution: oneOf('768sq', '1k', '1.5k', '2k', '4k'),
  safety_tolerance: from(0, 4),
  version: text,
};
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
const seedream: InputShape = {
  prompt: text,
  image: { type: 'urls', max_items: 14 },
  size: text,
  output_format: oneOf('png', 'jpeg'),
  response_format: oneOf('url', 'b64_json'),
  seed: from(-1, 2_147_483_647),
  sequential_image_generation: oneOf('auto', 'disabled'),
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
const gemini: InputShape = {
  contents: {
    type: 'objects',
    required: true,
    max_items: 1,
    fields: {
      role: oneOf('user', 'model'),
      parts: {
        type: 'objects',
        required: true,
        fields: {
          text,
          inlineData: {
            type: 'object',
            fields: { data: needed, mimeType: oneOf('image/png', 'image/jpeg', 'image/webp') },
          },
        },
      },
    },
  },
  generationConfig: {
    type: 'object',
    fields: {
      imageConfig: {
        type: 'object',
        fields: {
          aspectRatio: text,
          imageSize: oneOf('1K', '2K', '4K'),
          imageOutputOptions: { type: 'object', fields: { mimeType: oneOf('image/png', 'image/jpeg') } },
        },
      },
      responseModalities: { type: 'any' },
      seed: { type: 'integer' },
      thinkingConfig: { type: 'object', fields: { thinkingLevel: oneOf('LOW', 'MEDIUM', 'HIGH', 'MINIMAL') } },
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
const lumaPicture = { url: text, data: text, media_type: text } as const;
const luma: InputShape = {
  prompt: needed,
  type: oneOf('image', 'image_edit'),
  aspect_ratio: oneOf('3:1', '2:1', '21:9', '16:9', '3:2', '4:3', '1:1', '3:4', '2:3', '9:16', '1:2', '1:3'),
  image_ref: { type: 'objects', max_items: 9, fields: lumaPicture },
  source: { type: 'object', fields: lumaPicture },
  output_format: oneOf('png', 'jpeg'),
  style: oneOf('auto', 'manga'),
  web_search: flag,
};
const openai: InputShape = {
  prompt: needed,
  background: oneOf('transparent', 'opaque'),
  image: { type: 'urls', max_items: 16 },
  mask: { type: 'url' },
  moderation: oneOf('low', 'auto'),
  n: from(1, 10),
  output_compression: from(0, 100),
  output_format: oneOf('png', 'webp', 'jpeg'),
  quality: oneOf('low', 'medium', 'high', 'standard', 'hd'),
  size: text,
};
const rgb = { type: 'object', fields: { rgb: { type: 'integers', required: true, max_items: 3 } } } as const;
const recraft: InputShape = {
  prompt: needed,
  controls: {
    type: 'object',
    fields: { background_color: rgb, colors: { ...rgb, type: 'objects' }, no_text: flag },
  },
  n: from(1, 6),
  response_format: oneOf('url', 'b64_json'),
  size: text,
  style: text,
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
const grokImage: InputShape = {
  prompt: needed,
  aspect_ratio: oneOf(
    ...['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2', '9:19.5', '19.5:9', '9:20', '20:9', '1:2', '2:1', 'auto'],
  ),
  n: from(1, 10),
  quality: oneOf('low', 'medium', 'high'),
  resolution: oneOf('1k', '2k'),
};
const grokVideo: InputShape = {
  prompt: { type: 'string', required: true, max_length: 4096 },
  aspect_ratio: oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'),
  duration: from(1, 15),
  image: { type: 'object', fields: { url: { type: 'url', required: true }, type: oneOf('image_url') } },
  reference_images: { type: 'objects', fields: { url: { type: 'url', required: true } } },
  resolution: text,
};
const ideogram: InputShape = {
  text_prompt: text,
  json_prompt: { type: 'object' },
  enable_copyright_detection: flag,
  rendering_speed: oneOf('DEFAULT', 'TURBO', 'QUALITY'),
  resolution: oneOf(
    ...['2048x2048', '1440x2880', '2880x1440', '1664x2496', '2496x1664', '1792x2240', '2240x1792', '1440x2560'],
    ...['2560x1440', '1600x2560', '2560x1600', '1728x2304', '2304x1728', '1296x3168', '3168x1296', '1152x2944'],
    ...['2944x1152', '1248x3328', '3328x1248', '1280x3072', '3072x1280'],
  ),
};
const qwen: InputShape = {
  input: {
    type: 'object',
    required: true,
    fields: {
      messages: {
        type: 'objects',
        required: true,
        max_items: 1,
        fields: {
          role: { type: 'any', enum: ['user'], required: true },
          content: { type: 'objects', required: true, max_items: 4, fields: { text, image: { type: 'url' } } },
        },
      },
    },
  },
  parameters: {
    type: 'object',
    fields: {
      n: from(1, 6),
      negative_prompt: text,
      prompt_extend: flag,
      prompt_extend_mode: oneOf('direct', 'agent'),
      seed: SEED_31,
      size: text,
      watermark: flag,
    },
  },
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
/** The schema is shared by all Wan models; its texts name what each takes. */
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

export const ROUTER_INPUTS: Readonly<Record<string, RouterInput>> = {
  'bfl/flux-2-pro': { version: '6b84e55eac4e', shape: flux2 },
  'bfl/flux-2-max': { version: '6b84e55eac4e', shape: flux2 },
  'bfl/flux-3-image': { version: '3184229fc5e3', shape: flux3Image },
  'bfl/flux-3-video': { version: '14d51fd15b79', shape: flux3Video },
  'byteplus/dreamina-seedance-2-0-260128': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-0-fast-260128': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-0-mini': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/dreamina-seedance-2-5-260628': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/seedance-1-5-pro-251215': { version: 'a700bc7fc187', shape: seedance },
  'byteplus/seedream-4-5-251128': { version: '5b2ef5b0e394', shape: seedream },
  'byteplus/seedream-5-0-260128': { version: '5b2ef5b0e394', shape: seedream },
  'byteplus/seedream-5-0-pro-260628': { version: '5b2ef5b0e394', shape: seedream },
  'ideogram/ideogram-v4': { version: '1bba27e8b083', shape: ideogram },
  'kling/kling-3.0-turbo': { version: '0d4704f286c5', shape: klingTurbo },
  'kling/kling-v3': { version: '67e13ffc02b8', shape: klingText },
  'kling/kling-v3-omni': { version: '37e6c2ec747b', shape: klingOmni },
  'luma_2/uni-1': { version: '9bb6f0d00f13', shape: luma },
  'luma_2/uni-1-max': { version: '9bb6f0d00f13', shape: luma },
  'openai/gpt-image-2': { version: '2f4d9830b784', shape: openai },
  'openai/gpt-image-2.5-flare': { version: '2f4d9830b784', shape: openai },
  'openai/gpt-image-2.5-sunburst': { version: '2f4d9830b784', shape: openai },
  'qwen/qwen-image-3.0': { version: '2e693e1cb414', shape: qwen },
  'qwen/qwen-image-3.0-pro': { version: '2e693e1cb414', shape: qwen },
  'recraft/recraftv4_1': { version: 'ed94c85c3b0d', shape: recraft },
  'recraft/recraftv4_1_pro': { version: 'ed94c85c3b0d', shape: recraft },
  'runway/gen4_turbo': { version: '997e1bf5e175', shape: runway },
  'veo/veo-3.1-generate-001': { version: '461b74caa277', shape: veo },
  'veo/veo-3.1-fast-generate-001': { version: '461b74caa277', shape: veo },
  'veo/veo-3.1-lite-generate-001': { version: '461b74caa277', shape: veo },
  'vertexai/gemini-3-pro-image': { version: '4fddddb86113', shape: gemini },
  'vertexai/gemini-3.1-flash-lite-image': { version: '4fddddb86113', shape: gemini },
  'vertexai/gemini-nano-banana-2.1': { version: '4fddddb86113', shape: gemini },
  'wan/happyhorse-1.1-i2v': { version: 'ee8f0a65b21d', shape: wan(['first_frame'], 15) },
  'wan/happyhorse-1.1-r2v': { version: 'ee8f0a65b21d', shape: wan(['reference_image'], 15) },
  'wan/happyhorse-1.1-t2v': { version: 'ee8f0a65b21d', shape: wan([], 15) },
  'wan/wan2.7-i2v': { version: 'ee8f0a65b21d', shape: wan(['first_frame', 'last_frame'], 15) },
  'wan/wan2.7-r2v': { version: 'ee8f0a65b21d', shape: wan(['reference_image', 'reference_video'], 10) },
  'wan/wan2.7-t2v': { version: 'ee8f0a65b21d', shape: wan([], 15) },
  'wan/wan3.0-video': { version: '3ac273053927', shape: wan(WAN_MEDIA, 30) },
  'wan/wan3.0-video-prime': { version: '3ac273053927', shape: wan(WAN_MEDIA, 30) },
  'xai/grok-imagine-image': { version: '7bb3b789169f', shape: grokImage },
  'xai/grok-imagine-image-2.0': { version: '7bb3b789169f', shape: grokImage },
  'xai/grok-imagine-video': { version: '4888f1b583c9', shape: grokVideo },
  'xai/grok-imagine-video-1.5': { version: '4888f1b583c9', shape: grokVideo },
  'xai/grok-imagine-video-1.5-lite': { version: '4888f1b583c9', shape: grokVideo },
};

const krea: InputShape = {
  prompt: needed,
  aspect_ratio: oneOf('1:1', '4:3', '3:2', '16:9', '2.35:1', '4:5', '2:3', '9:16'),
  resolution: { type: 'any', enum: ['1K'], required: true },
  creativity: oneOf('raw', 'low', 'medium', 'high'),
  seed: { type: 'integer' },
  image_style_references: {
    type: 'objects',
    max_items: 10,
    fields: { url: { type: 'url', required: true }, strength: { type: 'number' } },
  },
};
const minimax: InputShape = {
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

/**
 * For these the Router publishes no fields and passes any object on; the vendor's own interface is the measure: Krea's
 * from its OpenAPI document as client programs quote it (2026-08-13), MiniMax's version 2 from its pages (2026-11-20).
 */
export const UNPROVEN: Readonly<Record<string, InputShape>> = {
  'krea/krea-2-large': krea,
  'krea/krea-2-medium': krea,
  'krea/krea-2-medium-turbo': krea,
  'minimax/minimax-h3': minimax,
};
