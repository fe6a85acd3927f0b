import type { Readable } from 'node:stream';

export interface Part {
  readonly body: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Gathers a stream into parts of equal length; only the last is shorter, and empty only when there is nothing at all.
 * A part stays as it is until the next but one is asked for: two buffers take turns, so that little is held and it is always the same.
 * @param look is shown every piece as it comes, and may throw.
 */
export async function* gatherParts(
  stream: Readable,
  partBytes: number,
  look: (piece: Uint8Array) => void,
): AsyncGenerator<Part> {
  const buffers = [Buffer.allocUnsafeSlow(partBytes)];
  let turn = 0;
  let filled = 0;
  for await (const data of stream) {
    const piece: Uint8Array = typeof data === 'string' ? Buffer.from(data) : data;
    look(piece);
    for (let taken = 0; taken < piece.byteLength; ) {
      if (filled === partBytes) {
        yield { body: current(buffers, turn, partBytes), isLast: false };
        turn = 1 - turn;
        filled = 0;
      }
      const some = piece.subarray(taken, taken + partBytes - filled);
      current(buffers, turn, partBytes).set(some, filled);
      filled += some.byteLength;
      taken += some.byteLength;
    }
  }
  yield { body: current(buffers, turn, partBytes).subarray(0, filled), isLast: true };
}

/** The same of bytes that are all there, without copying them. */
export function* cutParts(data: Uint8Array, partBytes: number, look: (piece: Uint8Array) => void): Generator<Part> {
  look(data);
  for (let start = 0; ; start += partBytes) {
    const isLast = start + partBytes >= data.byteLength;
    yield { body: data.subarray(start, start + partBytes), isLast };
    if (isLast) return;
  }
}

function current(buffers: Buffer[], turn: number, partBytes: number): Buffer {
  buffers[turn] ??= Buffer.allocUnsafeSlow(partBytes);
  return buffers[turn];
}
