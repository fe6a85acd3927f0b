/** Reads a file in order while its chunks arrive. A reader is a generator that yields whenever it needs more. */
export class ArrivingFile {
  /** The offset of the next byte to read. */
  at = 0;
  /** Whether the reader yielded for a turn of the event loop, and needs no more yet. */
  isResting = false;
  #piece: Buffer = Buffer.alloc(0);
  #from = 0;
  #hasEnded = false;

  /** Adds the next chunk, after the reader has read the last one. */
  add(piece: Uint8Array): void {
    this.#piece = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#from = 0;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Reads the next byte; null if it has not arrived. Costs a tenth of `take`. */
  byteNow(): number | null {
    if (this.#from === this.#piece.length) return null;
    this.at++;
    return this.#piece[this.#from++]!;
  }

  /** Reads `count` bytes like `take`; null if they have not arrived in one chunk. */
  takeNow(count: number): Buffer | null {
    return this.#piece.length - this.#from >= count ? this.#next(count) : null;
  }

  /** Skips `count` bytes. @returns false if they have not arrived in one chunk; then none is skipped */
  skipNow(count: number): boolean {
    if (this.#piece.length - this.#from < count) return false;
    this.at += count;
    this.#from += count;
    return true;
  }

  /** Lets the event loop turn, for a reader that makes many steps over the bytes it has taken. */
  *rest(): Reading<void> {
    this.isResting = true;
    yield;
  }

  /** Reads `count` bytes, valid until the next call; null if the file ends before. */
  *take(count: number): Reading<Buffer | null> {
    if (this.#piece.length - this.#from >= count) return this.#next(count);
    const parts: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      if (!(yield* this.#hasMore())) return null;
      const part = this.#next(Math.min(missing, this.#piece.length - this.#from));
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Skips `count` bytes. @returns false if the file ends before */
  *skip(count: number, inspect: (part: Buffer) => void = () => {}): Reading<boolean> {
    for (let left = count; left > 0; ) {
      if (!(yield* this.#hasMore())) return false;
      const part = this.#next(Math.min(left, this.#piece.length - this.#from));
      left -= part.length;
      inspect(part);
    }
    return true;
  }

  /** Skips all bytes before the next one of this value. @returns false if there is none */
  *seek(byte: number): Reading<boolean> {
    for (;;) {
      if (!(yield* this.#hasMore())) return false;
      const found = this.#piece.indexOf(byte, this.#from);
      this.#next((found === -1 ? this.#piece.length : found) - this.#from);
      if (found !== -1) return true;
    }
  }

  #next(count: number): Buffer {
    this.at += count;
    this.#from += count;
    return this.#piece.subarray(this.#from - count, this.#from);
  }

  *#hasMore(): Reading<boolean> {
    while (this.#from === this.#piece.length) {
      if (this.#hasEnded) return false;
      yield;
    }
    return true;
  }
}

export type Reading<Result> = Generator<undefined, Result, undefined>;
