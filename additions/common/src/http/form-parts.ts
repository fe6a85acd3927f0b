import { Transform } from 'node:stream';
import { ServiceError, world } from '@darkroom-service/contract';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/**
 * Bytes per turn. The parser makes a stream of each part, and the smallest part has five bytes: so many of them take
 * about 5 ms.
 */
const SLICE_BYTES = 8_192;

/**
 * Reads the parts of a multipart form, one after the other. A form of nothing but parts is read in short turns, between
 * which other requests are answered.
 * @param atMost the limits of a form at this endpoint, for the error message
 * @returns a function that resolves with the next part; undefined = the form has no more
 * @throws ServiceError `invalid_request` for a body that is no form. If the form breaks a limit of the parser, the
 * error has the parser's code
 */
export function readParts(request: FastifyRequest, atMost: string): () => Promise<Multipart | undefined> {
  let parts: ReturnType<FastifyRequest['parts']> | undefined;
  return async () => {
    try {
      parts ??= request.parts.call(inSlices(request));
      const { value, done } = await parts.next();
      return done === true ? undefined : value;
    } catch (error) {
      throw formError(error, atMost);
    }
  };
}

/** Returns the request with a body that comes in slices. The parser takes the body from the request itself. */
function inSlices(request: FastifyRequest): FastifyRequest {
  const body = request.raw.pipe(new Transform({ transform: pushSlices }));
  // A pipe does not report that its source was cut off.
  request.raw.once('close', () => {
    if (!request.raw.readableEnded) body.destroy();
  });
  const raw = Object.assign(body, { headers: request.headers });
  return Object.create(request, { raw: { value: raw } });
}

function pushSlices(this: Transform, chunk: Buffer, _encoding: string, done: () => void): void {
  let at = 0;
  const turn = () => {
    this.push(chunk.subarray(at, at + SLICE_BYTES));
    at += SLICE_BYTES;
    world.setImmediate(at < chunk.length ? turn : done);
  };
  turn();
}

/**
 * Returns the error for the caller: most of the parser's errors about a body have no code and do not know the endpoint.
 * @param atMost the limits of a form at this endpoint, for the error message
 */
export function formError(error: unknown, atMost: string): unknown {
  if (/^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(String((error as { code?: unknown }).code)))
    return new ServiceError('invalid_request', `The form has too many parts. Send ${atMost}.`, { cause: error });
  if (typeof (error as { code?: unknown }).code === 'string') return error;
  return new ServiceError('invalid_request', `The multipart body is malformed: ${(error as Error).message}.`, {
    cause: error,
  });
}
