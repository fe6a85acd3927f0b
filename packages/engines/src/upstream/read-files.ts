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
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

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
  readonly #ends: { readonly start: number; readonly end: number }[] = [];
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
    for (let at = 0; at < chunk.length; ) {
      if (this.#start !== null) {
        const quote = chunk.indexOf(QUOTE, at);
        const part = chunk.subarray(at, quote === -1 ? chunk.length : quote);
        if (this.#decode(part, quote !== -1)) at += part.length;
        from = at;
        continue;
      }
      const byte = chunk[at++];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === QUOTE) {
        this.#text.push(...this.#string, chunk.subarray(from, at));
        from = at;
        this.#isString = !this.#isString;
        this.#string = [];
        this.#length = 0;
        this.#mayBeFile = true;
      } else if (this.#isString) {
        if (byte === BACKSLASH) {
          this.#isEscaped = true;
          this.#mayBeFile = false;
        }
        if (++this.#length !== LEAST_CHARACTERS || !this.#mayBeFile) continue;
        this.#begin(chunk.subarray(from, at));
        from = at;
      }
    }
    if (from === chunk.length) return;
    (this.#isString ? this.#string : this.#text).push(chunk.subarray(from));
  }

  end(): TextWithFiles {
    const files = this.#ends.map(({ start, end }, index) => [nameOf(index), this.#bytes.subarray(start, end)] as const);
    return { text: new TextDecoder().decode(Buffer.concat([...this.#text, ...this.#string])), files: new Map(files) };
  }

  #begin(last: Buffer): void {
    const head = Buffer.concat([...this.#string, last]);
    const bare = head.subarray(0, 5).toString() === 'data:' ? head.indexOf(',') + 1 : 0;
    this.#prefix = head.toString('latin1', 0, bare);
    this.#string = [];
    this.#start = this.#used;
    const first = head.subarray(bare);
    if (!this.#decode(first, false)) this.#string.push(first);
  }

  /** @returns false if this is no base64: what was decoded is text again, and this part is not read yet */
  #decode(part: Buffer, isLast: boolean): boolean {
    const start = this.#start ?? 0;
    const before = this.#string[0]?.toString('latin1') ?? '';
    const text = before + part.toString('latin1');
    // The last four characters may have padding, and are told from others only by the end of the string.
    const whole = isLast ? text.length : Math.max(0, Math.floor((text.length - 1) / 4) * 4);
    const padding = isLast ? (/={1,2}$/.exec(text)?.[0].length ?? 0) : 0;
    const bytes = Math.floor(((whole - padding) * 3) / 4);
    this.#makeRoom(bytes);
    const found = this.#bytes.write(text.slice(0, whole), this.#used, 'base64');
    // What is no base64 is skipped, which a single character at the end would hide. What is left for the next part has
    // no backslash, which may escape a quote there.
    if (found !== bytes || (whole - padding) % 4 === 1 || part.includes(BACKSLASH)) {
      this.#string = [Buffer.from(this.#prefix + this.#bytes.toString('base64', start, this.#used) + before, 'latin1')];
      this.#start = null;
      this.#used = start;
      this.#mayBeFile = false;
      return false;
    }
    this.#used += found;
    this.#string = [Buffer.from(text.slice(whole), 'latin1')];
    if (!isLast) return true;
    this.#string = [Buffer.from(nameOf(this.#ends.length))];
    this.#ends.push({ start, end: this.#used });
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

function nameOf(index: number): string {
  return `darkroom-file-${index}`;
}
