import { refTo } from '@darkroom-service/contract/parts';
import { ErrorBody } from '@darkroom-service/contract/schemas';
import { type TSchema, Type } from 'typebox';

/** The failures of any operation, for the documentation; the document adds those that an operation names. */
export const ErrorAnswer = {
  default: Type.Unsafe<unknown>({ ...refTo(ErrorBody), description: 'Any other failure.' }),
};

/**
 * A stream of server-sent events, for the documentation.
 * @param events the schema of the data of each event, by its name
 */
export function eventAnswer(description: string, events: Readonly<Record<string, TSchema>>) {
  const schemas = Object.entries(events).map(([name, contentSchema]) => ({
    type: 'object',
    properties: {
      event: { const: name },
      id: { type: 'string' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema },
    },
    required: ['event', 'data'],
  }));
  return plainAnswer(description, ['text/event-stream'], { anyOf: schemas });
}

/** An answer that is not JSON, for the documentation. @param media its content types */
export function plainAnswer(description: string, media: readonly string[], schema: object = { type: 'string' }) {
  return { description, content: Object.fromEntries(media.map((type) => [type, { schema }])) };
}
