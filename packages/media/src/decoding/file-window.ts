import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const WINDOW_BYTES = 16 * 1024;

/** Reads a file from front to back in small pieces, so that walking its structure needs little memory. */
export class FileWindow implements Disposable {
  readonly size: number;
  readonly #file: number;
  #buffer = Buffer.alloc(WINDOW_BYTES);
  #start = 0;
  #length = 0;

  /** Opens the file. @throws the file system's error, with its code */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  /** Returns the bytes at an offset, at most 16 KiB, fewer at the end of the file. Valid until the next call. */
  read(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      this.#start = offset;
      this.#length = readSync(this.#file, this.#buffer, 0, WINDOW_BYTES, offset);
    }
    const from = offset - this.#start;
    return this.#buffer.subarray(from, Math.min(from + length, this.#length));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
