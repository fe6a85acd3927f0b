import type { Storage } from '@darkroom-service/media';
import type { OriginalPart } from '@darkroom-service/media/structure';

const LEAST_PIECE_BYTES = 64 * 1024;

/**
 * Reads the original of a marked file with one request to the storage, and skips the inserted bytes. Files that earlier
 * versions marked may have thousands of parts.
 */
export async function* readParts(
  storage: Pick<Storage, 'open'>,
  key: string,
  parts: readonly OriginalPart[],
): AsyncGenerator<Uint8Array> {
  const ranges = parts.flatMap((part) => (part instanceof Uint8Array ? [] : [part]));
  const [first, last] = [ranges[0], ranges.at(-1)];
  let ready: Uint8Array[] = [];
  let bytes = 0;
  let next = 0;
  const give = (piece: Uint8Array) => {
    ready.push(piece);
    bytes += piece.byteLength;
  };
  /** Adds the parts with bytes of their own, up to one that lies in the file. */
  const giveReplaced = () => {
    for (let part = parts[next]; part instanceof Uint8Array; part = parts[++next]) give(part);
  };
  giveReplaced();
  if (first !== undefined && last !== undefined) {
    let at = first.start;
    for await (const piece of await storage.open(key, { start: first.start, end: last.end - 1 })) {
      const end = at + piece.length;
      for (let part = parts[next]; isRange(part) && part.start < end; part = parts[next]) {
        give(piece.subarray(Math.max(0, part.start - at), part.end - at));
        if (part.end > end) break;
        next++;
        giveReplaced();
      }
      at = end;
      if (bytes >= LEAST_PIECE_BYTES) {
        yield Buffer.concat(ready);
        [ready, bytes] = [[], 0];
      }
    }
  }
  if (bytes > 0) yield Buffer.concat(ready);
}

function isRange(part: OriginalPart | undefined): part is Exclude<OriginalPart, Uint8Array> {
  return part !== undefined && !(part instanceof Uint8Array);
}
