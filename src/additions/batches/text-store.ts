/** Keeps texts outside of the JavaScript heap, where the garbage collector neither marks nor copies them. */
interface TextStore {
  /** @returns the place of the text */
  add(text: string): number;
  get(place: number): string;
  readonly bytes: number;
}

const CHUNK_BYTES = 262_144;
/** Maximum number of UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;
/** Bytes of the length that precedes each text. */
const LENGTH_BYTES = 4;
/** Factor of the chunk's number in a text's address; the rest is the offset in the chunk. */
const CHUNK = 2 ** 32;

export function createTextStore(): TextStore {
  const chunks: Buffer[] = [];
  /**
   * Addresses, one number per text: growing lists are copied again and again, and the copies end up in the old
   * generation.
   */
  const addresses: number[] = [];
  let last = Buffer.alloc(0);
  let used = 0;
  let bytes = 0;
  return {
    add(text) {
      const most = LENGTH_BYTES + MOST_BYTES_PER_UNIT * text.length;
      if (used + most > last.length) {
        last = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, most));
        used = 0;
        chunks.push(last);
      }
      const written = last.write(text, used + LENGTH_BYTES);
      last.writeUInt32LE(written, used);
      addresses.push((chunks.length - 1) * CHUNK + used);
      used += LENGTH_BYTES + written;
      bytes += LENGTH_BYTES + written;
      return addresses.length - 1;
    },
    get(place) {
      const address = addresses[place];
      if (address === undefined) return '';
      const chunk = chunks[Math.floor(address / CHUNK)]!;
      const start = address % CHUNK;
      const end = start + LENGTH_BYTES + chunk.readUInt32LE(start);
      return chunk.toString('utf8', start + LENGTH_BYTES, end);
    },
    get bytes() {
      return bytes;
    },
  };
}
