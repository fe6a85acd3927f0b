import { LONGEST_WAIT_SECONDS, ServiceError, world } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Returns the `Idempotency-Key`, or null.
 * @throws ServiceError `invalid_request` unless it has 1 to 255 printable characters.
 */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  return readPrintable(request, 'idempotency-key', 'Idempotency-Key');
}

/** Returns the `Darkroom-Simulate` header as it was sent, or null. @throws ServiceError `invalid_request` */
export function readSimulateHeader(request: FastifyRequest): string | null {
  return readPrintable(request, 'darkroom-simulate', 'Darkroom-Simulate');
}

/**
 * Returns the seconds of `Prefer: wait=N`, at most those that the request may still be held; null without the header,
 * if it is malformed, or if there are none left.
 */
export function readWait(request: FastifyRequest): number | null {
  const prefer = request.headers.prefer;
  if (prefer === undefined) return null;
  for (const preference of String(prefer).split(',')) {
    const digits = /^\s*wait\s*=\s*"?(\d+)"?\s*(?:;.*)?$/i.exec(preference)?.[1];
    const seconds = Number(digits ?? 0);
    if (seconds > 0) return Math.min(seconds, holdLeftOf(request)) || null;
  }
  return null;
}

/**
 * Returns the whole seconds for which a request may still be held, of `LONGEST_WAIT_SECONDS` since its body arrived.
 */
function holdLeftOf({ handledAt }: Pick<FastifyRequest, 'handledAt'>): number {
  return Math.max(0, LONGEST_WAIT_SECONDS - Math.floor((world.monotonic() - handledAt) / 1000));
}

function readPrintable(request: FastifyRequest, header: string, name: string): string | null {
  const value = request.headers[header];
  if (value === undefined) return null;
  if (typeof value === 'string' && PRINTABLE.test(value)) return value;
  throw new ServiceError('invalid_request', `The header ${name} must have 1 to 255 printable ASCII characters.`, {
    param: name,
  });
}
