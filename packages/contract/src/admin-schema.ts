import type { TSchema } from 'typebox';
import { ErrorAnswer } from './answers.ts';
import { envelopeOf } from './envelope.ts';
import { ActionHeaders } from './orders.ts';
import { closedObject, refTo } from './parts.ts';

/**
 * Returns the common documentation of the admin routes. Routes accept no query unless they say so.
 * @param data the schema of `data`
 */
export function adminSchema(data: TSchema, code: 200 | 201 = 200) {
  return {
    tags: ['Admin'],
    querystring: closedObject({}),
    response: { [code]: envelopeOf(isNamed(data) ? refTo(data) : data, code), ...ErrorAnswer },
  };
}

/** Returns the schema of an operator's request that changes something and can be repeated. */
export function adminAction(data: TSchema, code: 200 | 201 = 200) {
  return { ...adminSchema(data, code), headers: ActionHeaders };
}

function isNamed(schema: TSchema): boolean {
  return '$id' in schema;
}
