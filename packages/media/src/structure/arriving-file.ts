/** Reads a file in order while its pieces arrive. A reader is a generator that yields whenever it needs more. */
export class ArrivingFile {
  /** The offset of the next byte to read. */
  at = 0;
  #piece: Buffer = Buffer.alloc(0);
  #from = 0;
  #hasEnded = false;

  /** Gives the reader the next piece, after it has read the last one. */
  add(piece: Uint8Array): void {
    this.#piece = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#from = 0;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Reads so many bytes, valid until the next call; null if the file ends before. */
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

  /** Passes over so many bytes. @returns false if the file ends before */
  *skip(count: number, look: (part: Buffer) => void = () => {}): Reading<boolean> {
    for (let left = count; left > 0; ) {
      if (!(yield* this.#hasMore())) return false;
      const part = this.#next(Math.min(left, this.#piece.length - this.#from));
      left -= part.length;
      look(part);
    }
    return true;
  }

  /** Passes over everything before the next such byte. @returns false if there is none */
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
