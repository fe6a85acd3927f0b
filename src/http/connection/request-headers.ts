import { ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const LONGEST_WAIT_SECONDS = 60;

/**
 * The `Idempotency-Key`, or null.
 * @throws ServiceError `invalid_request` unless it has 1 to 255 printable characters.
 */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  return readPrintable(request, 'idempotency-key', 'Idempotency-Key');
}

/** The `Darkroom-Simulate` header as it was sent, or null. @throws ServiceError `invalid_request` */
export function readSimulateHeader(request: FastifyRequest): string | null {
  return readPrintable(request, 'darkroom-simulate', 'Darkroom-Simulate');
}

/** Seconds of `Prefer: wait=N`: above 60 counts as 60, and a malformed header as none. */
export function readWait(request: FastifyRequest): number | null {
  const prefer = request.headers.prefer;
  if (prefer === undefined) return null;
  for (const preference of String(prefer).split(',')) {
    const digits = /^\s*wait\s*=\s*"?(\d+)"?\s*(?:;.*)?$/i.exec(preference)?.[1];
    const seconds = Number(digits ?? 0);
    if (seconds > 0) return Math.min(seconds, LONGEST_WAIT_SECONDS);
  }
  return null;
}

function readPrintable(request: FastifyRequest, header: string, name: string): string | null {
  const value = request.headers[header];
  if (value === undefined) return null;
  if (typeof value === 'string' && PRINTABLE.test(value)) return value;
  throw new ServiceError('invalid_request', `The header ${name} must have 1 to 255 printable ASCII characters.`, {
    param: name,
  });
}
