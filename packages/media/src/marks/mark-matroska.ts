import { crc32 } from 'node:zlib';
import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import type { MarkState, Splicer } from './splicer.ts';

const [EBML, SEGMENT, SEEK_HEAD, CLUSTER, VOID] = [0x1a45dfa3, 0x18538067, 0x114d9b74, 0x1f43b675, 0xec];
const [TAGS, TAG, TARGETS, SIMPLE_TAG, TAG_NAME, TAG_STRING] = [0x1254c367, 0x7373, 0x63c0, 0x67c8, 0x45a3, 0x4487];
const [SEEK, SEEK_ID, SEEK_POSITION] = [0x4dbb, 0x53ab, 0x53ac];
const CRC = 0xbf;
const CRC_BYTES = 6;
const MOST_HEAD_BYTES = 64 * 1024;

/**
 * Appends the XMP to a WebM or Matroska as the tag `XMP`, since neither has another place for it. Nothing moves. The
 * index at the beginning lists the tag if free space follows it; if not, only programs that read to the end find it.
 */
export function* markMatroska(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  const header = yield* nextElement(file);
  if (header?.id !== EBML || header.size === null) throw new BrokenStructure('it does not begin as expected');
  whole(yield* file.skip(header.size));
  const segment = yield* nextElement(file);
  if (segment?.id !== SEGMENT) throw new BrokenStructure('it has no segment');
  const begin = file.at;
  const simple = element(SIMPLE_TAG, element(TAG_NAME, Buffer.from('XMP')), element(TAG_STRING, xmp));
  const tags = element(TAGS, element(TAG, element(TARGETS), simple));
  if (segment.size === null) {
    // A live recording. The tags end its last cluster.
    splicer.heldFrom = Infinity;
    yield* file.skip(Infinity);
    splicer.change(file.at, 0, tags);
    return 'marked';
  }
  const { size, sizeBytes } = segment;
  splicer.change(begin - sizeBytes, sizeBytes, sizeOf(size + tags.length, sizeBytes));
  yield* listInIndex(file, splicer, begin + size, element(SEEK, element(SEEK_ID, numberOf(TAGS)), position(size)));
  splicer.change(begin + size, 0, tags);
  return 'marked';
}

/** Adds an entry to the index of the segment, which begins here, from the free space behind the index. */
function* listInIndex(file: ArrivingFile, splicer: Splicer, end: number, entry: Buffer): Reading<void> {
  let index: { readonly at: number; readonly sizeBytes: number; readonly body: Buffer } | null = null;
  while (file.at < end) {
    const start = file.at;
    const next = whole(yield* nextElement(file));
    if (next.id === CLUSTER || next.size === null) return;
    const headBytes = file.at - start;
    if (next.id === SEEK_HEAD && next.size <= MOST_HEAD_BYTES) {
      const at = file.at;
      index = { at, sizeBytes: next.sizeBytes, body: Buffer.from(whole(yield* file.take(next.size))) };
      continue;
    }
    const spare = headBytes + next.size - entry.length;
    if (next.id === VOID && index !== null && index.at + index.body.length === start && spare >= 2) {
      const { at, sizeBytes, body } = index;
      splicer.change(at - sizeBytes, sizeBytes, sizeOf(body.length + entry.length, sizeBytes));
      if (body[0] === CRC) {
        const sum = Buffer.alloc(4);
        sum.writeUInt32LE(crc32(entry, crc32(body.subarray(CRC_BYTES))));
        splicer.change(at + CRC_BYTES - sum.length, sum.length, sum);
      }
      const bytes = spare <= 100 ? 1 : 8;
      const rest = Buffer.concat([numberOf(VOID), sizeOf(spare - 1 - bytes, bytes)]);
      splicer.change(start, entry.length + rest.length, Buffer.concat([entry, rest]));
      return;
    }
    whole(yield* file.skip(next.size));
  }
}

interface Element {
  readonly id: number;
  /** Null if unknown. */
  readonly size: number | null;
  readonly sizeBytes: number;
}

/** Reads the header of an element; null at the end of the file. */
function* nextElement(file: ArrivingFile): Reading<Element | null> {
  const first = yield* file.take(1);
  if (first === null) return null;
  let id = first[0] ?? 0;
  for (const byte of whole(yield* file.take(lengthOf(id, 4) - 1))) id = id * 256 + byte;
  const head = whole(yield* file.take(1))[0] ?? 0;
  const sizeBytes = lengthOf(head, 8);
  let size = head & (0xff >> sizeBytes);
  let isKnown = size !== 0xff >> sizeBytes;
  for (const byte of whole(yield* file.take(sizeBytes - 1))) {
    size = size * 256 + byte;
    isKnown ||= byte !== 0xff;
  }
  return { id, size: isKnown ? size : null, sizeBytes };
}

/** The length of a number is told by the leading zeros of its first byte. */
function lengthOf(first: number, most: number): number {
  const length = Math.clz32(first) - 23;
  if (length > most) throw new BrokenStructure('one of its elements has no length');
  return length;
}

function element(id: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([numberOf(id), sizeOf(body.length, body.length <= 100 ? 1 : 4), body]);
}

function position(at: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(at));
  return element(SEEK_POSITION, bytes);
}

/** @throws RangeError if so many bytes do not hold the size; all ones mean that it is unknown */
function sizeOf(size: number, bytes: number): Buffer {
  const mark = 2n ** BigInt(7 * bytes);
  if (BigInt(size) >= mark - 1n) throw new RangeError('its length does not fit');
  return numberOf(mark + BigInt(size));
}

/** The shortest bytes of a number. */
function numberOf(value: number | bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}
