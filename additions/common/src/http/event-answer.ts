import { plainAnswer } from '@darkroom-service/contract/schemas';
import type { TSchema } from 'typebox';

/**
 * Describes a stream of server-sent events, for the documentation.
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
