import { Type } from 'typebox';
import { ErrorBody } from './error.ts';
import { refTo } from './parts.ts';

/** The failures of any operation, for the documentation; the document adds those that an operation names. */
export const ErrorAnswer = {
  default: Type.Unsafe<unknown>({ ...refTo(ErrorBody), description: 'Any other failure.' }),
};

/** Describes an answer that is not JSON, for the documentation. @param media content types of the answer */
export function plainAnswer(description: string, media: readonly string[], schema: object = { type: 'string' }) {
  return { description, content: Object.fromEntries(media.map((type) => [type, { schema }])) };
}
