import { createHash } from 'node:crypto';

/** The proof that a bucket stored a put: a digest in its answer, or only the length, by a second request. */
export type Proof = 'md5' | 'crc32c' | 'length';

/** Digests the bytes of a part while they are gathered. */
export interface PartDigest {
  update(piece: Uint8Array): unknown;
  /** Returns the digest in base64; empty if the bucket returns no digest to compare it with. */
  end(): string;
}

/** Begins the digest by which a part is compared. */
export function beginDigest(proof: Proof): PartDigest {
  if (proof === 'length') return { update() {}, end: () => '' };
  if (proof === 'crc32c') return new Crc32c();
  const hash = createHash('md5');
  return { update: (piece) => hash.update(piece), end: () => hash.digest('base64') };
}

/** Reversed bits of the polynomial of Castagnoli. Node's own `crc32` has another one. */
const POLYNOMIAL = 0x82f63b78;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0);
  return value;
});

class Crc32c implements PartDigest {
  #state = -1;

  update(piece: Uint8Array): void {
    let state = this.#state;
    for (let at = 0; at < piece.length; at++) state = (state >>> 8) ^ TABLE[(state ^ piece[at]!) & 0xff]!;
    this.#state = state;
  }

  end(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(~this.#state);
    return bytes.toString('base64');
  }
}
