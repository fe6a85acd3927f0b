import { allocateBytes, cacheBase64, freeBytes, Steps, takeTurn } from '@darkroom-service/media';
import type { Answer } from './error-map.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** A JSON text in which short names stand for the files that it had in base64. */
interface TextWithFiles {
  readonly bytes: Buffer;
  /** The files by their names in the text. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Minimum characters of a file; shorter strings stay as they are. */
const LEAST_CHARACTERS = 4 * 1024;
const LARGE_BYTES = 256 * 1024;
/** Number of bytes searched one by one, which is faster than a search call. */
const NEAR_BYTES = 32;
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
  const steps = new Steps();
  // The earliest answer is finished first, so that few files are in memory.
  const rank = ++reads;
  for await (const chunk of body) {
    if (expectedBytes > LARGE_BYTES || reader.isInFile) await takeTurn(rank);
    else if (steps.isDue()) await steps.turn();
    reader.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  return reader.end();
}

/** Returns the file that a string of an answer contains in base64, or names. */
export function fileIn({ files }: Pick<Answer, 'files'>, value: string): Uint8Array {
  return files?.get(value) ?? Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
}

class FileReader {
  readonly #expectedBytes: number;
  /** The text so far. */
  readonly #text = new GrowingBytes();
  /** Position of each file in `#bytes`, and its base64 if it arrived in one chunk. */
  readonly #ends: { readonly start: number; readonly end: number; base64: Buffer | null }[] = [];
  /** The bytes of all files, one after the other. */
  #bytes = Buffer.alloc(0);
  #used = 0;
  #isString = false;
  #isEscaped = false;
  /** Start of the current string in the text. */
  #stringAt = 0;
  #mayBeFile = false;
  /** Start of the file that is being read; null if none is. */
  #start: number | null = null;
  /** Characters of the file that arrived and are not decoded yet. */
  #undecoded: Buffer = Buffer.alloc(0);
  #prefix = '';

  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  get isInFile(): boolean {
    return this.#start !== null;
  }

  read(chunk: Buffer): void {
    let from = 0;
    // Positions of the next ones. Each is searched again only once it is passed, so that no byte is searched twice.
    let quote = next(chunk, QUOTE, 0);
    let backslash = next(chunk, BACKSLASH, 0);
    for (let at = 0; at < chunk.length; ) {
      if (quote < at) quote = next(chunk, QUOTE, at);
      if (backslash < at) backslash = next(chunk, BACKSLASH, at);
      if (this.#start !== null) {
        const part = chunk.subarray(at, quote);
        if (this.#decode(part, quote !== Infinity)) at += part.length;
        from = at;
      } else if (this.#isEscaped) {
        this.#isEscaped = false;
        at++;
      } else if (quote === at) {
        at++;
        this.#isString = !this.#isString;
        this.#stringAt = this.#text.length + at - from;
        this.#mayBeFile = true;
      } else if (!this.#isString) {
        at = Math.min(quote, chunk.length);
      } else if (backslash === at) {
        at++;
        this.#isEscaped = true;
        this.#mayBeFile = false;
      } else {
        at = Math.min(quote, backslash, chunk.length);
        const length = this.#text.length + at - from - this.#stringAt;
        if (length < LEAST_CHARACTERS || !this.#mayBeFile || backslash === at) continue;
        this.#text.add(chunk.subarray(from, at));
        from = at;
        this.#begin(quote === at);
      }
    }
    this.#text.add(chunk.subarray(from));
  }

  end(): TextWithFiles {
    const files = this.#ends.map(({ start, end, base64 }, index) => {
      const file = this.#bytes.subarray(start, end);
      if (base64 !== null) cacheBase64(file, base64);
      return [nameOf(index), file] as const;
    });
    return { bytes: this.#text.whole(), files: new Map(files) };
  }

  /** Begins a file with the current string. @param isLast whether the string ends with this chunk */
  #begin(isLast: boolean): void {
    const head = this.#text.cutFrom(this.#stringAt);
    const bare = head.subarray(0, 5).toString() === 'data:' ? head.indexOf(',') + 1 : 0;
    this.#prefix = head.toString('latin1', 0, bare);
    this.#start = this.#used;
    this.#undecoded = Buffer.alloc(0);
    const first = head.subarray(bare);
    if (!this.#decode(first, isLast)) this.#text.add(first);
    else if (isLast) this.#ends.at(-1)!.base64 = first;
  }

  /**
   * Decodes a part. @returns false if it is no base64: the decoded part is text again, and this part is still unread
   */
  #decode(part: Buffer, isLast: boolean): boolean {
    const used = this.#used;
    let group: Buffer | null = null;
    let rest = part;
    if (this.#undecoded.length > 0 && part.length < 4) rest = Buffer.concat([this.#undecoded, part]);
    else if (this.#undecoded.length > 0) {
      // Only the group of four characters that began before this part is copied.
      const missing = 4 - this.#undecoded.length;
      group = Buffer.concat([this.#undecoded, part.subarray(0, missing)]);
      rest = part.subarray(missing);
    }
    // The last four characters may have padding, and only the end of the string shows which ones they are.
    const whole = isLast ? rest.length : Math.max(0, Math.floor((rest.length - 1) / 4) * 4);
    const padding = isLast ? paddingOf(rest) : 0;
    const isDecoded = (group === null || this.#add(group, group.length, 0)) && this.#add(rest, whole, padding);
    // The rest for the next part must have no backslash, which could escape a quote there.
    if (!isDecoded || part.includes(BACKSLASH)) {
      const start = this.#start ?? 0;
      this.#text.add(Buffer.from(this.#prefix + this.#bytes.toString('base64', start, used), 'latin1'));
      this.#text.add(this.#undecoded);
      this.#start = null;
      this.#used = start;
      this.#mayBeFile = false;
      return false;
    }
    this.#undecoded = rest.subarray(whole);
    if (!isLast) return true;
    this.#text.add(Buffer.from(nameOf(this.#ends.length)));
    this.#ends.push({ start: this.#start ?? 0, end: this.#used, base64: null });
    this.#start = null;
    return true;
  }

  /** Adds the bytes of the first characters. @returns false if these are no base64 */
  #add(text: Buffer, characters: number, padding: number): boolean {
    const bytes = Math.floor(((characters - padding) * 3) / 4);
    this.#makeRoom(bytes);
    const found = this.#bytes.write(text.toString('latin1', 0, characters), this.#used, 'base64');
    this.#used += found;
    // Node skips characters that are no base64, which a single one at the end would hide.
    return found === bytes && (characters - padding) % 4 !== 1;
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

/** Returns the index of the next such byte; infinity if there is none. */
function next(chunk: Buffer, byte: number, from: number): number {
  const near = Math.min(from + NEAR_BYTES, chunk.length);
  for (let at = from; at < near; at++) if (chunk[at] === byte) return at;
  const found = chunk.indexOf(byte, near);
  return found === -1 ? Infinity : found;
}

function paddingOf(text: Buffer): number {
  if (text.at(-1) !== EQUALS) return 0;
  return text.at(-2) === EQUALS ? 2 : 1;
}

function nameOf(index: number): string {
  return `darkroom-file-${index}`;
}
