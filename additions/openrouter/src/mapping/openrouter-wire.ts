import { Flag, Nullable, Text, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

/** Answers of OpenRouter's interface about videos and models, in its shapes. */

const Texts = Type.Unsafe<readonly string[]>(Type.Array(Text));
const Created = Type.Integer({ description: 'Seconds since 1970; 0, because the catalog does not say it.' });

export const VideoJob = Type.Object({
  id: Text,
  generation_id: Text,
  polling_url: Text,
  status: Type.Enum(['pending', 'in_progress', 'completed', 'failed', 'cancelled', 'expired']),
  unsigned_urls: Type.Optional(Texts),
  usage: Type.Optional(Type.Object({ cost: Type.Number({ description: 'The charge in US dollars.' }) })),
  error: Type.Optional(Text),
});
export type VideoJobView = Wire<typeof VideoJob>;

const Modalities = Type.Object({ input_modalities: Texts, output_modalities: Texts });

const ImageModel = Type.Object({
  id: Text,
  name: Text,
  description: Text,
  created: Created,
  architecture: Modalities,
  endpoints: Text,
  supported_parameters: Type.Unsafe<Readonly<Record<string, object>>>({ type: 'object', additionalProperties: true }),
  supports_streaming: Flag,
});
export type ImageModelView = Wire<typeof ImageModel>;

const VideoModel = Type.Object({
  id: Text,
  canonical_slug: Text,
  name: Text,
  description: Text,
  created: Created,
  allowed_passthrough_parameters: Texts,
  creativity: Type.Null(),
  generate_audio: Nullable(Flag),
  pricing_skus: Type.Object({ from: Text }),
  seed: Nullable(Flag),
  supported_aspect_ratios: Nullable(Texts),
  supported_durations: Nullable(Type.Unsafe<readonly number[]>(Type.Array(Type.Integer()))),
  supported_frame_images: Nullable(Texts),
  supported_resolutions: Nullable(Texts),
  supported_sizes: Type.Null(),
  upscale_factor: Type.Null(),
});
export type VideoModelView = Wire<typeof VideoModel>;

const RoutedModel = Type.Object({
  id: Text,
  canonical_slug: Text,
  name: Text,
  description: Text,
  created: Created,
  context_length: Type.Null(),
  architecture: Type.Object({
    modality: Text,
    input_modalities: Texts,
    output_modalities: Texts,
    instruct_type: Type.Null(),
    tokenizer: Text,
  }),
  pricing: Type.Object({
    prompt: Text,
    completion: Text,
    request: Type.String({ description: 'The lowest price of an order, in US dollars.' }),
  }),
  top_provider: Type.Object({ context_length: Type.Null(), max_completion_tokens: Type.Null(), is_moderated: Flag }),
  per_request_limits: Type.Null(),
  default_parameters: Type.Null(),
  supported_parameters: Texts,
  supported_voices: Type.Null(),
  links: Type.Object({ details: Text }),
});
export type RoutedModelView = Wire<typeof RoutedModel>;

const list = <View>(model: object) =>
  Type.Object({ data: Type.Unsafe<readonly View[]>({ type: 'array', items: model }) });
export const ImageModels = list<ImageModelView>(ImageModel);
export const VideoModels = list<VideoModelView>(VideoModel);
/** A page of all models. */
export const RoutedModels = Type.Object({
  ...list<RoutedModelView>(RoutedModel).properties,
  links: Type.Object({ next: Nullable(Text) }),
  total_count: Type.Integer(),
});
