import { ServiceError } from '@darkroom-service/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey, OrderingKey } from '../accounts/api-key.ts';
import type { Act, Actor } from '../accounts/audit.ts';
import { rateLimitHeaders } from '../accounts/rate-limit-headers.ts';
import type { RateKind } from '../accounts/rate-limits.ts';
import { isPartOfKey, ownerId } from '../accounts/scope.ts';
import { checkGrant } from './check-grant.ts';
import type { HttpOptions } from './http-options.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Key of the caller; set before the body is read. */
    apiKey: ApiKey;
  }
}

/** Admits a request, or throws the error that it is answered with. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Admits keys that order and read tasks, and client tokens where they may call. */
export function requireOrderingKey(options: Pick<HttpOptions, 'additions' | 'keyring' | 'takeKeyTurn'>): Guard {
  const { keyring, takeKeyTurn } = options;
  return async (request) => {
    const key = await keyring.authenticate(request.headers.authorization);
    // Set before the refusals, which also belong to the key.
    request.apiKey = key;
    if (key.mode === 'admin') {
      throw new ServiceError(
        'forbidden',
        'An admin key works only under /admin/v1. Order and read tasks with a live or test key.',
      );
    }
    checkGrant(request, key, options);
    const turn = takeKeyTurn(key.id);
    if (turn !== null) await turn;
  };
}

/** Admits admin keys. */
export function requireAdminKey(options: Pick<HttpOptions, 'additions' | 'keyring'>): Guard {
  const { keyring } = options;
  return async (request) => {
    const key = await keyring.authenticate(request.headers.authorization);
    request.apiKey = key;
    if (key.mode !== 'admin') {
      throw new ServiceError('forbidden', `This endpoint requires an admin key (dk_admin_…); found a ${key.mode} key.`);
    }
    checkGrant(request, key, options);
    if (key.client === undefined) for (const { adminKeyUsed } of options.additions) adminKeyUsed?.(key);
  };
}

/** Counts a request against its key's limit per minute; a create is also refused once the service stops. */
export function limitRate(
  { rateLimits, isStopping }: Pick<HttpOptions, 'rateLimits' | 'isStopping'>,
  kind: RateKind,
): Guard {
  return async (request, reply) => {
    const key = request.apiKey;
    for (const { owner, limit } of limitsOf(key, kind)) {
      const decision = await rateLimits.take(owner, kind, limit);
      if (decision === null) continue;
      const { allowed, state } = decision;
      reply.headers(rateLimitHeaders([state]));
      if (!allowed) {
        throw new ServiceError(
          'rate_limited',
          `This ${isPartOfKey(key) ? 'client token' : 'API key'} can send ${limit} ${kind} per minute. Retry in ${state.resetSeconds} s.`,
          { retryAfterSeconds: state.resetSeconds },
        );
      }
    }
    if (kind === 'creates' && isStopping()) {
      throw new ServiceError('shutting_down', 'The service is stopping and accepts no orders. Retry in a moment.', {
        retryAfterSeconds: 5,
      });
    }
  };
}

/**
 * Returns the rate limits of a request. An end user with a client token has limits of its own for reads and creates;
 * its creates count for the key as well.
 */
function limitsOf(key: ApiKey, kind: RateKind): { readonly owner: string; readonly limit: number }[] {
  const ofKey = { owner: key.id, limit: kind === 'creates' ? key.createsPerMinute : key.readsPerMinute };
  if (key.client === undefined || !isPartOfKey(key)) return [ofKey];
  const owner = ownerId(key);
  if (kind === 'reads') return [{ owner, limit: key.readsPerMinute }];
  return [{ owner, limit: key.client.createsPerMinute }, ofKey];
}

/** Returns the key of a request that passed `requireOrderingKey`. */
export function callerOf(request: FastifyRequest): OrderingKey {
  return request.apiKey as OrderingKey;
}

/** Returns the act of the caller that sent a request, with the client address by `DARKROOM_TRUST_PROXY`. */
export function actOf(request: FastifyRequest, { services }: Pick<HttpOptions, 'services'>): Act {
  return {
    actor: actorOf(request.apiKey),
    address: request.clientAddress,
    now: services.clock.now(),
    createId: services.createId,
  };
}

/** Returns the actor of a key. The key of a person has that person's name. */
function actorOf({ id, name, client }: ApiKey): Actor {
  return client?.person === undefined ? { id, name, kind: 'key' } : { id: client.person.id, name, kind: 'person' };
}
