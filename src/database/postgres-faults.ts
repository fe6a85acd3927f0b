import { DatabaseError } from 'pg';
import { ServiceError } from '../base/errors.ts';
import { UnknownOutcome } from './write-queue.ts';

/** The connection is gone, or can no longer be trusted to be in a known state. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    // A session that the server ends says so as FATAL: shutdown, termination by an operator, one of our time limits.
    return error.severity === 'FATAL' || error.severity === 'PANIC' || /^(08|57P)/.test(error.code ?? '');
  }
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return NETWORK_FAULTS.has(code ?? '') || DRIVER_FAULTS.test(error.message);
}

const NETWORK_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'ENOENT',
  'EAI_AGAIN',
]);
const DRIVER_FAULTS = /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout e)/;

/**
 * A unit that failed with this and was taken back may go through when it is run again: it lost a race against another process
 * (and will now see what that one wrote), or the connection was lost before the commit was asked for.
 */
export function isRepeatable(error: unknown): boolean {
  if (isConnectionLoss(error)) return true;
  return error instanceof DatabaseError && (LOST_RACES.has(error.code ?? '') || isStalePlan(error));
}

/** unique_violation, serialization_failure, deadlock_detected. */
const LOST_RACES = new Set(['23505', '40001', '40P01']);

/** A newer version has added a column beneath a prepared statement: the connection has to prepare anew. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
}

/** Whether the server may have committed although it (or the line) answered the commit with this. */
export function leavesOutcomeOpen(error: unknown): boolean {
  return isConnectionLoss(error) || (error instanceof DatabaseError && error.code === '40003');
}

/** What callers are told; what is no fault of the database stays as it is. */
export function translateFault(error: unknown): unknown {
  if (error instanceof UnknownOutcome) {
    return new ServiceError(
      'service_unavailable',
      'The connection to the database was lost while this was being committed, so it is not known whether it was taken. Look before sending it again, or send the very same request with the same Idempotency-Key.',
      { retryAfterSeconds: 5, outcomeUnknown: true, cause: error },
    );
  }
  if (isConnectionLoss(error))
    return unavailable('The database cannot be reached right now: nothing was taken.', error);
  if (!(error instanceof DatabaseError)) return error;
  const code = error.code ?? '';
  if (code === '53100') {
    return new ServiceError('storage_full', 'The disk of the database is full: nothing was taken. Try again later.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  if (code === '22021' || code === '22P05') {
    return new ServiceError('invalid_request', 'A text contains the character NUL, which cannot be stored.', {
      cause: error,
    });
  }
  if (BUSY.test(code)) return unavailable('The database is too busy right now: nothing was taken.', error);
  return error;
}

/** No resources, system errors, read-only (a standby), time limits and lost races that repeating did not help. */
const BUSY = /^(53|58|25006|55P03|57014|40)/;

function unavailable(message: string, cause: unknown): ServiceError {
  return new ServiceError('service_unavailable', `${message} Try again later.`, { retryAfterSeconds: 5, cause });
}
