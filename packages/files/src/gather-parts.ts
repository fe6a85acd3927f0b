import type { Readable } from 'node:stream';
import type { PartDigest } from './part-digest.ts';

export interface Part {
  readonly body: Uint8Array;
  readonly isLast: boolean;
  /** Digest of this part's bytes. */
  readonly digest: string;
}

/** Observes the bytes of all parts as they arrive. */
interface PartWatch {
  /** Function called with every chunk as it arrives, and awaited. It may throw. */
  readonly inspect: (piece: Uint8Array) => Promise<void>;
  /** Begins the digest of the next part. */
  readonly beginDigest: () => PartDigest;
}

/**
 * Splits a stream into parts of equal length. Only the last part is shorter; it is empty only if the whole stream is.
 * Two buffers take turns, so that memory use is small and constant: a part is valid until the next but one is
 * requested.
 */
export async function* gatherParts(
  stream: Readable,
  partBytes: number,
  { inspect, beginDigest }: PartWatch,
): AsyncGenerator<Part> {
  const buffers = [Buffer.allocUnsafeSlow(partBytes)];
  let turn = 0;
  let filled = 0;
  let digest = beginDigest();
  for await (const data of stream) {
    const piece: Uint8Array = typeof data === 'string' ? Buffer.from(data) : data;
    await inspect(piece);
    for (let taken = 0; taken < piece.byteLength; ) {
      if (filled === partBytes) {
        yield { body: current(buffers, turn, partBytes), isLast: false, digest: digest.end() };
        digest = beginDigest();
        turn = 1 - turn;
        filled = 0;
      }
      const some = piece.subarray(taken, taken + partBytes - filled);
      current(buffers, turn, partBytes).set(some, filled);
      digest.update(some);
      filled += some.byteLength;
      taken += some.byteLength;
    }
  }
  yield { body: current(buffers, turn, partBytes).subarray(0, filled), isLast: true, digest: digest.end() };
}

/** Cuts bytes in memory into parts as `gatherParts` does, without copying them. */
export async function* cutParts(
  data: Uint8Array,
  partBytes: number,
  { inspect, beginDigest }: PartWatch,
): AsyncGenerator<Part> {
  await inspect(data);
  for (let start = 0; ; start += partBytes) {
    const isLast = start + partBytes >= data.byteLength;
    const body = data.subarray(start, start + partBytes);
    const digest = beginDigest();
    digest.update(body);
    yield { body, isLast, digest: digest.end() };
    if (isLast) return;
  }
}

function current(buffers: Buffer[], turn: number, partBytes: number): Buffer {
  buffers[turn] ??= Buffer.allocUnsafeSlow(partBytes);
  return buffers[turn];
}
