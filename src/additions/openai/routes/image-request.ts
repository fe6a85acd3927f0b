import { cutText, ServiceError } from '@darkroom-service/contract';
import { MOST } from '@darkroom-service/contract/parts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../../kernel-http.ts';
import type { Call } from '../mapping/calls.ts';
import { readImageCall } from '../mapping/image-call.ts';
import { type ImageInputs, inputsOfForm, inputsOfJson, isInputField, mediaFields } from '../mapping/image-inputs.ts';
import { orderCall } from '../mapping/order-call.ts';
import { identityOf } from './call-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { readJson, readJsonOrForm, type SentRequest } from './read-request.ts';

const ROOT = '/openai/v1';

/** The model that the body names judges it. */
export const OpenBody = Type.Object(
  {},
  { 'x-judged-by': 'the model', additionalProperties: true, maxProperties: MOST.names },
);

/** A request for images. */
export interface ImageRequest extends SentRequest {
  /** The pictures of the request; null if it takes none. */
  readonly inputs: ImageInputs | null;
}

/** Reads a request that has a prompt alone. */
export function readPrompt(request: FastifyRequest): ImageRequest {
  return { ...readJson(request), inputs: null };
}

/** Reads a request that has images too. @throws ServiceError */
export async function readImageRequest(options: OpenaiHttp, request: FastifyRequest): Promise<ImageRequest> {
  const sent = await readJsonOrForm(options, request);
  const { maxDataUriBytes } = options.services.settings;
  try {
    return {
      ...sent,
      inputs: sent.isForm
        ? inputsOfForm(sent.files, sent.fields, maxDataUriBytes)
        : inputsOfJson(sent.fields, maxDataUriBytes),
    };
  } catch (error) {
    sent.release();
    throw error;
  }
}

/** Places the orders of a request. @param path identifies equal requests, without the mount. @throws ServiceError */
export async function placeImageRequest(
  options: OpenaiHttp,
  request: FastifyRequest,
  path: string,
  { fields, files, inputs, isForm, body }: ImageRequest,
): Promise<Call> {
  const { services, openai } = options;
  const key = callerOf(request);
  const media = inputs === null ? {} : await mediaFields(services, key.id, inputs);
  const unusedFiles = files.map(({ name }) => name).filter((name) => inputs === null || !isInputField(name));
  const sources = { catalog: services.catalog(), aliases: openai.aliases, media, isForm, unusedFiles };
  const image = readImageCall(fields, sources);
  return await orderCall(options, key, image, identityOf(request, { type: 'image', path: `${ROOT}${path}`, body }));
}

/** Tells whether the client wants its answer as a stream of events. */
export function wantsStream({ fields }: ImageRequest): boolean {
  return fields.stream === true || fields.stream === 'true';
}

/** The refusal of an id that is none of a call of this key. */
export function unknownCall(id: string): ServiceError {
  return new ServiceError('task_not_found', `This API key has no result '${cutText(id, 64)}'.`, { param: 'call_id' });
}
