const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;
/** First of the orientations that rotate the picture by 90 degrees. */
const FIRST_TURNED = 5;
const LAST = 8;

/** Maximum bytes of Exif data that are read. */
export const MOST_EXIF_BYTES = 256 * 1024;

/** Tells whether Exif data rotate their picture by 90 degrees; false for unreadable data. */
export function isTurned(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return false;
  const read16 = (at: number) => (order === 'II*\0' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II*\0' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return false;
  const end = Math.min(first + 2 + read16(first) * ENTRY_BYTES, tiff.length - ENTRY_BYTES + 1);
  for (let at = first + 2; at < end; at += ENTRY_BYTES) {
    if (read16(at) !== ORIENTATION) continue;
    const orientation = read16(at + 8);
    return orientation >= FIRST_TURNED && orientation <= LAST;
  }
  return false;
}
