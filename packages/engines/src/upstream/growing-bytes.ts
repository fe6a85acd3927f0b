/** Initial length in bytes; short enough for the runtime's pool of buffers. */
const LEAST_BYTES = 1_024;

const EMPTY = Buffer.alloc(0);

/** Contiguous bytes that grow at their end, however small the added parts are. */
export class GrowingBytes {
  #bytes: Buffer = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(LEAST_BYTES, length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  /** Removes and returns the bytes from `start` on. */
  cutFrom(start: number): Buffer {
    const end = Buffer.from(this.#bytes.subarray(start, this.#length));
    this.#length = start;
    return end;
  }

  /** Returns all bytes; valid until more are added. */
  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
