import { createHash } from 'node:crypto';
import type { JsonObject } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { FastifyRequest } from 'fastify';
import type { FormFile } from '../mapping/sent-media.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { readForm } from './read-form.ts';

/** A request as it was sent, read from JSON or a form. */
export interface SentRequest {
  /** OpenAI's fields. */
  readonly fields: JsonObject;
  readonly files: readonly FormFile[];
  /** Whether the request is a form, which has text only. */
  readonly isForm: boolean;
  /** Body for comparison: equal for equal requests. */
  readonly body: JsonObject;
  /** Releases the budget of the body. */
  readonly release: () => void;
}

export function readJson({ http }: Pick<ServingKernel, 'http'>, request: FastifyRequest): SentRequest {
  const body = (request.body ?? {}) as JsonObject;
  return { fields: body, files: [], isForm: false, body, release: () => http.bodies.release(request) };
}

/** Reads the request of a route that accepts JSON and forms. @throws ServiceError */
export async function readJsonOrForm(
  options: Pick<OpenaiHttp, 'kernel' | 'maxBodyBytes'>,
  request: FastifyRequest,
): Promise<SentRequest> {
  if (!request.isMultipart()) return readJson(options.kernel, request);
  const form = await readForm(options, request);
  // Equal forms differ in their boundaries, so the contents of their files represent them.
  const digests = form.files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
  return { ...form, isForm: true, body: { fields: form.fields, files: digests } };
}
