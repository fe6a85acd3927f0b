import type { CatalogFile, Parameter } from '@darkroom-service/contract/catalog';

/** The engine of the tools that work on this machine. */
export const TOOLS_ENGINE = 'tools';
/** Names of the tools in routes. */
export const LAST_FRAME = 'last-frame';
export const JOIN = 'join';

/** The largest picture that is enlarged, in megapixels of 1,048,576 pixels: it takes some ten minutes of one core. */
const MOST_MEGAPIXELS = 1.5;
const SHORTEST_SIDE = 16;
const LONGEST_SIDE = 4096;
const MOST_VIDEOS = 20;

const ENLARGE_PARAMETERS: Readonly<Record<string, Parameter>> = {
  image_urls: {
    type: 'array',
    items: { type: 'string', format: 'uri', 'x-media': 'image' },
    minItems: 1,
    maxItems: 1,
    default: null,
    description: 'The image to enlarge.',
  },
  factor: {
    type: 'integer',
    enum: [2, 4],
    default: 2,
    description: 'How many times as wide and as high the output is.',
  },
  output_format: {
    type: 'string',
    enum: ['png', 'jpeg', 'webp'],
    default: 'png',
    description: 'File format of the output. JPEG has no transparency: it gets a white background.',
  },
};

const LAST_FRAME_PARAMETERS: Readonly<Record<string, Parameter>> = {
  video_url: { type: 'string', format: 'uri', 'x-media': 'video', default: null, description: 'The video.' },
  output_format: {
    type: 'string',
    enum: ['png', 'jpeg', 'webp'],
    default: 'png',
    description: 'File format of the output.',
  },
};

const JOIN_PARAMETERS: Readonly<Record<string, Parameter>> = {
  video_urls: {
    type: 'array',
    items: { type: 'string', format: 'uri', 'x-media': 'video' },
    minItems: 2,
    maxItems: MOST_VIDEOS,
    default: null,
    description: 'The videos, in the order in which they play: of one size, as one model makes them.',
  },
};

/** The models of the tools that work on this machine. */
export const TOOL_ENTRIES: CatalogFile = {
  vendor: 'Darkroom',
  models: [
    {
      model_id: 'enlarge',
      name: 'Enlarge',
      type: 'image',
      description:
        'Makes an image two or four times as wide and high, by a neural network on this machine. Keeps transparency and the colour profile. Needs no key or network; a megapixel of the original takes some minutes.',
      parameters: ENLARGE_PARAMETERS,
      required: [['image_urls']],
      supported_features: ['image_to_image', 'enlarge'],
      limits: {
        image_urls: {
          max: 1,
          role: 'reference',
          max_bytes: 30_000_000,
          max_megapixels: MOST_MEGAPIXELS,
          min_side: SHORTEST_SIDE,
          max_side: LONGEST_SIDE,
        },
      },
      as_action: 'enlarge',
      sizing: { times: 'factor' },
      pricing: {
        components: [
          { per: 'output_megapixel', amount: '0.008', when: { factor: 2 } },
          { per: 'output_megapixel', amount: '0.002', when: { factor: 4 } },
        ],
      },
      routes: [{ engine: TOOLS_ENGINE, model: 'esrgan-thick' }],
      notes: ['Both factors cost the same for one image: twice as large is made four times as large, then halved.'],
    },
    {
      model_id: 'last-frame',
      name: 'Last frame',
      type: 'image',
      description:
        'The last frame of a video as an image, such as the first frame of the next one. Free, and made on this machine.',
      parameters: LAST_FRAME_PARAMETERS,
      required: [['video_url']],
      supported_features: ['video_edit'],
      limits: { video_url: { role: 'source_video', max_bytes: 500_000_000 } },
      sizing: { times: 1 },
      pricing: { components: [{ per: 'image', amount: '0' }] },
      routes: [{ engine: TOOLS_ENGINE, model: LAST_FRAME }],
    },
    {
      model_id: 'join',
      name: 'Join videos',
      type: 'video',
      description:
        'Plays 2 to 20 videos of one size one after the other, with their sound. Nothing is encoded again. Free, and made on this machine.',
      parameters: JOIN_PARAMETERS,
      required: [['video_urls']],
      supported_features: ['video_edit', 'audio'],
      limits: { video_urls: { min: 2, max: MOST_VIDEOS, role: 'source_video', max_bytes: 500_000_000 } },
      sizing: { times: 1 },
      pricing: { components: [{ per: 'clip', amount: '0' }] },
      routes: [{ engine: TOOLS_ENGINE, model: JOIN }],
      notes: ['Videos that are coded differently are refused when the order is made, and cost nothing either.'],
    },
  ],
};

/** The models of an installation without the enlarging network. */
export const WITHOUT_NETWORK: CatalogFile = {
  ...TOOL_ENTRIES,
  models: TOOL_ENTRIES.models.filter(({ model_id: id }) => id !== 'enlarge'),
};
