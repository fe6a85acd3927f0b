import type { JsonValue } from '../base/canonical-json.ts';
import type { ErrorCode, Fault } from '../base/errors.ts';
import { showValue } from './describe-schema.ts';

/** A body with more faults than these is not worth reading on. */
export const MOST_FAULTS = 100;

/** A refusal in the words every fault of a value has: what was expected, and what was found. */
export function unexpected(path: string, code: ErrorCode, expectation: string, found: JsonValue): Fault {
  return { param: path, code, message: `${path} must be ${expectation}; found ${showValue(found)}.` };
}

/** What no text may hold, on any database: NUL and halves of surrogate pairs. Null when the text is sound. */
export function textFault(path: string, text: string): Fault | null {
  if (text.includes('\0'))
    return { param: path, code: 'invalid_request', message: `${path} holds a NUL character; take it out.` };
  if (!text.isWellFormed())
    return {
      param: path,
      code: 'invalid_request',
      message: `${path} is not well-formed Unicode: it holds half of a surrogate pair.`,
    };
  return null;
}
