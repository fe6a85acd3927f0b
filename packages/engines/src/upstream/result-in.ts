import type { JsonObject } from '@darkroom-service/contract';
import { EngineError } from '../engine.ts';
import type { Answer } from './error-map.ts';
import { objectOf } from './json-object.ts';

/**
 * Returns the result in an answer. A page, an empty answer, an error or foreign JSON instead is a reading fault, which
 * says nothing about the order.
 * @param fields the fields of a result, one of which is enough
 * @throws EngineError after which the result is requested again
 */
export function resultIn(name: string, { status, body }: Answer, fields: readonly string[]): JsonObject {
  const result = objectOf(body);
  if (status < 300 && fields.some((field) => result[field] !== undefined)) return result;
  throw new EngineError('upstream', `${name} answered something else than the result (${status})`, { took: 'yes' });
}
