/** Boxes that contain the boxes with the headers. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia']);
const HEADERS: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd']);

/** Byte offsets of the creation and modification times in an MP4's `moov` box. */
export function findCreationTimes(moov: Uint8Array): readonly { readonly offset: number; readonly bytes: number }[] {
  const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
  const found: { offset: number; bytes: number }[] = [];
  walk(0, moov.byteLength);
  return found;

  function walk(from: number, to: number): void {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      if (size < 8) return;
      const type = String.fromCharCode(...moov.subarray(at + 4, at + 8));
      if (CONTAINERS.has(type)) walk(at + 8, at + size);
      // After version and flags, version 0 has two times of 4 bytes, version 1 two of 8.
      if (HEADERS.has(type)) found.push({ offset: at + 12, bytes: moov[at + 8] === 1 ? 16 : 8 });
      at += size;
    }
  }
}
