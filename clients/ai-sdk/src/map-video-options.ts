import type {
  Experimental_VideoModelV4CallOptions as VideoModelV4CallOptions,
  Experimental_VideoModelV4File as VideoModelV4File,
} from '@ai-sdk/provider';
import { referenceOf } from './media.ts';
import type { ModelFacts } from './model-facts.ts';
import { type OrderBuilder, ratioOf } from './order-builder.ts';

/** Maps the options of `generateVideo` to the fields that the model has. */
export function mapVideoOptions(builder: OrderBuilder, facts: ModelFacts, options: VideoModelV4CallOptions): void {
  const { prompt, aspectRatio, resolution, duration, fps, seed, generateAudio, inputReferences = [] } = options;
  builder.set('prompt', prompt, 'prompt');
  builder.set('aspectRatio', ratioFor(builder, aspectRatio), 'aspect_ratio');
  builder.set('duration', duration, 'duration');
  builder.set('fps', fps, 'fps');
  builder.set('seed', seed, 'seed');
  builder.set('generateAudio', generateAudio, 'generate_audio');
  if (resolution !== undefined) mapResolution(builder, resolution);
  mapFrames(builder, facts, options);
  for (const [field, files] of referencesOf(inputReferences)) {
    if (files.length === 0) continue;
    if (builder.fields[field] !== undefined)
      builder.unsupported('inputReferences', `${field} already holds the frames.`);
    else builder.set('inputReferences', files, field);
  }
}

/** `adaptive` has two names among the vendors. */
function ratioFor(builder: OrderBuilder, ratio: string | undefined): string | undefined {
  return ratio === 'adaptive' && !builder.accepts('aspect_ratio', ratio) ? 'auto' : ratio;
}

/** Pixels become the model's size class, such as 720p, and the aspect ratio unless there is one. */
function mapResolution(builder: OrderBuilder, resolution: string): void {
  const side = Math.min(...resolution.split('x').map(Number));
  const found = [`${side}p`, `${side}P`].find((one) => builder.accepts('resolution', one));
  if (builder.accepts('size', resolution)) builder.set('resolution', resolution, 'size');
  else if (found === undefined)
    builder.unsupported('resolution', `The model has no ${side}p. Use providerOptions.darkroom.resolution.`);
  else {
    builder.set('resolution', found, 'resolution');
    const ratio = ratioOf(resolution);
    if (builder.fields.aspect_ratio === undefined && builder.accepts('aspect_ratio', ratio))
      builder.set('resolution', ratio, 'aspect_ratio');
  }
}

function mapFrames(builder: OrderBuilder, { imageRole }: ModelFacts, options: VideoModelV4CallOptions): void {
  const frame = (type: string) => options.frameImages?.find(({ frameType }) => frameType === type)?.image;
  const [first, last] = [frame('first_frame') ?? options.image, frame('last_frame')];
  const isFrames = imageRole !== 'reference';
  if (first !== undefined && !builder.accepts('first_frame_url') && (isFrames || frame('first_frame') === undefined))
    // Where images are references, a model without a first frame takes the image as one of those.
    builder.set(
      'image',
      [first, ...(imageRole === 'first_and_last_frame' && last ? [last] : [])].map(referenceOf),
      'image_urls',
    );
  else if (first !== undefined) builder.set('image', referenceOf(first), 'first_frame_url');
  const isSent = imageRole === 'first_and_last_frame' && builder.fields.image_urls !== undefined;
  if (last !== undefined && !isSent) builder.set('frameImages', referenceOf(last), 'last_frame_url');
}

function referencesOf(files: readonly VideoModelV4File[]): readonly (readonly [string, readonly string[]])[] {
  const of = (kind: string) => files.filter((file) => kindOf(file) === kind).map(referenceOf);
  return [
    ['image_urls', of('image')],
    ['reference_video_urls', of('video')],
    ['reference_audio_urls', of('audio')],
  ];
}

function kindOf({ mediaType }: VideoModelV4File): string {
  return mediaType?.split('/')[0] ?? 'image';
}
