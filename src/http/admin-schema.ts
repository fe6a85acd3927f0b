import { type TSchema, Type } from 'typebox';
import { envelopeOf } from './envelope.ts';
import { ErrorAnswer } from './schemas.ts';

/** What the routes of operators have in common in the documentation; none takes a query unless it says so. @param data what is enveloped */
export function adminSchema(summary: string, data: TSchema, code: 200 | 201 = 200) {
  return {
    tags: ['Admin'],
    summary,
    querystring: Type.Object({}, { additionalProperties: false }),
    response: { [code]: envelopeOf(data, code), ...ErrorAnswer },
  };
}
