import { ServiceError } from '@darkroom-service/contract';
import { DatabaseError } from 'pg';
import { UnknownOutcome } from './write-queue.ts';

/** Tells whether the connection is lost or in an unknown state. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    // When the server ends a session, the severity is FATAL: shutdown, termination by an operator, one of our timeouts.
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
 * Tells whether a rolled back unit that failed with this error may succeed when it runs again: it lost a race against
 * another process (and will now see what that one wrote), or the connection was lost before the commit was requested.
 */
export function isRepeatable(error: unknown): boolean {
  if (isConnectionLoss(error)) return true;
  return error instanceof DatabaseError && (LOST_RACES.has(error.code ?? '') || isStalePlan(error));
}

/** unique_violation, serialization_failure, deadlock_detected. */
const LOST_RACES = new Set(['23505', '40001', '40P01']);

/**
 * Tells whether a transaction failed because of another one and can be repeated. Some servers refuse even reads with
 * this error.
 */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '40001';
}

/**
 * Tells whether a newer version added a column underneath a prepared statement, so that the connection has to prepare
 * it again.
 */
export function isStalePlan(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
}

/**
 * Tells whether the server may have committed although the commit failed with this error. Only a code that proves a
 * rollback is trusted: an intermediary, such as a proxy or a coordinator, answers with other codes when it has lost the
 * server.
 */
export function leavesOutcomeOpen(error: unknown): boolean {
  if (isConnectionLoss(error)) return true;
  return error instanceof DatabaseError && (error.code === '40003' || !PROVES_ROLLBACK.test(error.code ?? ''));
}

/** Violated constraints, invalid transaction states, rollbacks, lack of resources, objects not in the needed state. */
const PROVES_ROLLBACK = /^(23|25|40|53|55)/;

/** Tells whether the server has become a standby, or its transactions are read-only. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006';
}

/** Converts a database error into the error that callers see; other errors stay as they are. */
export function translateFault(error: unknown): unknown {
  if (error instanceof UnknownOutcome) {
    return new ServiceError(
      'service_unavailable',
      'The database did not confirm the commit, so it is unknown whether the request took effect. Check before you send it again, or repeat the same request with the same Idempotency-Key.',
      { retryAfterSeconds: 5, outcomeUnknown: true, cause: error },
    );
  }
  if (isConnectionLoss(error))
    return unavailable('The database is not available now; the request had no effect.', error);
  if (!(error instanceof DatabaseError)) return error;
  const code = error.code ?? '';
  if (code === '53100') {
    return new ServiceError(
      'storage_full',
      'The service cannot store anything now; the request had no effect. Retry later.',
      {
        retryAfterSeconds: 30,
        cause: error,
      },
    );
  }
  if (code === '22021' || code === '22P05') {
    return new ServiceError(
      'invalid_request',
      'A string contains a NUL character, which cannot be stored. Remove it.',
      {
        cause: error,
      },
    );
  }
  if (isReadOnlyServer(error)) return unavailable('The database is read-only now; the request had no effect.', error);
  if (BUSY.test(code)) return unavailable('The database is too busy now; the request had no effect.', error);
  return error;
}

/** Insufficient resources, system errors, timeouts, and lost races after all retries. */
const BUSY = /^(53|58|55P03|57014|40)/;

function unavailable(message: string, cause: unknown): ServiceError {
  return new ServiceError('service_unavailable', `${message} Retry later.`, { retryAfterSeconds: 5, cause });
}
