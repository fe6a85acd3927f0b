import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../base/canonical-json.ts';
import type { Call } from '../../openai/calls.ts';
import { readImageCall } from '../../openai/image-call.ts';
import { type ImageInputs, inputsOfForm, inputsOfJson, mediaFields } from '../../openai/image-inputs.ts';
import { orderCall } from '../../openai/order-images.ts';
import { callerOf } from '../authenticate.ts';
import { releaseBody } from '../bodies/read-body.ts';
import type { HttpOptions } from '../http-options.ts';
import { identityOf } from './call-request.ts';
import { readForm } from './read-form.ts';

const ROOT = '/openai/v1';

/** A request for images, read from JSON or a form. */
export interface ImageRequest {
  /** OpenAI's fields. */
  readonly fields: JsonObject;
  /** Null where the request takes none. */
  readonly inputs: ImageInputs | null;
  readonly isForm: boolean;
  /** Equal for equal requests. */
  readonly body: JsonObject;
  /** Returns the budget of the body. */
  readonly release: () => void;
}

/** Lets the routes of a scope take forms, for `readImageRequest`. */
export async function takeImageForms(forms: FastifyInstance, { maxBodyBytes }: HttpOptions): Promise<void> {
  await forms.register(multipart, { limits: { fileSize: maxBodyBytes } });
}

/** Reads a request that has a prompt alone. */
export function readPrompt(request: FastifyRequest): ImageRequest {
  return readJson(request, () => null);
}

/** Reads a request that has images too, as JSON or as a form. @throws ServiceError */
export async function readImageRequest(
  { services, maxBodyBytes }: HttpOptions,
  request: FastifyRequest,
): Promise<ImageRequest> {
  if (!request.isMultipart()) return readJson(request, inputsOfJson);
  const { fields, files, release } = await readForm(services, request, maxBodyBytes);
  // Equal forms differ in their boundaries, so the contents of their files stand for them.
  const digests = files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
  return { fields, inputs: inputsOfForm(files), isForm: true, body: { fields, files: digests }, release };
}

/** Places the orders of a request. @param path identifies equal requests, without the mount. @throws ServiceError */
export async function placeImageRequest(
  { services, openai }: HttpOptions,
  request: FastifyRequest,
  path: string,
  { fields, inputs, isForm, body }: ImageRequest,
): Promise<Call> {
  const key = callerOf(request);
  const media = inputs === null ? {} : await mediaFields(services, key.id, inputs);
  const image = readImageCall(fields, { catalog: services.catalog(), aliases: openai.aliases, media, isForm });
  return await orderCall(services, key, image, identityOf(request, { type: 'image', path: `${ROOT}${path}`, body }));
}

function readJson(request: FastifyRequest, inputsOf: (body: JsonObject) => ImageInputs | null): ImageRequest {
  const body = (request.body ?? {}) as JsonObject;
  return { fields: body, inputs: inputsOf(body), isForm: false, body, release: () => releaseBody(request) };
}

/** Tells whether the client wants its answer as a stream of events. */
export function wantsStream({ fields }: ImageRequest): boolean {
  return fields.stream === true || fields.stream === 'true';
}
