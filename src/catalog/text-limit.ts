import type { Fault } from '@darkroom-service/contract';
import type { FieldLimit } from '@darkroom-service/contract/catalog';
import { LONGEST_PLAIN_TEXT } from '../base/long-texts.ts';

const DEFAULT_CHARACTERS = 10_000;

type Unit = NonNullable<FieldLimit['unit']>;

/** Creates a check of a text's length (10,000 characters if the entry sets no limit). */
export function compileTextLimit(limit: FieldLimit): (text: string, path: string, faults: Fault[]) => void {
  const max = limit.max ?? DEFAULT_CHARACTERS;
  const min = limit.min ?? 0;
  const unit = limit.unit ?? 'characters';
  return function checkLimit(text, path, faults) {
    // A text in another unit, for example one word, may be as long as the body.
    if (text.length > LONGEST_PLAIN_TEXT) {
      const message = `${path} has more than ${LONGEST_PLAIN_TEXT} characters; the maximum is ${max} ${unit}. Shorten it.`;
      faults.push({ param: path, code: 'prompt_too_long', message });
      return;
    }
    if (min === 0 && cannotExceed(text, max, unit)) return;
    const length = measureText(text, unit);
    if (length > max) {
      faults.push({
        param: path,
        code: 'prompt_too_long',
        message: `${path} has ${length} ${unit}; the maximum is ${max}. Shorten it.`,
      });
    } else if (length < min && text !== '') {
      faults.push({
        param: path,
        code: 'unsupported_value',
        message: `${path} has ${length} ${unit}; the minimum is ${min}.`,
      });
    }
  };
}

/**
 * Returns the length of a text: code points, words separated by spaces, UTF-8 bytes, or tokens (bytes / 3, rounded up).
 */
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

/** A UTF-16 unit is at most one character, half a word, one token, or three bytes: short texts need no counting. */
function cannotExceed(text: string, max: number, unit: Unit): boolean {
  return unit === 'bytes' ? text.length * 3 <= max : text.length <= max;
}

/** Counts without a copy or an iterator, since a text may be as long as a body. A surrogate pair is one code point. */
function countCodePoints(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) pairs++;
  }
  return text.length - pairs;
}

function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\S+/gu)) count++;
  return count;
}
