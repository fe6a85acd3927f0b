import type { JsonObject } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';
import type { GeminiHttp } from './gemini-http.ts';

/** Returns the body of a request, with its files as whole texts. */
export function bodyOf({ kernel }: Pick<GeminiHttp, 'kernel'>, { body }: FastifyRequest): JsonObject {
  return kernel.http.bodies.whole((body ?? {}) as JsonObject);
}
