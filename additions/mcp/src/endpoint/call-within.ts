import { ServiceError } from '@darkroom-service/contract';
import type { App, HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import { type CallApi, Refusal } from '../call-api.ts';

/**
 * Calls `/v1` within the process, with the key and the request id of a request. The calls go through the same hooks and
 * routes as those from outside, so every limit of the key applies to them.
 */
export function callWithin(
  app: App,
  request: FastifyRequest,
  { isStopping }: Pick<HttpOptions, 'isStopping'>,
): CallApi {
  const { remoteAddress } = request.socket;
  const forwarded = Object.entries(request.headers).filter(([name]) => name.startsWith('x-forwarded-'));
  const own = {
    ...Object.fromEntries(forwarded),
    host: request.headers.host ?? 'localhost',
    authorization: request.headers.authorization ?? '',
    'x-request-id': request.id,
  };
  return async ({ method, path, body, headers = {}, signal }) => {
    try {
      const answer = await app.inject({
        method,
        url: path,
        headers: { ...headers, ...own },
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
        ...(body === undefined ? {} : { payload: body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: answer.statusCode,
        header: (name) => textOf(answer.headers[name]),
        bytes: answer.rawPayload,
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isStopping()) throw error;
      const { code, message, status, retryable } = new ServiceError(
        'shutting_down',
        'The service is stopping. Repeat the call in a moment.',
      );
      throw new Refusal({ code, message, status, retryable }, error);
    }
  };
}

function textOf(value: string | string[] | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
