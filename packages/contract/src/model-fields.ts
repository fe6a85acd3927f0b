import { type TSchema, Type } from 'typebox';
import { IMAGE_ROLES } from './catalog/vocabulary.ts';
import { LONGEST, Nullable, Word } from './parts.ts';

/**
 * The fields of orders that several models share, with the types they have in the catalog. A test compares the two.
 * Null means not sent. A model's `parameters` state which of them it accepts, and with which values.
 */
const field = <S extends TSchema>(schema: S, description: string) => Type.Optional(Nullable(schema, description));

const REFERENCE = 'A URL, a data URI, upload:<file_id> or task:<task_id>.';
const Reference = Type.String({ format: 'uri', maxLength: LONGEST.dataUri });
const References = Type.Array(Reference, { minItems: 1, maxItems: 100 });

export const GENERATION = {
  model_id: Type.String({
    maxLength: 64,
    description: 'The id of a model. GET /v1/models lists the models that your key can order.',
  }),
  prompt: field(
    Type.String({ maxLength: LONGEST.text }),
    'The description of the output. Some models accept a reference instead.',
  ),
  negative_prompt: field(Type.String({ maxLength: LONGEST.text }), 'What the output should not show.'),
  num_images: field(Type.Integer({ minimum: 1, maximum: 1 }), 'Always 1: one task makes one output.'),
  image_urls: field(References, `Reference images. ${REFERENCE}`),
  image_roles: field(
    Type.Array(Type.Enum(IMAGE_ROLES), { minItems: 1, maxItems: 100 }),
    "The role of each image of image_urls, in the same sequence: some of the model's image_roles. Instead of the fields of these roles, such as mask_url.",
  ),
  resolution: field(Word, "The size class, such as 1K or 720p: one of the model's values."),
  aspect_ratio: field(Word, "Width to height, such as 16:9: one of the model's values."),
  seed: field(Type.Integer(), 'The same seed with the same request gives a similar output.'),
  style: field(Word, "One of the model's styles."),
  watermark: field(Type.Boolean(), 'Whether the vendor marks the output.'),
  prompt_enhance: field(Type.Boolean(), 'Whether the vendor rewrites the prompt.'),
};

export const IMAGE = {
  size: field(Word, 'The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio.'),
  output_format: field(Word, 'The file type: png, jpeg or webp.'),
  output_compression: field(Type.Integer(), 'The quality of a jpeg or webp file, in percent.'),
  speed: field(Word, "One of the model's speeds. batch costs less and is made within 24 hours."),
  quality: field(Word, "One of the model's quality levels."),
  background: field(Word, 'transparent, opaque or auto.'),
  strength: field(Type.Number(), 'How far the output may differ from the reference, from 0 to 1.'),
  mask_url: field(Reference, `The area to change, in white. ${REFERENCE}`),
  style_image_urls: field(References, `Images whose style is used. ${REFERENCE}`),
  steps: field(Type.Integer(), 'The number of sampling steps.'),
  guidance_scale: field(Type.Number(), 'How closely the output follows the prompt.'),
};

export const VIDEO = {
  duration: field(Type.Union([Word, Type.Number()]), 'The length in seconds.'),
  fps: field(Type.Integer(), 'Frames per second.'),
  first_frame_url: field(Reference, `The first frame. ${REFERENCE}`),
  last_frame_url: field(Reference, `The last frame. ${REFERENCE}`),
  video_url: field(Reference, `The video to edit or extend. ${REFERENCE}`),
  reference_video_urls: field(References, `Reference videos. ${REFERENCE}`),
  reference_audio_urls: field(References, `Reference sounds. ${REFERENCE}`),
  generate_audio: field(Type.Boolean(), 'Whether the video has sound.'),
  camera: field(Word, "One of the model's camera movements."),
};
