import type { CatalogFile, Parameter } from '@darkroom-service/contract/catalog';

/** The engine of the tools that work on this machine. */
export const TOOLS_ENGINE = 'tools';

/** The largest picture that is enlarged, in megapixels of 1,048,576 pixels: it takes some ten minutes of one core. */
const MOST_MEGAPIXELS = 1.5;
const SHORTEST_SIDE = 16;
const LONGEST_SIDE = 4096;

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
  ],
};
