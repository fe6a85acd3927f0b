import { createHash } from 'node:crypto';

/** A range that is excluded; with length 0: an offset that is itself hashed, as eight bytes. */
export interface HashStop {
  readonly at: number;
  readonly skip: number;
}

/** Hashes a file's chunks, except for some ranges. @param algorithm Node's name of the algorithm */
export async function hashWithout(
  pieces: AsyncIterable<Uint8Array>,
  stops: readonly HashStop[],
  algorithm: string,
): Promise<Buffer> {
  const left = stops.toSorted((a, b) => a.at - b.at);
  const hash = createHash(algorithm);
  let next = 0;
  let at = 0;
  let skipped = 0;
  for await (const piece of pieces) {
    const end = at + piece.length;
    let from = Math.max(at, skipped);
    for (let stop = left[next]; stop !== undefined && stop.at < end; stop = left[++next]) {
      if (stop.at > from) hash.update(piece.subarray(from - at, stop.at - at));
      if (stop.skip === 0) {
        const offset = Buffer.alloc(8);
        offset.writeBigUInt64BE(BigInt(stop.at));
        hash.update(offset);
      }
      skipped = Math.max(skipped, stop.at + stop.skip);
      from = Math.max(from, stop.at, skipped);
    }
    if (from < end) hash.update(piece.subarray(from - at));
    at = end;
  }
  return hash.digest();
}
