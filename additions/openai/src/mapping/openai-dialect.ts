import type { Dialect } from './dialect.ts';
import { writeImages } from './images-answer.ts';

/** OpenAI's form. */
export const OPENAI_DIALECT: Dialect = {
  root: '/openai/v1',
  images: '/images/generations',
  params: {
    model_id: 'model',
    end_user: 'user',
    mask_url: 'mask',
    duration: 'seconds',
    first_frame_url: 'input_reference',
  },
  errorBody: (error) => ({ error }),
  writeImages,
};
