import { MarkFault } from './mark-fault.ts';

/** `kept`: the file states already, in a C2PA manifest or XMP, that a machine made it, and its bytes are unchanged. */
export type MarkState = 'marked' | 'kept';

/**
 * A replaced range of a file: `inserted` bytes at `at` of the marked file replace the original's `replaced` (base64).
 */
export interface Splice {
  readonly at: number;
  readonly inserted: number;
  readonly replaced: string;
}

/** Maximum bytes replaced; few, because a task keeps the replaced bytes. */
export const MOST_REPLACED_BYTES = 128 * 1024;
/** Maximum splices; reading the original of a file examines each. */
export const MOST_SPLICES = 16;
/** Maximum bytes of metadata before the pixels; more is not kept in memory. */
const MOST_HELD_BYTES = 4 * 2 ** 20;

/** A replacement of bytes of the original. */
export interface Change {
  readonly at: number;
  readonly removed: number;
  readonly bytes: Uint8Array;
}

/** Passes the chunks of a file on, with changes at positions that are not passed on yet. */
export class Splicer {
  /** Offset in the original from which on bytes are not passed on yet, since they may still change. */
  heldFrom = 0;
  readonly splices: Splice[] = [];
  readonly #pieces: Buffer[] = [];
  #held = 0;
  #passed = 0;
  #written = 0;
  #changes: Change[] = [];

  add(piece: Uint8Array): void {
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#held += piece.byteLength;
  }

  /** Replaces bytes of the original. Call it in the order of the file. @throws MarkFault for too many changes */
  change(at: number, removed: number, bytes: Uint8Array): void {
    if (this.splices.length + this.#changes.length === MOST_SPLICES)
      throw new MarkFault('failed', `it would have to be changed at over ${MOST_SPLICES} places`);
    this.#changes.push({ at, removed, bytes });
  }

  /** Drops the changes that are not passed on yet. */
  dropChanges(): void {
    this.#changes = [];
  }

  /** Returns the bytes that may be passed on now. @throws MarkFault if too many are held */
  flush(): Uint8Array[] {
    const out: Uint8Array[] = [];
    const end = Math.min(this.heldFrom, this.#passed + this.#held);
    while (this.#changes[0] !== undefined && this.#changes[0].at + this.#changes[0].removed <= end) {
      const { at, removed, bytes } = this.#changes.shift()!;
      out.push(...this.#take(at - this.#passed));
      this.#written += at - this.#passed;
      const replaced = Buffer.concat(this.#take(removed));
      this.splices.push({ at: this.#written, inserted: bytes.length, replaced: replaced.toString('base64') });
      out.push(bytes);
      this.#written += bytes.length;
      this.#passed = at + removed;
    }
    // A change whose replaced bytes have not all arrived holds those bytes.
    const rest = Math.max(0, Math.min(end, this.#changes[0]?.at ?? Infinity) - this.#passed);
    out.push(...this.#take(rest));
    this.#written += rest;
    this.#passed += rest;
    if (this.#held > MOST_HELD_BYTES)
      throw new MarkFault('failed', `the metadata before its content are over ${MOST_HELD_BYTES} bytes`);
    return out;
  }

  /** Returns the remaining bytes. @throws MarkFault if the file ends before a change */
  finish(): Uint8Array[] {
    const out = this.flush();
    if (this.#changes.length > 0) throw new MarkFault('failed', 'the file ends before its content does');
    return out;
  }

  #take(count: number): Buffer[] {
    const out: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const piece = this.#pieces[0]!;
      const part = piece.subarray(0, left);
      if (part.length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(left);
      left -= part.length;
      out.push(part);
    }
    this.#held -= count;
    return out;
  }
}
