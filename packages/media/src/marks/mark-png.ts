import { crc32 } from 'node:zlib';
import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './extend-xmp.ts';
import { isMachineStore } from './manifest-statement.ts';
import { MarkFault } from './mark-fault.ts';
import type { MarkState, Splicer } from './splicer.ts';

const SIGNATURE_BYTES = 8;
const MOST_CHUNK_BYTES = 2 ** 31 - 1;
/** Head of the text chunk: keyword, no compression, no language, no translated keyword. */
const XMP_HEAD = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');
const KEYWORD_BYTES = 18;

/** Inserts the XMP before the pixels, or extends the existing one. */
export function* markPng(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  whole(yield* file.skip(SIGNATURE_BYTES));
  let hasXmp = false;
  let hasPixels = false;
  for (;;) {
    const start = file.at;
    const head = whole(yield* file.take(8));
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (length > MOST_CHUNK_BYTES) throw new BrokenStructure('one of its chunks is too long');
    if (type === 'caBX') {
      if (isMachineStore(whole(yield* file.take(length)))) return 'kept';
      whole(yield* file.skip(4));
      continue;
    }
    if (type === 'IDAT' && !hasPixels) {
      if (!hasXmp) splicer.change(start, 0, chunk(xmp));
      hasPixels = true;
      splicer.heldFrom = Infinity;
    }
    if ((type !== 'iTXt' && type !== 'zTXt') || length < XMP_HEAD.length) whole(yield* file.skip(length + 4));
    else {
      const first = Buffer.from(whole(yield* file.take(XMP_HEAD.length)));
      const isXmp = first.subarray(0, KEYWORD_BYTES).equals(XMP_HEAD.subarray(0, KEYWORD_BYTES));
      if (!isXmp) whole(yield* file.skip(length - first.length + 4));
      else {
        if (hasPixels) throw new MarkFault('failed', 'the file has XMP behind its pixels');
        if (hasXmp || type === 'zTXt' || !first.equals(XMP_HEAD))
          throw new BrokenStructure('its XMP is compressed, or there twice');
        const other = Buffer.from(whole(yield* file.take(length - first.length)));
        const addition = additionTo(other, xmp);
        if (addition === null) return 'kept';
        const parts = [first, other.subarray(0, addition.at), addition.bytes, other.subarray(addition.at)];
        const both = chunk(Buffer.concat(parts.slice(1)));
        splicer.change(start, 4, both.subarray(0, 4));
        splicer.change(start + 8 + first.length + addition.at, 0, addition.bytes);
        splicer.change(start + 8 + length, 4, both.subarray(-4));
        hasXmp = true;
        whole(yield* file.skip(4));
      }
    }
    if (type === 'IEND') break;
  }
  if (!hasPixels) throw new BrokenStructure('it has no pixels');
  return 'marked';
}

function chunk(xmp: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + XMP_HEAD.length + xmp.length);
  bytes.writeUInt32BE(bytes.length - 12);
  bytes.write('iTXt', 4, 'latin1');
  XMP_HEAD.copy(bytes, 8);
  bytes.set(xmp, 8 + XMP_HEAD.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
