import { ServiceError, world } from '@darkroom-service/contract';

/**
 * A text of megabytes that stays in the bytes of its request. A string would be one more copy, which blocks the event
 * loop while it is made and stays in memory until the garbage collector finds it. The request has a stand-in for it: a
 * string that begins like the text.
 */
export interface LongText {
  /** Length in bytes. */
  readonly length: number;
  /** @throws ServiceError when the request has ended */
  bytes(start: number, end: number): Uint8Array;
}

/** The long texts of one request. */
interface LongTexts {
  /** Adds a text and returns its stand-in. */
  add(range: { readonly start: number; readonly end: number }): string;
  /** Releases the texts. Reading one afterwards throws. */
  release(): void;
}

/**
 * Maximum length, in UTF-16 units, of a text that is not a medium. A stand-in is longer, so other fields reject it as
 * they would reject the text.
 */
export const LONGEST_PLAIN_TEXT = 131_072;
const MARK = /^[0-9a-f-]{36}$/;
const MARK_LENGTH = 36;

/** Long texts by their marks, which cannot be guessed. */
const texts = new Map<string, LongText>();

/**
 * Moves long texts out of a parsed body into memory outside the heap.
 * @param body contains the texts.
 * @param free releases the body's memory.
 */
export function keepLongTexts(body: Buffer, free: () => void): LongTexts {
  const marks: string[] = [];
  let isReleased = false;
  return {
    add({ start, end }) {
      const mark = world.randomUUID();
      marks.push(mark);
      texts.set(mark, {
        length: end - start,
        bytes(from, to) {
          if (isReleased)
            throw new ServiceError('invalid_request', 'The connection was closed before the body was read.');
          return body.subarray(start + from, Math.min(start + to, end));
        },
      });
      return body.toString('latin1', start, Math.min(start + LONGEST_PLAIN_TEXT, end)) + mark;
    },
    release() {
      isReleased = true;
      for (const mark of marks) texts.delete(mark);
      free();
    },
  };
}

/** Returns the text that a string stands for; null = the string is the text itself. */
export function longTextOf(text: string): LongText | null {
  if (text.length < MARK_LENGTH || texts.size === 0) return null;
  const mark = text.slice(-MARK_LENGTH);
  return MARK.test(mark) ? (texts.get(mark) ?? null) : null;
}

/** Returns a value with its texts in place of their stand-ins. */
export function withWholeTexts<Value>(value: Value): Value;
export function withWholeTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    const long = longTextOf(value);
    return long === null ? value : Buffer.from(long.bytes(0, long.length)).toString('utf8');
  }
  if (Array.isArray(value)) return value.map((item) => withWholeTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withWholeTexts(inner)]));
}
