import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownerId } from '../accounts/scope.ts';
import { fingerprint } from '../base/canonical-json.ts';
import { ADMIN_SCOPE, type Binding, doOnce } from '../database/deeds.ts';
import { readIdempotencyKey } from './connection/request-headers.ts';
import type { HttpOptions } from './http-options.ts';

/** Functions that carry out a request that changes something, and answer its repetition. */
interface Steps<T> {
  readonly make: (binding: Binding) => Promise<T>;
  /** @param subject the subject to which `make` bound the key */
  readonly again: (subject: string) => Promise<T>;
  /** Value that a repetition must send again; default: the path and the body. */
  readonly fingerprint?: string;
}

/**
 * Carries out a request once for its `Idempotency-Key`, and marks the answer of a repetition. Every POST that changes
 * something and orders nothing is answered through it.
 */
export async function repeatable<T>(
  { services }: Pick<HttpOptions, 'services'>,
  request: FastifyRequest,
  reply: FastifyReply,
  steps: Steps<T>,
): Promise<T> {
  const key = readIdempotencyKey(request);
  const { apiKey } = request;
  const idempotency =
    key === null
      ? null
      : {
          scope: apiKey.mode === 'admin' ? ADMIN_SCOPE : ownerId(apiKey),
          key,
          fingerprint: steps.fingerprint ?? fingerprint({ path: pathOf(request), body: request.body ?? {} }),
        };
  const source = { database: services.database, now: services.clock.now() };
  const { answer, replayed } = await doOnce(source, idempotency, steps);
  if (replayed) reply.header('idempotent-replayed', 'true');
  return answer;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}
