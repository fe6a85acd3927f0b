import { BrokenStructure } from '../structure/picture-structure.ts';

const HEAD = Buffer.from('MPF\0', 'latin1');
const ENTRIES_TAG = 0xb002;
const FIELD_BYTES = 12;
const ENTRY_BYTES = 16;
const [SIZE_AT, OFFSET_AT] = [4, 8];

/** The segment of a JPEG with the offsets of its further pictures (CIPA DC-007), such as a depth or gain map. */
export interface Mpf {
  /** Offset of the content in the file. */
  readonly at: number;
  readonly body: Buffer;
}

export function isMpf(body: Buffer): boolean {
  return body.subarray(0, HEAD.length).equals(HEAD);
}

/**
 * Returns the change of the segment for a changed first picture: its length, and the offsets of the others, which count
 * from a position within the segment.
 * @param changes changes of the first picture: `by` more bytes at `at`
 * @throws BrokenStructure if the segment is damaged
 */
export function movePictures(
  { at, body }: Mpf,
  changes: readonly { readonly at: number; readonly by: number }[],
): { readonly at: number; readonly removed: number; readonly bytes: Buffer } {
  const grown = changes.reduce((sum, { by }) => sum + by, 0);
  const behind = changes.reduce((sum, change) => (change.at > at ? sum + change.by : sum), 0);
  try {
    const tiff = body.subarray(HEAD.length);
    const isLittle = tiff.readUInt16BE(0) === 0x4949;
    const read = (from: number) => (isLittle ? tiff.readUInt32LE(from) : tiff.readUInt32BE(from));
    const short = (from: number) => (isLittle ? tiff.readUInt16LE(from) : tiff.readUInt16BE(from));
    const directory = read(4);
    for (let field = 0; field < short(directory); field++) {
      const place = directory + 2 + field * FIELD_BYTES;
      if (short(place) !== ENTRIES_TAG) continue;
      const [length, from] = [read(place + 4), read(place + 8)];
      const entries = Buffer.from(tiff.subarray(from, from + length));
      if (entries.length !== length || length % ENTRY_BYTES !== 0) break;
      const add = (to: number, by: number) => {
        const value = (isLittle ? entries.readUInt32LE(to) : entries.readUInt32BE(to)) + by;
        if (isLittle) entries.writeUInt32LE(value, to);
        else entries.writeUInt32BE(value, to);
      };
      for (let entry = 0; entry < length; entry += ENTRY_BYTES)
        // The first picture has no offset.
        if (entries.readUInt32BE(entry + OFFSET_AT) === 0) add(entry + SIZE_AT, grown);
        else add(entry + OFFSET_AT, behind);
      return { at: at + HEAD.length + from, removed: length, bytes: entries };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new BrokenStructure('its table of further pictures is damaged');
}
