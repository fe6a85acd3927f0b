/** Keeps texts outside of the JavaScript heap, where the garbage collector neither marks nor copies them. */
export interface TextStore {
  /** @returns the place of the text */
  add(text: string): number;
  get(place: number): string;
  readonly bytes: number;
}

const CHUNK_BYTES = 262_144;
/** What one UTF-16 unit needs in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

export function createTextStore(): TextStore {
  const chunks: Buffer[] = [];
  const chunkOf: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let last = Buffer.alloc(0);
  let used = 0;
  let bytes = 0;
  return {
    add(text) {
      const most = MOST_BYTES_PER_UNIT * text.length;
      if (used + most > last.length) {
        last = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, most));
        used = 0;
        chunks.push(last);
      }
      const written = last.write(text, used);
      chunkOf.push(chunks.length - 1);
      starts.push(used);
      ends.push(used + written);
      used += written;
      bytes += written;
      return starts.length - 1;
    },
    get: (place) => chunks[chunkOf[place] ?? -1]?.toString('utf8', starts[place], ends[place]) ?? '',
    get bytes() {
      return bytes;
    },
  };
}
