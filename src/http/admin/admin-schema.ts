import { type TSchema, Type } from 'typebox';
import { refTo } from '../../wire/parts.ts';
import { ErrorAnswer } from '../answers.ts';
import { envelopeOf } from '../envelope.ts';

/** What the routes of operators have in common in the documentation; none takes a query unless it says so. @param data what is enveloped */
export function adminSchema(data: TSchema, code: 200 | 201 = 200) {
  return {
    tags: ['Admin'],
    querystring: Type.Object({}, { additionalProperties: false }),
    response: { [code]: envelopeOf(isNamed(data) ? refTo(data) : data, code), ...ErrorAnswer },
  };
}

function isNamed(schema: TSchema): boolean {
  return '$id' in schema;
}
