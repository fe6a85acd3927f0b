import { keepBase64 } from '@darkroom-service/media/kept-base64';
import { allocateBytes, freeBytes } from '@darkroom-service/media/large-bytes';
import { takeTurn } from '@darkroom-service/media/take-turn';
import type { Answer } from './error-map.ts';

/** A JSON text in which short names stand for the files that it had in base64. */
interface TextWithFiles {
  readonly text: string;
  /** By their names in the text. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Shorter strings stay as they are. */
const LEAST_CHARACTERS = 4 * 1024;
const LARGE_BYTES = 256 * 1024;
const [QUOTE, BACKSLASH, EQUALS] = [0x22, 0x5c, 0x3d];

let reads = 0;

/**
 * Reads a JSON text and decodes the files in it while they arrive, so that their base64 is never in memory as a whole.
 * A file is a long string that is base64 only, after `data:…,` if it begins with that.
 * @param expectedBytes the length of the text, if it is known
 * @throws the error of the body
 */
export async function readFiles(body: AsyncIterable<Uint8Array>, expectedBytes = 0): Promise<TextWithFiles> {
  const reader = new FileReader(expectedBytes);
  // What came first is finished first, so that few files are in memory.
  const rank = ++reads;
  for await (const chunk of body) {
    if (expectedBytes > LARGE_BYTES || reader.isInFile) await takeTurn(rank);
    reader.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  return reader.end();
}

/** Returns the file that a string of an answer is, in base64 or by name. */
export function fileIn({ files }: Pick<Answer, 'files'>, value: string): Uint8Array {
  return files?.get(value) ?? Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
}

class FileReader {
  readonly #expectedBytes: number;
  /** The text so far, but for the string that has not ended. */
  readonly #text: Buffer[] = [];
  /** Where each is, and its base64 if it came in one piece. */
  readonly #ends: { readonly start: number; readonly end: number; base64: Buffer | null }[] = [];
  /** All files in a row. */
  #bytes = Buffer.alloc(0);
  #used = 0;
  #isString = false;
  #isEscaped = false;
  /** What has come of the string; for a file, what is not decoded yet. */
  #string: Buffer[] = [];
  #length = 0;
  #mayBeFile = false;
  /** Where the file begins that is being read; null if none is. */
  #start: number | null = null;
  #prefix = '';

  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  get isInFile(): boolean {
    return this.#start !== null;
  }

  read(chunk: Buffer): void {
    let from = 0;
    // Where the next ones are. Searched again only once they are passed, so that nothing is searched twice.
    let quote = chunk.indexOf(QUOTE);
    let backslash = chunk.indexOf(BACKSLASH);
    for (let at = 0; at < chunk.length; ) {
      if (quote !== -1 && quote < at) quote = chunk.indexOf(QUOTE, at);
      if (backslash !== -1 && backslash < at) backslash = chunk.indexOf(BACKSLASH, at);
      if (this.#start !== null) {
        const part = chunk.subarray(at, quote === -1 ? chunk.length : quote);
        if (this.#decode(part, quote !== -1)) at += part.length;
        from = at;
        continue;
      }
      if (this.#isEscaped) {
        this.#isEscaped = false;
        at++;
      } else if (quote === at) {
        at++;
        this.#text.push(...this.#string, chunk.subarray(from, at));
        from = at;
        this.#isString = !this.#isString;
        this.#string = [];
        this.#length = 0;
        this.#mayBeFile = true;
      } else if (!this.#isString) {
        at = quote === -1 ? chunk.length : quote;
      } else if (backslash === at) {
        at++;
        this.#isEscaped = true;
        this.#mayBeFile = false;
      } else {
        const end = Math.min(quote === -1 ? chunk.length : quote, backslash === -1 ? chunk.length : backslash);
        this.#length += end - at;
        at = end;
        if (this.#length < LEAST_CHARACTERS || !this.#mayBeFile || backslash === at) continue;
        this.#begin(chunk.subarray(from, at), quote === at);
        from = at;
      }
    }
    if (from === chunk.length) return;
    (this.#isString ? this.#string : this.#text).push(chunk.subarray(from));
  }

  end(): TextWithFiles {
    const files = this.#ends.map(({ start, end, base64 }, index) => {
      const file = this.#bytes.subarray(start, end);
      if (base64 !== null) keepBase64(file, base64);
      return [nameOf(index), file] as const;
    });
    return { text: new TextDecoder().decode(Buffer.concat([...this.#text, ...this.#string])), files: new Map(files) };
  }

  /** @param isLast whether the string ends behind what has come of it */
  #begin(last: Buffer, isLast: boolean): void {
    const head = this.#string.length === 0 ? last : Buffer.concat([...this.#string, last]);
    const bare = head.subarray(0, 5).toString() === 'data:' ? head.indexOf(',') + 1 : 0;
    this.#prefix = head.toString('latin1', 0, bare);
    this.#string = [];
    this.#start = this.#used;
    const first = head.subarray(bare);
    if (!this.#decode(first, isLast)) this.#string.push(first);
    else if (isLast) this.#ends.at(-1)!.base64 = first;
  }

  /** @returns false if this is no base64: what was decoded is text again, and this part is not read yet */
  #decode(part: Buffer, isLast: boolean): boolean {
    const start = this.#start ?? 0;
    const [before] = this.#string;
    const text = before === undefined ? part : Buffer.concat([before, part]);
    // The last four characters may have padding, and are told from others only by the end of the string.
    const whole = isLast ? text.length : Math.max(0, Math.floor((text.length - 1) / 4) * 4);
    const padding = isLast ? paddingOf(text) : 0;
    const bytes = Math.floor(((whole - padding) * 3) / 4);
    this.#makeRoom(bytes);
    const found = this.#bytes.write(text.toString('latin1', 0, whole), this.#used, 'base64');
    // What is no base64 is skipped, which a single character at the end would hide. What is left for the next part has
    // no backslash, which may escape a quote there.
    if (found !== bytes || (whole - padding) % 4 === 1 || part.includes(BACKSLASH)) {
      const decoded = Buffer.from(this.#prefix + this.#bytes.toString('base64', start, this.#used), 'latin1');
      this.#string = before === undefined ? [decoded] : [decoded, before];
      this.#start = null;
      this.#used = start;
      this.#mayBeFile = false;
      return false;
    }
    this.#used += found;
    this.#string = [text.subarray(whole)];
    if (!isLast) return true;
    this.#string = [Buffer.from(nameOf(this.#ends.length))];
    this.#ends.push({ start, end: this.#used, base64: null });
    this.#start = null;
    return true;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const expected = Math.ceil((this.#expectedBytes * 3) / 4);
    const larger = allocateBytes(Math.max(expected, this.#used + bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    freeBytes(this.#bytes);
    this.#bytes = larger;
  }
}

function paddingOf(text: Buffer): number {
  if (text.at(-1) !== EQUALS) return 0;
  return text.at(-2) === EQUALS ? 2 : 1;
}

function nameOf(index: number): string {
  return `darkroom-file-${index}`;
}
