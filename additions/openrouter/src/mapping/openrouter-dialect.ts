import { chatUsage } from '@darkroom-service/addition-openai/mapping/chat-answer';
import type { Dialect, ResultWriter } from '@darkroom-service/addition-openai/mapping/dialect';
import { base64Of } from '@darkroom-service/addition-openai/mapping/images-answer';

/** Writes the answer of `POST images`. */
const writeImages: ResultWriter = async function* write(kernel, _call, result) {
  yield `{"created":${Math.floor(result.createdAt / 1000)},"data":[`;
  for (const [index, { output }] of result.images.entries()) {
    yield `${index > 0 ? ',' : ''}{"b64_json":"`;
    yield* base64Of(kernel, output);
    yield `","media_type":${JSON.stringify(output.contentType)}}`;
  }
  yield `],"usage":${JSON.stringify(chatUsage(result))}}`;
};

/** OpenRouter's form. Its clients accept an error only if its `code` is the HTTP status as a number. */
export const OPENROUTER_DIALECT: Dialect = {
  root: '/openrouter/api/v1',
  images: '/images',
  params: { model_id: 'model', end_user: 'user', image_urls: 'input_references', first_frame_url: 'frame_images' },
  errorBody: ({ status, message, code, param, details }) => ({
    error: {
      code: status,
      message,
      metadata: {
        error_type: code,
        ...(param === null ? {} : { param }),
        ...(details === undefined ? {} : { details }),
      },
    },
  }),
  writeImages,
};
