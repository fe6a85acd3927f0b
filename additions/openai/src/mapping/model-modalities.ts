import type { CatalogEntry } from '@darkroom-service/contract';
import type { OpenaiModelView } from './video-wire.ts';

/** Kinds of content of a model, as several gateways name them. */
type Modalities = OpenaiModelView['architecture'];

/** Fields of the catalog by which a model takes media. */
const TAKEN = [
  ['image', /^(?:image_urls|(?:first|last)_frame_url|style_image_urls|keyframes)$/],
  ['video', /^(?:reference_video_urls|video_url)$/],
  ['audio', /^reference_audio_urls$/],
] as const;

/** Returns what a model takes and what it makes. */
export function modalitiesOf({ type, parameters }: Pick<CatalogEntry, 'type' | 'parameters'>): Modalities {
  const names = Object.keys(parameters);
  const media = TAKEN.filter(([, field]) => names.some((name) => field.test(name))).map(([kind]) => kind);
  const input: Modalities['input_modalities'] = ['text', ...media];
  return { modality: `${input.join('+')}->${type}`, input_modalities: input, output_modalities: [type] };
}
