import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../../base/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Task in the answer to this create. */
    placed?: { readonly task_id: string; readonly replayed: boolean } | undefined;
    /** Error code of the answer. */
    refusal?: string | undefined;
  }
}

export type RequestLog = 'off' | 'errors' | 'all';

/**
 * Logs answers with their `request_id`. `errors`: every order that was placed, every refusal of a request with a key,
 * and every fault of ours. Requests without a key are left out: anybody could fill the log with them.
 */
export function logRequests(app: FastifyInstance, log: Log, which: RequestLog): void {
  if (which === 'off') return;
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const isPlaced = status === 201 && request.placed !== undefined;
    const isRefused = status >= 500 || (status >= 400 && keyOf(request) !== null);
    if (isPlaced || isRefused || which === 'all') {
      log.info(fieldsOf(request, status, reply.elapsedTime), isPlaced ? 'task placed' : 'request answered');
    }
    done();
  });
}

function fieldsOf(request: FastifyRequest, status: number, ms: number): object {
  const keyId = keyOf(request);
  return {
    request_id: request.id,
    method: request.method,
    route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
    status,
    ...(request.refusal === undefined ? {} : { code: request.refusal }),
    ms: Math.round(ms),
    ...(keyId === null ? {} : { key_id: keyId }),
    ...request.placed,
  };
}

/** Returns the id of a request's key; null before the request was admitted. */
function keyOf(request: FastifyRequest): string | null {
  return (request.apiKey as FastifyRequest['apiKey'] | undefined)?.id ?? null;
}
