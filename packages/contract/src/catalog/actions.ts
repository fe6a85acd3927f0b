/** The follow-up actions of contract §7: their inputs, their results and their fields. */

export const CANONICAL_ACTIONS = [
  'upscale',
  'variation',
  'reroll',
  'upscale_subtle',
  'upscale_creative',
  'vary_subtle',
  'vary_strong',
  'vary_region',
  'zoom_out',
  'pan',
  'make_square',
  'remix',
] as const;
export type ActionName = (typeof CANONICAL_ACTIONS)[number];

interface ActionDefinition {
  readonly on: 'grid' | 'single' | 'any';
  /** `parent`: the same as the parent's own operation. */
  readonly gives: 'grid' | 'single' | 'parent';
  /** JSON Schema per field, as in an entry's `parameters`. `default: null` means none. */
  readonly parameters: Readonly<Record<string, { readonly default: unknown; readonly [keyword: string]: unknown }>>;
  readonly required: readonly string[];
}

const index = {
  type: 'integer',
  minimum: 1,
  maximum: 4,
  default: null,
  description: 'The tile: 1 top left, 2 top right, 3 bottom left, 4 bottom right.',
};
const prompt = { type: 'string', default: null, description: "A new prompt in place of the parent's." };

export const ACTIONS: Readonly<Record<ActionName, ActionDefinition>> = {
  upscale: { on: 'grid', gives: 'single', parameters: { index }, required: ['index'] },
  variation: { on: 'grid', gives: 'grid', parameters: { index, prompt }, required: ['index'] },
  reroll: { on: 'any', gives: 'parent', parameters: { prompt }, required: [] },
  upscale_subtle: { on: 'single', gives: 'single', parameters: {}, required: [] },
  upscale_creative: { on: 'single', gives: 'single', parameters: {}, required: [] },
  vary_subtle: { on: 'single', gives: 'grid', parameters: { prompt }, required: [] },
  vary_strong: { on: 'single', gives: 'grid', parameters: { prompt }, required: [] },
  vary_region: {
    on: 'single',
    gives: 'single',
    parameters: {
      mask_url: {
        type: 'string',
        format: 'uri',
        default: null,
        description: 'White is changed, black stays; scaled to the picture.',
      },
      prompt,
    },
    required: ['mask_url'],
  },
  zoom_out: {
    on: 'single',
    gives: 'single',
    parameters: {
      ratio: { type: 'number', minimum: 1.1, maximum: 2, default: 2, description: 'How much more is seen.' },
      prompt,
    },
    required: [],
  },
  pan: {
    on: 'single',
    gives: 'single',
    parameters: {
      direction: {
        type: 'string',
        enum: ['left', 'right', 'up', 'down'],
        default: null,
        description: 'Where the picture grows.',
      },
      prompt,
    },
    required: ['direction'],
  },
  make_square: { on: 'single', gives: 'single', parameters: {}, required: [] },
  remix: {
    on: 'any',
    gives: 'grid',
    parameters: {
      prompt,
      strength: {
        type: 'string',
        enum: ['subtle', 'strong'],
        default: 'strong',
        description: 'How far it may leave the parent.',
      },
    },
    required: ['prompt'],
  },
};
