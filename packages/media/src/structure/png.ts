import { crc32 } from 'node:zlib';
import type { ArrivingFile, Reading } from './arriving-file.ts';
import { isTurned, MOST_EXIF_BYTES } from './exif.ts';
import { assertHolds, BrokenStructure, type PictureStructure, structureOf, whole } from './picture-structure.ts';

const SIGNATURE_BYTES = 8;
const IHDR_BYTES = 13;
const MOST_CHUNK_BYTES = 2 ** 31 - 1;

/** Maximum expansion of Deflate: 258 bytes by a length and a distance of one bit each. */
const MOST_PER_BYTE = 1_032;
/** Samples per pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads a PNG: every chunk against its checksum, to IEND. */
export function* readPng(file: ArrivingFile): Reading<PictureStructure> {
  whole(yield* file.skip(SIGNATURE_BYTES));
  let size: { width: number; height: number } | null = null;
  let bytesPerPixel = 1;
  let pixelBytes = 0;
  let expandedBytes = 0;
  let turned = false;
  let hasAlpha = false;
  for (;;) {
    const head = file.takeNow(8) ?? whole(yield* file.take(8));
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if ((type === 'IHDR') !== (size === null) || length > MOST_CHUNK_BYTES)
      throw new BrokenStructure(`its chunk ${JSON.stringify(type)} does not belong where it stands`);
    let crc = crc32(head.subarray(4));
    let body: Buffer | null = null;
    if ((type === 'IHDR' && length === IHDR_BYTES) || (type === 'eXIf' && length <= MOST_EXIF_BYTES)) {
      body = whole(yield* file.take(length));
      crc = crc32(body, crc);
      if (type === 'IHDR') {
        size = { width: body.readUInt32BE(0), height: body.readUInt32BE(4) };
        const [depth, interlaced] = [body[8] ?? 0, body[12] !== 0];
        const rowBytes = (size.width * depth * (SAMPLES[body[9] ?? 0] ?? 0)) / 8;
        // If the picture is not interlaced, each row has a byte for its filter.
        expandedBytes = size.height * (interlaced ? rowBytes : Math.ceil(rowBytes) + 1);
        // Types 4 and 6: grey or colours with alpha.
        hasAlpha = body[9] === 4 || body[9] === 6;
        if (interlaced) bytesPerPixel = depth === 16 ? 16 : 8;
      } else turned = isTurned(body);
    } else if (length > 0)
      whole(
        yield* file.skip(length, (part) => {
          crc = crc32(part, crc);
        }),
      );
    if ((file.takeNow(4) ?? whole(yield* file.take(4))).readUInt32BE(0) !== crc)
      throw new BrokenStructure(`its chunk ${JSON.stringify(type)} does not match its checksum`);
    hasAlpha ||= type === 'tRNS';
    if (type === 'IDAT') pixelBytes += length;
    if (type === 'IEND') break;
  }
  assertHolds(pixelBytes, MOST_PER_BYTE, expandedBytes);
  return structureOf(size, turned, bytesPerPixel, hasAlpha);
}
