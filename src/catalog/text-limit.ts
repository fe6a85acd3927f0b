import type { Fault } from '../base/errors.ts';
import type { FieldLimit } from './entry-schema.ts';

const DEFAULT_CHARACTERS = 10_000;

type Unit = NonNullable<FieldLimit['unit']>;

/** Checks the length of a text against its limit (10,000 characters where the entry says none). */
export function compileTextLimit(limit: FieldLimit): (text: string, path: string, faults: Fault[]) => void {
  const max = limit.max ?? DEFAULT_CHARACTERS;
  const min = limit.min ?? 0;
  const unit = limit.unit ?? 'characters';
  return function checkLimit(text, path, faults) {
    if (min === 0 && cannotExceed(text, max, unit)) return;
    const length = measureText(text, unit);
    if (length > max) {
      faults.push({
        param: path,
        code: 'prompt_too_long',
        message: `${path} may have at most ${max} ${unit}; it has ${length}.`,
      });
    } else if (length < min && text !== '') {
      faults.push({
        param: path,
        code: 'unsupported_value',
        message: `${path} must have at least ${min} ${unit}; it has ${length}.`,
      });
    }
  };
}

/** The length of a text: code points, words between spaces, UTF-8 bytes, or tokens (bytes / 3, rounded up). */
export function measureText(text: string, unit: Unit): number {
  switch (unit) {
    case 'characters':
      return countCodePoints(text);
    case 'words':
      return countWords(text);
    case 'tokens':
      return Math.ceil(Buffer.byteLength(text) / 3);
    case 'bytes':
      return Buffer.byteLength(text);
  }
}

/** A UTF-16 unit is at most a character, half a word, a token, or three bytes: short texts need no counting. */
function cannotExceed(text: string, max: number, unit: Unit): boolean {
  return unit === 'bytes' ? text.length * 3 <= max : text.length <= max;
}

/** Counted without a copy: a text may be as long as a body. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\S+/gu)) count++;
  return count;
}
