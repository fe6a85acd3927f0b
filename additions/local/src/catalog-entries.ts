import type { Entry } from '@darkroom-service/contract/catalog';
import {
  CHARACTERS,
  LOCAL_ENGINE,
  NEGATIVE,
  PICTURE,
  PROMPT,
  pricingOf,
  ratio,
  SEED,
  STRENGTH,
  usesNegative,
} from './entry-parts.ts';
import type { ModelRecord } from './store.ts';
import { videoEntry } from './video-entry.ts';

const DEFAULT_SIDE = 1024;
const ACTIONS = [
  'upscale',
  'variation',
  'reroll',
  'vary_subtle',
  'vary_strong',
  'vary_region',
  'zoom_out',
  'pan',
  'make_square',
  'remix',
] as const;
const RATIOS = ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'] as const;

/** Returns the catalog entries of pulled models, at the operator's prices. */
export function catalogEntries(records: readonly ModelRecord[]): Entry[] {
  return records.flatMap((record) =>
    record.type === 'video' ? [videoEntry(record)] : [plainEntry(record), ...(record.edits ? [gridEntry(record)] : [])],
  );
}

/** Returns the ids of the entries of a model. */
export function modelIdsOf({ name, type, edits }: Pick<ModelRecord, 'name' | 'type' | 'edits'>): string[] {
  return [`local-${name}`, ...(type === 'image' && edits ? [`local-${name}-grid`] : [])];
}

function plainEntry(record: ModelRecord): Entry {
  const { edits } = record;
  const side = sideOf(record);
  const negative = usesNegative(record);
  return {
    model_id: `local-${record.name}`,
    name: record.title,
    type: 'image',
    description: `${record.title} on this machine: ${stepsOf(record)}about ${side} × ${side} pixels. Needs no account, and no data leaves the machine. Licence: ${record.licence}.`,
    parameters: {
      prompt: PROMPT,
      ...(negative ? { negative_prompt: NEGATIVE } : {}),
      ...(edits
        ? {
            image_urls: PICTURE,
            strength: STRENGTH,
          }
        : {}),
      aspect_ratio: edits
        ? ratio(
            ['auto', ...RATIOS],
            'Width to height of the image. `auto` follows the first image; without one it is 1:1.',
          )
        : ratio(RATIOS, 'Width to height of the image.'),
      seed: SEED,
    },
    required: [['prompt']],
    supported_features: [
      'text_to_image',
      ...(edits ? (['image_to_image'] as const) : []),
      ...(negative ? (['negative_prompt'] as const) : []),
      'seed',
    ],
    limits: {
      prompt: CHARACTERS,
      ...(negative ? { negative_prompt: CHARACTERS } : {}),
      ...(edits ? { image_urls: { max: 1, role: 'reference' as const } } : {}),
    },
    sizing: { tiers: { native: [side, side] }, tier: 'native' },
    output: { format: 'png' },
    pricing: pricingOf(record, 'image'),
    routes: [
      {
        engine: LOCAL_ENGINE,
        model: record.name,
        parameters: {
          prompt: 'prompt',
          seed: 'seed',
          width: 'width',
          height: 'height',
          ...(negative ? { negative_prompt: 'negative_prompt' } : {}),
          ...(edits
            ? {
                image_urls: { to: 'init_image', take: 'first' as const },
                strength: { to: 'strength', when: { mode: 'image_to_image' } },
              }
            : {}),
        },
        ...(edits ? { covers: ['strength'] } : {}),
        fixed: { output_format: 'png' },
      },
    ],
  };
}

function gridEntry(record: ModelRecord): Entry {
  const side = sideOf(record);
  const negative = usesNegative(record);
  return {
    model_id: `local-${record.name}-grid`,
    name: `${record.title}, grid`,
    type: 'image',
    description: `${record.title} on this machine with follow-up actions: four drafts of about ${side} × ${side} pixels in one 2 by 2 grid, to upscale, vary, zoom out, edit by mask or make again. Licence: ${record.licence}.`,
    parameters: {
      prompt: PROMPT,
      ...(negative ? { negative_prompt: NEGATIVE } : {}),
      aspect_ratio: ratio(RATIOS, 'Width to height of each image, and of the grid.'),
      seed: SEED,
    },
    required: [['prompt']],
    supported_features: [
      'text_to_image',
      ...(negative ? (['negative_prompt'] as const) : []),
      'seed',
      'follow_up_actions',
    ],
    actions: [...ACTIONS],
    limits: { prompt: CHARACTERS, ...(negative ? { negative_prompt: CHARACTERS } : {}) },
    sizing: { tiers: { native: [2 * side, 2 * side] }, tier: 'native' },
    output: { format: 'png', tiles: 4 },
    pricing: pricingOf(record, 'image'),
    routes: [
      {
        engine: LOCAL_ENGINE,
        model: record.name,
        when: { action: ['create', ...ACTIONS] },
        parameters: {},
        covers: [
          'prompt',
          'aspect_ratio',
          'seed',
          'index',
          'mask_url',
          'ratio',
          'direction',
          'strength',
          ...(negative ? ['negative_prompt'] : []),
        ],
      },
    ],
  };
}

function sideOf({ parameters }: ModelRecord): number {
  return parameters.width ?? DEFAULT_SIDE;
}

function stepsOf({ parameters }: ModelRecord): string {
  const { steps } = parameters;
  return steps === undefined ? '' : `${steps} step${steps === 1 ? '' : 's'}, `;
}
