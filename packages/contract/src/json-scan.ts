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
 * Measures a JSON text as it arrives, in one pass, and keeps nothing of it. Any text may be pushed: one that is no JSON
 * gives meaningless numbers in the same time.
 */
export class JsonScan {
  readonly #mostPlainBytes: number;
  readonly #takesBareBase64: boolean;
  #bytes = 0;
  #dataBytes = 0;
  #values = 0;
  #names = 0;
  #deepest = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Number of leading characters of the string that match `data:`; 5 = all of them, -1 = it does not begin so. */
  #matched = -1;
  /** Number of leading characters of the string that are base64, at most `BASE64_HEAD`; -1 = another character. */
  #base64 = -1;
  /** Number of bytes of the string that were read to tell whether it carries a file. */
  #headBytes = 0;
  #inScalar = false;
  #expectsName = false;
  #stringStart = 0;
  readonly #longData: ByteRange[] = [];
  readonly #isObject: boolean[] = [];
  readonly #namesAt: number[] = [];

  /**
   * @param mostPlainBytes a string that carries a file is long if it has more
   * @param takesBareBase64 whether files are also strings of base64 without `data:` before it
   */
  constructor(mostPlainBytes: number, takesBareBase64 = false) {
    this.#mostPlainBytes = mostPlainBytes;
    this.#takesBareBase64 = takesBareBase64;
  }

  /** Continues with the next bytes of the text. */
  push(chunk: Uint8Array): void {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        at = this.#readString(chunk, at);
        if (!this.#inString) this.#keepLongData(before + at);
      } else if (byte <= 0x20) this.#inScalar = false;
      else {
        this.#readStructure(byte);
        this.#stringStart = before + at + 1;
      }
    }
  }

  /** Returns the counts so far. */
  shape(): JsonShape {
    return {
      bytes: this.#bytes,
      bytesOutsideData: this.#bytes - this.#dataBytes,
      values: this.#values,
      names: this.#names,
      depth: this.#deepest,
    };
  }

  /** Tells whether a string, an object or an array has begun and not ended. */
  isOpen(): boolean {
    return this.#inString || this.#depth > 0;
  }

  /** Returns the long string values that carry files: their insides, without the quotes. */
  longData(): readonly ByteRange[] {
    return this.#longData;
  }

  /** Continues reading within a string. @returns the index of the last byte that was read. */
  #readString(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let at = from;
    while (this.#isUndecided() && at < end && this.#readHead(chunk[at]!)) {
      at++;
      this.#headBytes++;
      if (this.#isFile()) this.#dataBytes += this.#headBytes;
    }
    const start = at;
    let isEscaped = this.#escaped;
    for (const near = Math.min(at + SHORT_TEXT, end); at < near; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) {
        this.#inString = false;
        break;
      } else if (byte === BACKSLASH) isEscaped = true;
    }
    this.#escaped = isEscaped;
    if (this.#inString && at < end) at = this.#findEnd(chunk, at);
    if (this.#isFile()) this.#dataBytes += at - start;
    return at;
  }

  #isFile(): boolean {
    return this.#matched === DATA.length || this.#base64 === BASE64_HEAD;
  }

  /** Whether the string may still turn out to carry a file, and to carry none. */
  #isUndecided(): boolean {
    return !this.#isFile() && (this.#matched >= 0 || this.#base64 >= 0);
  }

  /** Reads one of the leading characters of a string. @returns false if the string carries no file */
  #readHead(byte: number): boolean {
    // Many libraries write each slash of base64 as an escape.
    if (this.#base64 >= 0 && !this.#escaped && byte === BACKSLASH) {
      this.#escaped = true;
      this.#matched = -1;
      return true;
    }
    const isEscapedSlash = this.#escaped && byte === SLASH;
    this.#matched = !this.#escaped && byte === DATA[this.#matched] ? this.#matched + 1 : -1;
    this.#base64 =
      this.#base64 >= 0 && (this.#escaped ? isEscapedSlash : IS_BASE64[byte] === 1) ? this.#base64 + 1 : -1;
    if (isEscapedSlash) this.#escaped = false;
    return this.#matched >= 0 || this.#base64 >= 0;
  }

  /**
   * Finds the quote that ends a string, after an even number of backslashes. The runtime's own search is many times
   * faster than a loop.
   * @returns the quote's index, or the length of the chunk
   */
  #findEnd(chunk: Uint8Array, from: number): number {
    const first = this.#escaped ? from + 1 : from;
    for (let next = first; ; ) {
      const quote = chunk.indexOf(QUOTE, next);
      const end = quote === -1 ? chunk.length : quote;
      let backslash = end;
      while (backslash > first && chunk[backslash - 1] === BACKSLASH) backslash--;
      this.#escaped = (end - backslash) % 2 === 1;
      if (quote === -1) return end;
      if (!this.#escaped) {
        this.#inString = false;
        return quote;
      }
      next = quote + 1;
    }
  }

  #keepLongData(end: number): void {
    if (this.#isFile() && end - this.#stringStart > this.#mostPlainBytes)
      this.#longData.push({ start: this.#stringStart, end });
  }

  #readStructure(byte: number): void {
    const level = this.#depth < LEVELS ? this.#depth : LEVELS - 1;
    if (byte === QUOTE) {
      this.#inString = true;
      this.#inScalar = false;
      const isName = this.#expectsName && this.#isObject[level] === true;
      this.#matched = isName ? -1 : 0;
      this.#base64 = isName || !this.#takesBareBase64 ? -1 : 0;
      this.#headBytes = 0;
      if (!isName) this.#values++;
      else {
        const count = (this.#namesAt[level] ?? 0) + 1;
        this.#namesAt[level] = count;
        if (count > this.#names) this.#names = count;
      }
      this.#expectsName = false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#values++;
      this.#depth++;
      if (this.#depth > this.#deepest) this.#deepest = this.#depth;
      const inner = this.#depth < LEVELS ? this.#depth : LEVELS - 1;
      this.#isObject[inner] = byte === OPEN_OBJECT;
      this.#namesAt[inner] = 0;
      this.#expectsName = byte === OPEN_OBJECT;
      this.#inScalar = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.#depth > 0) this.#depth--;
      this.#expectsName = false;
      this.#inScalar = false;
    } else if (byte === COMMA) {
      this.#expectsName = this.#isObject[level] === true;
      this.#inScalar = false;
    } else if (byte === COLON) this.#inScalar = false;
    else if (!this.#inScalar) {
      this.#inScalar = true;
      this.#values++;
    }
  }
}
