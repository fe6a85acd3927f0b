import { cutText, ServiceError } from '@darkroom-service/contract';
import type { onRequestHookHandler } from 'fastify';
import { isGrant } from '../../kernel-accounts.ts';
import type { Callers, HttpOptions } from '../../kernel-http.ts';

/** Core operations open to client tokens. All others need a key, also operations that are added later. */
const TASK_OPERATIONS = ['images', 'videos'].flatMap((type) => [
  `POST /v1/${type}`,
  `GET /v1/${type}`,
  `GET /v1/${type}/:task_id`,
  `POST /v1/${type}/:task_id/cancel`,
  `GET /v1/${type}/:task_id/content`,
]);
const CLIENT_OPERATIONS: ReadonlySet<string> = new Set([
  ...TASK_OPERATIONS,
  'POST /v1/images/actions',
  'POST /v1/prices',
  'POST /v1/prices/compare',
  'GET /v1/models',
  'GET /v1/models/:model_id',
  'POST /v1/files',
  'GET /v1/files/:file_id',
  'DELETE /v1/files/:file_id',
]);

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
} as const;

/** Refuses a client token where only a key may call, and on pages of other origins than its own. */
export const CLIENT_CALLERS: Callers = {
  check({ method, routeOptions: { url, config }, headers: { origin } }, { origins }, mode) {
    const operation = `${method === 'HEAD' ? 'GET' : method} ${url}`;
    if (mode === 'admin' || (config.takesClientTokens !== true && !CLIENT_OPERATIONS.has(operation)))
      throw new ServiceError('forbidden', 'A client token cannot do this. Call it from your server with the API key.');
    if (origin === undefined || origins.length === 0 || origins.includes(origin.toLowerCase())) return;
    throw new ServiceError(
      'forbidden',
      `This client token works only on pages of ${origins.join(', ')}; found the origin '${cutText(origin, 100)}'.`,
      { param: 'Origin' },
    );
  },
  answerPages: answerClientPages,
};

/**
 * Answers preflights under `/v1` and the paths of additions for any origin, and lets pages read the answers to client
 * tokens. Pages of the operator's own origins are answered by the general rules. Neither grants a right: no request
 * carries a credential that the page did not have.
 */
function answerClientPages(
  { corsOrigins, additions }: Pick<HttpOptions, 'corsOrigins' | 'additions'>,
  exposedHeaders: readonly string[],
): onRequestHookHandler {
  const paths = ['/v1/', ...additions.flatMap(({ doors = {} }) => Object.keys(doors))];
  const isForClients = (url: string) => paths.some((path) => url.startsWith(path));
  const exposed = exposedHeaders.join(', ');
  return (request, reply, done) => {
    const { headers, method } = request;
    const isOperators = corsOrigins.includes('*') || corsOrigins.includes(headers.origin ?? '');
    if (isOperators) return done();
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isForClients(request.url)) {
      const asked = headers['access-control-request-headers'];
      if (asked !== undefined)
        reply.header('access-control-allow-headers', asked).header('vary', 'access-control-request-headers');
      reply.code(204).headers(PREFLIGHT).send();
      return;
    }
    if (isGrant((headers.authorization ?? '').replace(/^bearer +/i, '')))
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposed);
    done();
  };
}
