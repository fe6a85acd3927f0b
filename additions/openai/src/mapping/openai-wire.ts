import { Nullable, Text, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

/** Answers of the OpenAI-compatible interface. They have OpenAI's shapes, so they are no part of our own document. */

export const OpenaiErrorBody = Type.Object({
  error: Type.Object({
    message: Text,
    type: Text,
    code: Type.String({ description: 'One of our own codes, or the failure code of a task.' }),
    param: Nullable(Text, 'The field as the caller wrote it.'),
    status: Type.Integer({ description: 'The HTTP status. Only this service sends it.' }),
    details: Type.Optional(
      Type.Unsafe<readonly object[]>({
        type: 'array',
        items: { type: 'object' },
        description: 'Of a 402: the balance or the limit that does not suffice, and when it resets.',
      }),
    ),
  }),
});
export type OpenaiErrorView = Wire<typeof OpenaiErrorBody>;

const OpenaiImage = Type.Object({
  b64_json: Type.Optional(Text),
  url: Type.Optional(Type.String({ format: 'uri' })),
  revised_prompt: Type.Optional(Text),
});
export type OpenaiImageView = Wire<typeof OpenaiImage>;

export const OpenaiImages = Type.Object({
  created: Type.Integer({ description: 'Seconds since 1970.' }),
  data: Type.Array(OpenaiImage),
  size: Type.Optional(Type.String({ description: 'WIDTHxHEIGHT of the first image.' })),
  output_format: Type.Optional(Text),
  quality: Type.Optional(Text),
  background: Type.Optional(Text),
});
export type OpenaiImagesView = Wire<typeof OpenaiImages>;
