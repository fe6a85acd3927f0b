import { ServiceError } from '@darkroom-service/contract/errors';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKey } from '../accounts/api-key.ts';
import { isClientToken } from '../accounts/client-token.ts';
import type { HttpOptions } from './http-options.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route of an addition: whether a client token may call it. */
    takesClientTokens?: boolean;
    /** Of a route that is no operation of the API: the operation whose roles may call it. */
    standsFor?: string;
  }
}

/** What a client token may call of the core. Everything else needs a key, also operations that are added later. */
const TASK_OPERATIONS = ['images', 'videos'].flatMap((type) => [
  `POST /v1/${type}`,
  `GET /v1/${type}`,
  `GET /v1/${type}/:task_id`,
  `DELETE /v1/${type}/:task_id`,
  `POST /v1/${type}/:task_id/cancel`,
  `POST /v1/${type}/:task_id/restore`,
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

/**
 * Refuses a client token where only a key may call, and on pages of other origins than its own. What a person may call
 * is said by the addition that signs people in, and by nothing else.
 * @throws ServiceError `forbidden`
 */
export function checkClientAccess(
  request: FastifyRequest,
  { client, mode }: ApiKey,
  { additions }: Pick<HttpOptions, 'additions'>,
): void {
  if (client === undefined) return;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { url, config } = request.routeOptions;
  if (client.person !== undefined) {
    if (mayCallerCall({ client }, { additions }, config.standsFor ?? `${method} ${url}`)) return;
    const { role } = client.person;
    throw new ServiceError('forbidden', `The role '${role}' may not do this. Ask whoever manages the members.`);
  }
  if (mode === 'admin' || (config.takesClientTokens !== true && !CLIENT_OPERATIONS.has(`${method} ${url}`))) {
    throw new ServiceError('forbidden', 'A client token cannot do this. Call it from your server with the API key.');
  }
  const { origin } = request.headers;
  if (origin === undefined || client.origins.length === 0 || client.origins.includes(origin.toLowerCase())) return;
  throw new ServiceError(
    'forbidden',
    `This client token works only on pages of ${client.origins.join(', ')}; found the origin '${origin.slice(0, 100)}'.`,
    { param: 'Origin' },
  );
}

/**
 * Whether the role of a person may call an operation, such as `POST /admin/v1/exports`. A key may call all of its own.
 */
export function mayCallerCall(
  { client }: Pick<ApiKey, 'client'>,
  { additions }: Pick<HttpOptions, 'additions'>,
  operation: string,
): boolean {
  const person = client?.person;
  return person === undefined || additions.some(({ mayCall }) => mayCall?.(person.role, operation) === true);
}

/**
 * Answers preflights under `/v1` and the paths of additions for any origin, and lets pages read the answers to client
 * tokens. Pages of the operator's own origins are answered by the general rules. Neither gives a right: no request
 * carries a credential that the page did not have.
 */
export function answerClientPages(
  { corsOrigins, additions }: Pick<HttpOptions, 'corsOrigins' | 'additions'>,
  exposedHeaders: readonly string[],
): onRequestHookHandler {
  const paths = ['/v1/', ...additions.flatMap(({ clientPaths }) => clientPaths ?? [])];
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
    if (isClientToken((headers.authorization ?? '').replace(/^bearer +/i, '')))
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposed);
    done();
  };
}
