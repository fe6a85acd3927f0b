import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey, OrderingKey } from '../accounts/api-key.ts';
import type { Act } from '../accounts/audit.ts';
import type { RateKind } from '../accounts/rate-limits.ts';
import { ServiceError } from '../base/errors.ts';
import type { HttpOptions } from './http-options.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before the body is read. */
    apiKey: ApiKey;
  }
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Lets in keys that order and read tasks. */
export function requireOrderingKey({ keyring }: Pick<HttpOptions, 'keyring'>): Guard {
  return async (request) => {
    const key = await keyring.authenticate(request.headers.authorization);
    if (key.mode === 'admin') {
      throw new ServiceError(
        'forbidden',
        'An admin key works only under /admin/v1. Order and read tasks with a live or test key.',
      );
    }
    request.apiKey = key;
  };
}

/** Lets in admin keys. */
export function requireAdminKey({ keyring }: Pick<HttpOptions, 'keyring'>): Guard {
  return async (request) => {
    const key = await keyring.authenticate(request.headers.authorization);
    if (key.mode !== 'admin') {
      throw new ServiceError('forbidden', `This endpoint requires an admin key (dk_admin_…); found a ${key.mode} key.`);
    }
    request.apiKey = key;
  };
}

/** Counts a request against its key's limit per minute; a create is also refused once the service stops. */
export function limitRate(
  { rateLimits, isStopping }: Pick<HttpOptions, 'rateLimits' | 'isStopping'>,
  kind: RateKind,
): Guard {
  return async (request, reply) => {
    const key = request.apiKey;
    const limit = kind === 'creates' ? key.createsPerMinute : key.readsPerMinute;
    const decision = await rateLimits.take(key.id, kind, limit);
    if (decision !== null) {
      reply.header('ratelimit-policy', decision.policy);
      reply.header('ratelimit', decision.state);
      if (!decision.allowed) {
        throw new ServiceError(
          'rate_limited',
          `This API key can send ${limit} ${kind} per minute. Retry in ${decision.retryAfterSeconds} s.`,
          { retryAfterSeconds: decision.retryAfterSeconds },
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

/** The key of a request that came through `requireOrderingKey`. */
export function callerOf(request: FastifyRequest): OrderingKey {
  return request.apiKey as OrderingKey;
}

/** An act of the admin key that sent a request. */
export function actOf(request: FastifyRequest, { services }: Pick<HttpOptions, 'services'>): Act {
  return { actor: request.apiKey.id, now: services.clock.now(), createId: services.createId };
}
