import { type TSchema, Type } from 'typebox';
import { refTo } from '../../wire/parts.ts';
import { ErrorAnswer } from '../answers.ts';
import { envelopeOf } from '../envelope.ts';

/**
 * The common documentation of the admin routes. Routes accept no query unless they say so.
 * @param data the schema of `data`
 */
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
