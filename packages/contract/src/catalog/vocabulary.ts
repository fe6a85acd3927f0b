/**
 * The closed lists of the catalog. docs/catalog.md defines features, price units and media roles;
 * test/documents.test.ts compares the lists.
 */

export const FEATURES = [
  'text_to_image',
  'image_to_image',
  'image_edit',
  'multi_reference',
  'mask_inpaint',
  'style_reference',
  'transparent_background',
  'enlarge',
  'cut_out',
  'photo',
  'text_in_pictures',
  'logo',
  'anime',
  'text_to_video',
  'image_to_video',
  'first_last_frame',
  'reference_to_video',
  'video_edit',
  'video_extend',
  'multi_shot',
  'audio',
  'audio_reference',
  'lip_sync',
  'camera_control',
  'negative_prompt',
  'prompt_enhance',
  'seed',
  'follow_up_actions',
] as const;

export const PRICE_UNITS = [
  'request',
  'image',
  'clip',
  'output_second',
  'input_video_second',
  'input_audio_second',
  'input_plus_output_second',
  'input_image',
  'output_megapixel',
  'input_megapixel',
  'formula',
] as const;

/** Outcomes that a test key can request for its task. */
export const SIMULATED_OUTCOMES = [
  'succeeded',
  'content_policy',
  'upstream_error',
  'timeout',
  'outcome_unknown',
  'stuck',
  'late',
] as const;

/** The roles that an order can give each of its images in `image_roles`. */
export const IMAGE_ROLES = [
  'reference',
  'mask',
  'control:depth',
  'control:pose',
  'control:edges',
  'style',
  'face',
  'first_frame',
  'last_frame',
] as const;
export type ImageRole = (typeof IMAGE_ROLES)[number];

export const MEDIA_ROLES = [
  ...IMAGE_ROLES,
  'first_and_last_frame',
  'source_video',
  'reference_video',
  'reference_audio',
] as const;
export type MediaRole = (typeof MEDIA_ROLES)[number];
