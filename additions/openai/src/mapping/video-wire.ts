import { Flag, Nullable, Text, Whole, type Wire } from '@darkroom-service/contract/parts';
import { type Static, Type } from 'typebox';
import { OpenaiErrorBody, OpenaiImages, type OpenaiImagesView } from './openai-wire.ts';

/** The answers about models and videos of the OpenAI-compatible interface, in OpenAI's shapes. */

const Modality = Type.Enum(['text', 'image', 'video', 'audio']);
/** Read-only, as the lists of answers are. */
const Modalities = Type.Unsafe<readonly Static<typeof Modality>[]>(Type.Array(Modality));
const Seconds = Type.Integer({ description: 'Seconds since 1970.' });

export const OpenaiModel = Type.Object({
  id: Type.String({ description: 'A model of the catalog, or a name that stands for one.' }),
  object: Type.Literal('model'),
  created: Seconds,
  owned_by: Text,
  shutdown_date: Type.Optional(Text),
  architecture: Type.Object({
    modality: Type.String({ description: 'Both lists as one text, such as text+image->image.' }),
    input_modalities: Modalities,
    output_modalities: Modalities,
  }),
  capabilities: Type.Object(
    { image_generation: Flag, video_generation: Flag, vision: Flag },
    { description: 'What the model makes, and whether it takes pictures. Applications read it to sort models.' },
  ),
});
export type OpenaiModelView = Wire<typeof OpenaiModel>;

export const OpenaiModels = Type.Object({
  object: Type.Literal('list'),
  data: Type.Unsafe<readonly OpenaiModelView[]>(Type.Array(OpenaiModel)),
});

export const OpenaiVideo = Type.Object({
  id: Text,
  object: Type.Literal('video'),
  model: Type.String({ description: 'The model of the catalog that makes the video.' }),
  status: Type.Enum(['queued', 'in_progress', 'completed', 'failed']),
  progress: Whole,
  created_at: Seconds,
  completed_at: Nullable(Seconds),
  expires_at: Nullable(Seconds),
  error: Nullable(Type.Object({ code: Text, message: Text })),
  prompt: Nullable(Text),
  remixed_from_video_id: Nullable(Text),
  seconds: Type.String({ description: 'The length of the video; empty while the model has not chosen it.' }),
  size: Type.String({ description: 'WIDTHxHEIGHT.' }),
});
export type OpenaiVideoView = Wire<typeof OpenaiVideo>;

export const OpenaiVideos = Type.Object({
  object: Type.Literal('list'),
  data: Type.Unsafe<readonly OpenaiVideoView[]>(Type.Array(OpenaiVideo)),
  first_id: Nullable(Text),
  last_id: Nullable(Text),
  has_more: Flag,
});
export type OpenaiVideosView = Wire<typeof OpenaiVideos>;

export const OpenaiVideoDeletion = Type.Object({
  id: Text,
  object: Type.Literal('video.deleted'),
  deleted: Type.Literal(true),
});
export type OpenaiVideoDeletionView = Wire<typeof OpenaiVideoDeletion>;

export const OpenaiImageTask = Type.Object({
  id: Text,
  task_id: Text,
  object: Type.Literal('image.generation.task'),
  status: Type.Enum(['processing', 'completed', 'failed']),
  created_at: Seconds,
  completed_at: Type.Optional(Seconds),
  expires_at: Type.Integer({ description: 'Seconds since 1970. The images are erased then.' }),
  poll_url: Text,
  http_status: Type.Optional(
    Type.Integer({ description: 'The status that the waiting form of the call would have answered.' }),
  ),
  result: Type.Optional(Type.Unsafe<OpenaiImagesView>(OpenaiImages)),
  image_url: Type.Optional(Type.String({ description: 'The first image.' })),
  error: Type.Optional(OpenaiErrorBody.properties.error),
});
export type OpenaiImageTaskView = Wire<typeof OpenaiImageTask>;
