import type { RouterInput } from './comfy-router-schema.ts';
import type { InputShape } from './fake-upstream.ts';
import { flag, from, needed, oneOf, SEED_31, text } from './input-fields.ts';

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
  ),
  grounding: flag,
  images: { type: 'any' },
  resolution: oneOf('768sq', '1k', '1.5k', '2k', '4k'),
  safety_tolerance: from(0, 4),
  version: text,
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
const gen4Image: InputShape = {
  promptText: { type: 'string', required: true, max_length: 1000 },
  ratio: {
    ...oneOf(
      '1920:1080',
      '1080:1920',
      '1024:1024',
      '1360:768',
      '1080:1080',
      '1168:880',
      '1440:1080',
      '1080:1440',
      '1808:768',
      '2112:912',
    ),
    required: true,
  },
  referenceImages: { type: 'objects', fields: { uri: { type: 'url', required: true } } },
};
const grokImage: InputShape = {
  prompt: needed,
  aspect_ratio: oneOf(
    '1:1',
    '3:4',
    '4:3',
    '9:16',
    '16:9',
    '2:3',
    '3:2',
    '9:19.5',
    '19.5:9',
    '9:20',
    '20:9',
    '1:2',
    '2:1',
    'auto',
  ),
  n: from(1, 10),
  quality: oneOf('low', 'medium', 'high'),
  resolution: oneOf('1k', '2k'),
};
const ideogram: InputShape = {
  text_prompt: text,
  json_prompt: { type: 'object' },
  enable_copyright_detection: flag,
  rendering_speed: oneOf('DEFAULT', 'TURBO', 'QUALITY'),
  resolution: oneOf(
    '2048x2048',
    '1440x2880',
    '2880x1440',
    '1664x2496',
    '2496x1664',
    '1792x2240',
    '2240x1792',
    '1440x2560',
    '2560x1440',
    '1600x2560',
    '2560x1600',
    '1728x2304',
    '2304x1728',
    '1296x3168',
    '3168x1296',
    '1152x2944',
    '2944x1152',
    '1248x3328',
    '3328x1248',
    '1280x3072',
    '3072x1280',
  ),
};
const ideogram45: InputShape = {
  prompt: { type: 'string', required: true, max_length: 10_000 },
  enable_copyright_detection: flag,
  image: { type: 'url' },
  images: { type: 'urls', max_items: 5 },
  magic_prompt: oneOf('auto', 'on', 'off'),
  mask: { type: 'url' },
  num_images: from(1, 8),
  quality: oneOf('very_low', 'low', 'medium', 'high'),
  reference_images: { type: 'urls', max_items: 4 },
  seed: SEED_31,
  size: text,
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
export const krea: InputShape = {
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

export const ROUTER_PICTURES: Readonly<Record<string, RouterInput>> = {
  'bfl/flux-2-pro': { version: '6b84e55eac4e', shape: flux2 },
  'bfl/flux-2-max': { version: '6b84e55eac4e', shape: flux2 },
  'bfl/flux-3-image': { version: '3184229fc5e3', shape: flux3Image },
  'byteplus/seedream-4-5-251128': { version: '5b2ef5b0e394', shape: seedream },
  'byteplus/seedream-5-0-260128': { version: '5b2ef5b0e394', shape: seedream },
  'byteplus/seedream-5-0-flash-260915': { version: '1460f99edeeb', shape: seedream },
  'byteplus/seedream-5-0-pro-260628': { version: '5b2ef5b0e394', shape: seedream },
  'ideogram/ideogram-4-5': { version: 'e039966eaeb7', shape: ideogram45 },
  'ideogram/ideogram-v4': { version: '1bba27e8b083', shape: ideogram },
  'luma_2/uni-1': { version: '9bb6f0d00f13', shape: luma },
  'luma_2/uni-1-max': { version: '9bb6f0d00f13', shape: luma },
  'openai/gpt-image-2': { version: '2f4d9830b784', shape: openai },
  'openai/gpt-image-2.5-flare': { version: '2f4d9830b784', shape: openai },
  'openai/gpt-image-2.5-sunburst': { version: '2f4d9830b784', shape: openai },
  'qwen/qwen-image-3.0': { version: '2e693e1cb414', shape: qwen },
  'qwen/qwen-image-3.0-pro': { version: '2e693e1cb414', shape: qwen },
  'recraft/recraftv4_1': { version: 'ed94c85c3b0d', shape: recraft },
  'recraft/recraftv4_1_pro': { version: 'ed94c85c3b0d', shape: recraft },
  'recraft/recraftv4_1_utility': { version: 'ed94c85c3b0d', shape: recraft },
  'recraft/recraftv4_1_utility_pro': { version: 'ed94c85c3b0d', shape: recraft },
  'runway/gen4_image': { version: '7e48312b99fa', shape: gen4Image },
  'vertexai/gemini-3-pro-image': { version: '4fddddb86113', shape: gemini },
  'vertexai/gemini-3.1-flash-image': { version: '1a49a38ecf09', shape: gemini },
  'vertexai/gemini-3.1-flash-lite-image': { version: '4fddddb86113', shape: gemini },
  'vertexai/gemini-nano-banana-2.1': { version: '4fddddb86113', shape: gemini },
  'xai/grok-imagine-image': { version: '7bb3b789169f', shape: grokImage },
  'xai/grok-imagine-image-2.0': { version: '7bb3b789169f', shape: grokImage },
};
