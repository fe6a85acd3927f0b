import { modalitiesOf } from '@darkroom-service/addition-openai/mapping/model-modalities';
import type { CatalogEntry } from '@darkroom-service/contract';
import { OPENROUTER_DIALECT } from './openrouter-dialect.ts';
import type { ImageModelView, RoutedModelView, VideoModelView } from './openrouter-wire.ts';

const { root } = OPENROUTER_DIALECT;
const MOST_IMAGES = 10;
/** Fields that the form and the catalog share, and that have a list of values. */
const LISTED = ['aspect_ratio', 'resolution', 'quality', 'background', 'output_format'];

/** Returns a model as an entry of all models. */
export function viewRoutedModel(entry: CatalogEntry): RoutedModelView {
  return {
    ...namesOf(entry),
    canonical_slug: entry.model_id,
    context_length: null,
    architecture: { ...modalitiesOf(entry), instruct_type: null, tokenizer: 'Media' },
    pricing: { prompt: '0', completion: '0', request: entry.pricing.from },
    top_provider: { context_length: null, max_completion_tokens: null, is_moderated: false },
    per_request_limits: null,
    default_parameters: null,
    supported_parameters: 'seed' in entry.parameters ? ['seed'] : [],
    supported_voices: null,
    links: { details: `${root}/${entry.type}s/models` },
  };
}

/** Returns a model for images. */
export function viewImageModel(entry: CatalogEntry): ImageModelView {
  const { input_modalities, output_modalities } = modalitiesOf(entry);
  const { parameters } = entry;
  const listed = LISTED.map((name) => [name, textsOf(entry, name)] as const);
  const enums = listed.flatMap(([name, values]) =>
    values === null ? [] : [[name, { type: 'enum', values }] as const],
  );
  const { maxItems: most = 1 } = (parameters.image_urls ?? {}) as { readonly maxItems?: number };
  return {
    ...namesOf(entry),
    architecture: { input_modalities, output_modalities },
    endpoints: `${root}/models`,
    supported_parameters: {
      ...Object.fromEntries(enums),
      n: { type: 'range', min: 1, max: MOST_IMAGES },
      ...('seed' in parameters ? { seed: { type: 'boolean' } } : {}),
      ...('image_urls' in parameters ? { input_references: { type: 'range', min: 0, max: most } } : {}),
    },
    supports_streaming: true,
  };
}

/** Returns a model for videos. */
export function viewVideoModel(entry: CatalogEntry): VideoModelView {
  const { parameters } = entry;
  const frames = (['first_frame', 'last_frame'] as const).filter((name) => `${name}_url` in parameters);
  return {
    ...namesOf(entry),
    canonical_slug: entry.model_id,
    allowed_passthrough_parameters: [],
    creativity: null,
    generate_audio: 'generate_audio' in parameters ? true : null,
    pricing_skus: { from: entry.pricing.from },
    seed: 'seed' in parameters,
    supported_aspect_ratios: textsOf(entry, 'aspect_ratio'),
    supported_durations: durationsOf(entry),
    supported_frame_images: frames.length === 0 ? null : frames,
    supported_resolutions: textsOf(entry, 'resolution'),
    supported_sizes: null,
    upscale_factor: null,
  };
}

function namesOf({ model_id, name, description }: CatalogEntry) {
  return { id: model_id, name, description, created: 0 };
}

function textsOf({ parameters }: CatalogEntry, name: string): string[] | null {
  const { enum: values } = (parameters[name] ?? {}) as { readonly enum?: readonly unknown[] };
  return values?.map(String) ?? null;
}

/** Returns the whole seconds that a model can be asked for; null if it has no duration. */
function durationsOf({ parameters }: CatalogEntry): number[] | null {
  if (!('duration' in parameters)) return null;
  const { enum: values, minimum = 1, maximum = minimum } = parameters.duration as DurationSchema;
  const range = Array.from({ length: Math.max(0, Math.floor(maximum - minimum)) + 1 }, (_, index) => minimum + index);
  return (values ?? range).filter((seconds) => Number.isInteger(seconds) && seconds > 0);
}

interface DurationSchema {
  readonly enum?: readonly number[];
  readonly minimum?: number;
  readonly maximum?: number;
}
