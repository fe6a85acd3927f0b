import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { sizeInWebp } from '../structure/webp.ts';
import { additionTo } from './extend-xmp.ts';
import { isMachineStore } from './manifest-statement.ts';
import type { MarkState, Splicer } from './splicer.ts';

const HEAD_BYTES = 12;
const SIZE_BYTES = 10;
const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;

/**
 * Appends the XMP as a chunk, or extends the existing one. The header states the file's length before any of that
 * passes, so existing XMP grows by as much as a chunk would.
 */
export function* markWebp(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  const riffBytes = whole(yield* file.take(HEAD_BYTES)).readUInt32LE(4);
  const end = 8 + riffBytes;
  const head = Buffer.from(whole(yield* file.take(8)));
  const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
  const body = Buffer.from(whole(yield* file.take(Math.min(length, SIZE_BYTES))));
  const size = sizeInWebp(type, body);
  if (size === null) throw new BrokenStructure('it tells no size');
  const isExtended = type === 'VP8X';
  // Some programs omit the last padding.
  const padding = riffBytes % 2;
  const appended = Buffer.concat([Buffer.alloc(padding), chunk('XMP ', xmp)]);
  const extension = chunk('VP8X', extensionOf(size, type === 'VP8L' && hasAlpha(body)));
  splicer.change(4, 4, uint32(riffBytes + appended.length + (isExtended ? 0 : extension.length)));
  if (isExtended) splicer.change(HEAD_BYTES + 8, 1, Buffer.of((body[0] ?? 0) | XMP_FLAG));
  else splicer.change(HEAD_BYTES, 0, extension);

  let hasXmp = false;
  let left = Math.min(length + (length % 2) - body.length, end - file.at);
  for (;;) {
    whole(yield* file.skip(left));
    splicer.heldFrom = file.at;
    if (file.at === end) break;
    const next = whole(yield* file.take(8));
    const [nextType, nextBytes] = [next.toString('latin1', 0, 4), next.readUInt32LE(4)];
    const at = file.at;
    left = Math.min(nextBytes + (nextBytes % 2), end - at);
    if (left < nextBytes) throw new BrokenStructure('one of its chunks is longer than the file');
    if (nextType === 'C2PA') {
      if (isMachineStore(whole(yield* file.take(nextBytes)))) return 'kept';
      left -= nextBytes;
    } else if (nextType === 'XMP ') {
      if (hasXmp) throw new BrokenStructure('it has XMP twice');
      if (padding === 1) throw new BrokenStructure('it has XMP and lacks its last byte');
      const addition = additionTo(whole(yield* file.take(nextBytes)), xmp);
      if (addition === null) return 'kept';
      splicer.change(at - 4, 4, uint32(nextBytes + appended.length));
      const inserted = Buffer.alloc(appended.length, ' ');
      inserted.set(addition.bytes);
      splicer.change(at + addition.at, 0, inserted);
      hasXmp = true;
      left -= nextBytes;
    } else splicer.heldFrom = Infinity;
  }
  if (!hasXmp) splicer.change(end, 0, appended);
  return 'marked';
}

function chunk(type: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(type), uint32(body.length), body, Buffer.alloc(body.length % 2)]);
}

/** Returns the content of the chunk `VP8X`, which a simple file lacks. */
function extensionOf({ width, height }: { readonly width: number; readonly height: number }, isClear: boolean): Buffer {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes[0] = XMP_FLAG | (isClear ? ALPHA_FLAG : 0);
  bytes.writeUIntLE(width - 1, 4, 3);
  bytes.writeUIntLE(height - 1, 7, 3);
  return bytes;
}

/** Tells whether lossless pixels may be transparent: the bit behind the two sizes. */
function hasAlpha(body: Buffer): boolean {
  return ((body.readUInt32LE(1) >>> 28) & 1) === 1;
}

/** Encodes a length. @throws RangeError if the file becomes longer than its header can state */
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
