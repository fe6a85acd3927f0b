import type { JsonObject } from '@darkroom-service/contract';
import { MOST } from '@darkroom-service/contract/parts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { GeminiHttp } from './gemini-http.ts';

/** Schema of a body that is judged by the model that it names. */
export const OpenBody = Type.Object(
  {},
  { 'x-judged-by': 'the model', additionalProperties: true, maxProperties: MOST.names },
);

/** Returns the body of a request, with its files as whole texts. */
export function bodyOf({ kernel }: Pick<GeminiHttp, 'kernel'>, { body }: FastifyRequest): JsonObject {
  return kernel.http.bodies.whole((body ?? {}) as JsonObject);
}
