import type { ErrorCode, Fault, JsonValue } from '@darkroom-service/contract';
import { showValue } from '@darkroom-service/contract/catalog';

/** Maximum number of faults, after which checking stops. */
export const MOST_FAULTS = 100;

/** Creates the standard fault for a value: what was expected, and what was found. */
export function unexpected(path: string, code: ErrorCode, expectation: string, found: JsonValue): Fault {
  return { param: path, code, message: `${path} must be ${expectation}; found ${showValue(found)}.` };
}

/** Reports text that cannot be stored: NUL and lone surrogates. Null if the text is valid. */
export function textFault(path: string, text: string): Fault | null {
  if (text.includes('\0'))
    return { param: path, code: 'invalid_request', message: `${path} contains a NUL character. Remove it.` };
  if (!text.isWellFormed())
    return {
      param: path,
      code: 'invalid_request',
      message: `${path} is not valid Unicode: it contains an unpaired surrogate. Remove it.`,
    };
  return null;
}
