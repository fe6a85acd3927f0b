import type { JsonObject } from '@darkroom-service/contract';
import { EngineError } from '../engine.ts';
import type { Answer } from './error-map.ts';
import { objectOf } from './json-object.ts';

/**
 * Returns the result that an answer holds. A page, an empty answer, an error or foreign JSON in its place is a fault of
 * reading, which says nothing about the order.
 * @param fields the fields of a result, of which one is enough
 * @throws EngineError after which the result is asked for again
 */
export function resultIn(name: string, { status, body }: Answer, fields: readonly string[]): JsonObject {
  const result = objectOf(body);
  if (status < 300 && fields.some((field) => result[field] !== undefined)) return result;
  throw new EngineError('upstream', `${name} answered something else than the result (${status})`, { took: 'yes' });
}
