import type { JsonValue } from '@darkroom-service/contract';
import { EngineError, type EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';

/**
 * PixVerse's page of error codes, as client programs quote it (2026-11-21). For other codes, the message tells. Not
 * verified against the live service: the code of a wrong key.
 */
const CLASS_OF_CODE: Readonly<Record<number, EngineErrorClass>> = {
  400011: 'invalid_input',
  400012: 'auth',
  400013: 'auth',
  400017: 'invalid_input',
  400018: 'invalid_input',
  400019: 'invalid_input',
  400032: 'invalid_input',
  500020: 'auth',
  500031: 'invalid_input',
  500032: 'invalid_input',
  500033: 'invalid_input',
  500043: 'billing',
  500044: 'rate_limited',
  500045: 'rate_limited',
  500054: 'content_policy',
  500063: 'content_policy',
  500069: 'busy',
  500090: 'billing',
};
const NO_SUCH_VIDEO = 500008;
/** The cause of an error that means that an order is unknown. */
export const GONE = Symbol('gone');

export function explainPixverseError({ status, body }: Answer): Explained | null {
  const { ErrCode: code, ErrMsg: message } = objectOf(body);
  const known = CLASS_OF_CODE[Number(code)];
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(known === undefined ? {} : { class: known }),
    // The operator must fix a moved endpoint; PixVerse's other endpoints are not affected.
    ...(status === 404 ? { class: 'auth' as const, scope: 'route' as const } : {}),
  };
}

/** Creates the error for a call that was answered with an error code. */
export function errorOfCode(code: JsonValue | undefined, message: string): EngineError {
  return new EngineError(CLASS_OF_CODE[Number(code)] ?? 'upstream', `PixVerse: ${message}`, {
    took: 'yes',
    ...(code === NO_SUCH_VIDEO ? { cause: GONE } : {}),
  });
}
