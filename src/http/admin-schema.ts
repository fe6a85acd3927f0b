import { Type } from 'typebox';
import { ErrorAnswer } from './schemas.ts';

/** What the routes of operators have in common in the documentation; none takes a query unless it says so. */
export function adminSchema(summary: string) {
  return {
    tags: ['Admin'],
    summary,
    querystring: Type.Object({}, { additionalProperties: false }),
    response: ErrorAnswer,
  };
}
