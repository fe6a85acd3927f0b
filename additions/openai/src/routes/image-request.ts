import { cutText, EXAMINED_WITHIN_MS, ServiceError, world } from '@darkroom-service/contract';
import { MOST } from '@darkroom-service/contract/parts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Call } from '../mapping/calls.ts';
import { readImageCall } from '../mapping/image-call.ts';
import { orderCall } from '../mapping/order-call.ts';
import { readMask } from '../mapping/read-mask.ts';
import { takeMedia } from '../mapping/sent-media.ts';
import { identityOf } from './call-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import type { SentRequest } from './read-request.ts';

const ROOT = '/openai/v1';
/** The only path whose orders may have no picture. */
export const GENERATIONS = '/images/generations';

/** Schema of a body that is judged by the model that it names. */
export const OpenBody = Type.Object(
  {},
  { 'x-judged-by': 'the model', additionalProperties: true, maxProperties: MOST.names },
);

/**
 * Places the orders of a request.
 * @param path identifies equal requests, without the mount; all but that of generations need a picture
 * @throws ServiceError
 */
export async function placeImageRequest(
  options: OpenaiHttp,
  request: FastifyRequest,
  path: string,
  { fields, files, isForm, body }: SentRequest,
): Promise<Call> {
  const { kernel, openai } = options;
  const key = kernel.http.caller(request);
  const sent = takeMedia(fields, files);
  const { references, masks } = sent;
  if (references.length === 0 && (masks.length > 0 || !path.startsWith(GENERATIONS))) throw withoutImage();
  const examinedBy = world.monotonic() + EXAMINED_WITHIN_MS;
  const mask = await readMask(kernel, { owner: key.id, examinedBy }, masks);
  const sources = { catalog: kernel.orders.catalog(), aliases: openai.aliases, mask, isForm };
  const image = readImageCall(sent, sources);
  const linked = { ...options, kernel: kernel.http.linked(request) };
  return await orderCall(
    linked,
    key,
    { ...image, examinedBy },
    identityOf(request, { type: 'image', path: `${ROOT}${path}`, body }),
  );
}

/** Tells whether the client wants its answer as a stream of events. */
export function wantsStream({ fields }: SentRequest): boolean {
  return fields.stream === true || fields.stream === 'true';
}

function withoutImage(): ServiceError {
  const message = 'image is missing. Send at least one image.';
  return new ServiceError('missing_reference', message, { param: 'image' });
}

/** Returns the refusal of an id that is not a call of this key. */
export function unknownCall(id: string): ServiceError {
  return new ServiceError('task_not_found', `This API key has no result '${cutText(id, 64)}'.`, { param: 'call_id' });
}
