import { isAllowed, ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../accounts/api-key.ts';
import { OPERATIONS } from './docs/core-operations.ts';
import type { HttpOptions } from './http-options.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a client token may call this route of an addition. */
    takesClientTokens?: boolean;
    /** Operation whose roles may call this route, which is no operation of the API itself. */
    standsFor?: string;
  }
}

/**
 * Refuses a caller whose grant does not include the operation. The addition that signs people in decides about people,
 * and the additions that issue tokens decide about their tokens.
 * @throws ServiceError `forbidden`
 */
export function checkGrant(
  request: FastifyRequest,
  { client, mode }: ApiKey,
  { additions }: Pick<HttpOptions, 'additions'>,
): void {
  if (client === undefined) return;
  if (client.person === undefined) {
    const judges = additions.flatMap(({ callers }) => callers ?? []);
    if (judges.length === 0) throw new ServiceError('forbidden', 'This service takes no client tokens now.');
    for (const { check } of judges) check(request, client, mode);
    return;
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { url, config } = request.routeOptions;
  if (mayCallerCall({ client }, { additions }, config.standsFor ?? `${method} ${url}`)) return;
  const { role } = client.person;
  throw new ServiceError('forbidden', `The role '${role}' may not do this. Ask whoever manages the members.`);
}

/**
 * Whether the role of a person may call an operation, such as `POST /admin/v1/exports`. A key may call all operations
 * of its kind.
 */
export function mayCallerCall(
  { client }: Pick<ApiKey, 'client'>,
  { additions }: Pick<HttpOptions, 'additions'>,
  operation: string,
): boolean {
  const person = client?.person;
  if (person === undefined) return true;
  const name = operation.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{file}');
  const declared = [OPERATIONS, ...additions.map(({ operations = {} }) => operations)].map((all) => all[name]?.roles);
  // An addition from a folder may be of JavaScript, and have left the roles out.
  return declared.some((roles) => roles !== undefined && isAllowed(person.role, roles));
}
