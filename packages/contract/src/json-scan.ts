/** Size of a JSON text, in every measure that costs work later. */
export interface JsonShape {
  readonly bytes: number;
  /** The size without the content of strings that carry files. */
  readonly bytesOutsideData: number;
  /** Objects, arrays, strings, numbers, booleans and nulls; names are not values. */
  readonly values: number;
  /** The largest number of names in one object. */
  readonly names: number;
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
}

/** Offsets from the beginning of the body; `end` is behind the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Measures a JSON text as it arrives, in one pass, and keeps nothing of it. */
interface JsonScan {
  push(chunk: Uint8Array): void;
  /** The counts so far. */
  shape(): JsonShape;
  /** Whether a string, an object or an array has begun and not ended. */
  isOpen(): boolean;
  /** The long string values that carry files: their insides, without the quotes. */
  longData(): readonly ByteRange[];
}

const [QUOTE, BACKSLASH, SLASH, COMMA, COLON] = [0x22, 0x5c, 0x2f, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const DATA = new TextEncoder().encode('data:');
/** Characters of base64, of either alphabet, by which a string without `data:` is recognized as a file. */
const BASE64_HEAD = 64;
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, code) => Number(/[\w+/-]/.test(String.fromCharCode(code))));
/** Bytes of a string that are read one by one before a search pays off. */
const SHORT_TEXT = 64;
/** Deeper levels are counted, and share one entry. */
const LEVELS = 64;

/**
 * Creates a scanner of JSON text that arrives in pieces. Any text may be pushed: one that is no JSON gives meaningless
 * numbers in the same time.
 * @param mostPlainBytes a string that carries a file is long if it has more
 * @param takesBareBase64 whether files are also strings of base64 without `data:` before it
 */
export function createJsonScan(mostPlainBytes: number, takesBareBase64 = false): JsonScan {
  let bytes = 0;
  let dataBytes = 0;
  let values = 0;
  let names = 0;
  let deepest = 0;
  let depth = 0;
  let inString = false;
  let isName = false;
  let escaped = false;
  /** Number of leading characters of the string that match `data:`; 5 = all of them, -1 = it does not begin so. */
  let matched = -1;
  /** Number of leading characters of the string that are base64, at most `BASE64_HEAD`; -1 = another character. */
  let base64 = -1;
  /** Number of bytes of the string that were read to tell whether it carries a file. */
  let headBytes = 0;
  let inScalar = false;
  let expectsName = false;
  let stringStart = 0;
  const longData: ByteRange[] = [];
  const isObject: boolean[] = [];
  const namesAt: number[] = [];

  return {
    push(chunk) {
      const before = bytes;
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (inString) {
          at = readString(chunk, at);
          if (!inString) keepLongData(before + at);
        } else if (byte <= 0x20) inScalar = false;
        else {
          readStructure(byte);
          stringStart = before + at + 1;
        }
      }
    },
    isOpen: () => inString || depth > 0,
    longData: () => longData,
    shape: () => ({ bytes, bytesOutsideData: bytes - dataBytes, values, names, depth: deepest }),
  };

  /** Continues reading within a string. @returns the index of the last byte that was read. */
  function readString(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let at = from;
    while (isUndecided() && at < end && readHead(chunk[at]!)) {
      at++;
      headBytes++;
      if (isFile()) dataBytes += headBytes;
    }
    const start = at;
    let isEscaped = escaped;
    for (const near = Math.min(at + SHORT_TEXT, end); at < near; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) {
        inString = false;
        break;
      } else if (byte === BACKSLASH) isEscaped = true;
    }
    escaped = isEscaped;
    if (inString && at < end) at = findEnd(chunk, at);
    if (isFile()) dataBytes += at - start;
    return at;
  }

  function isFile(): boolean {
    return matched === DATA.length || base64 === BASE64_HEAD;
  }

  /** Whether the string may still turn out to carry a file, and to carry none. */
  function isUndecided(): boolean {
    return !isFile() && (matched >= 0 || base64 >= 0);
  }

  /** Reads one of the leading characters of a string. @returns false if the string carries no file */
  function readHead(byte: number): boolean {
    // Many libraries write each slash of base64 as an escape.
    if (base64 >= 0 && !escaped && byte === BACKSLASH) {
      escaped = true;
      matched = -1;
      return true;
    }
    const isEscapedSlash = escaped && byte === SLASH;
    matched = !escaped && byte === DATA[matched] ? matched + 1 : -1;
    base64 = base64 >= 0 && (escaped ? isEscapedSlash : IS_BASE64[byte] === 1) ? base64 + 1 : -1;
    if (isEscapedSlash) escaped = false;
    return matched >= 0 || base64 >= 0;
  }

  /**
   * Finds the quote that ends a string, after an even number of backslashes. The runtime's own search is many times
   * faster than a loop.
   * @returns the quote's index, or the length of the chunk
   */
  function findEnd(chunk: Uint8Array, from: number): number {
    const first = escaped ? from + 1 : from;
    for (let next = first; ; ) {
      const quote = chunk.indexOf(QUOTE, next);
      const end = quote === -1 ? chunk.length : quote;
      let backslash = end;
      while (backslash > first && chunk[backslash - 1] === BACKSLASH) backslash--;
      escaped = (end - backslash) % 2 === 1;
      if (quote === -1) return end;
      if (!escaped) {
        inString = false;
        return quote;
      }
      next = quote + 1;
    }
  }

  function keepLongData(end: number): void {
    if (isFile() && end - stringStart > mostPlainBytes) longData.push({ start: stringStart, end });
  }

  function readStructure(byte: number): void {
    const level = depth < LEVELS ? depth : LEVELS - 1;
    if (byte === QUOTE) {
      inString = true;
      inScalar = false;
      isName = expectsName && isObject[level] === true;
      matched = isName ? -1 : 0;
      base64 = isName || !takesBareBase64 ? -1 : 0;
      headBytes = 0;
      if (!isName) values++;
      else {
        const count = (namesAt[level] ?? 0) + 1;
        namesAt[level] = count;
        if (count > names) names = count;
      }
      expectsName = false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
      const inner = depth < LEVELS ? depth : LEVELS - 1;
      isObject[inner] = byte === OPEN_OBJECT;
      namesAt[inner] = 0;
      expectsName = byte === OPEN_OBJECT;
      inScalar = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth > 0) depth--;
      expectsName = false;
      inScalar = false;
    } else if (byte === COMMA) {
      expectsName = isObject[level] === true;
      inScalar = false;
    } else if (byte === COLON) inScalar = false;
    else if (!inScalar) {
      inScalar = true;
      values++;
    }
  }
}
