import { EngineError, type EngineErrorClass } from '../engine.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { classOfFailure } from '../upstream/error-words.ts';
import { objectOf } from '../upstream/json-object.ts';

/** Kling's own code decides, not the HTTP status, since 429 is also sent for an exhausted balance. */
const CLASS_OF_CODE: Readonly<Record<number, EngineErrorClass>> = {
  1000: 'auth',
  1001: 'auth',
  1002: 'auth',
  1003: 'auth',
  1004: 'auth',
  1100: 'billing',
  1101: 'billing',
  1102: 'billing',
  1103: 'auth',
  1200: 'invalid_input',
  1201: 'invalid_input',
  /** A path or a model that does not exist (any more), which the operator must fix. */
  1202: 'auth',
  1203: 'auth',
  1300: 'content_policy',
  1301: 'content_policy',
  1302: 'rate_limited',
  1303: 'rate_limited',
  1304: 'auth',
  5000: 'upstream',
  5001: 'busy',
  5002: 'timeout',
};
const NO_SUCH_PATH = 1202;
/** "Server temporarily unavailable, usually due to maintenance": Kling's own page of error codes, 2026-09-20. */
const UNAVAILABLE = 5001;
/** Codes from here on mean internal errors at Kling, after which an order may exist. */
const OWN_TROUBLE = 5000;

/** Reads `{ code, message, request_id }`; null: the HTTP status decides. */
export function explainKlingError({ body }: Answer): Explained | null {
  const { code, message } = objectOf(body);
  if (typeof code !== 'number' || typeof message !== 'string') return null;
  const known = CLASS_OF_CODE[code];
  return {
    message: `${message} (${code})`,
    ...(known === undefined ? {} : { class: known }),
    ...(code === NO_SUCH_PATH ? { scope: 'route' } : {}),
    ...(code === UNAVAILABLE ? { refused: true } : {}),
  };
}

export function codeOf({ body }: Pick<Answer, 'body'>): number | null {
  const { code } = objectOf(body);
  return typeof code === 'number' ? code : null;
}

/** Checks the code of a response, since a refusal may come with HTTP 200. @throws EngineError if it means a failure. */
export function assertCodeIsZero(answer: Answer): void {
  const code = codeOf(answer);
  if (code === null || code === 0) return;
  const explained = explainKlingError(answer);
  const message = explained?.message ?? `it answered ${code}`;
  throw new EngineError(
    classOfFailure({ class: explained?.class, message }, answer.ordered?.() ?? []),
    `Kling: ${message}`,
    {
      took: code < OWN_TROUBLE || explained?.refused === true ? 'no' : 'unknown',
      scope: explained?.scope ?? 'engine',
    },
  );
}
