import { crc32 } from 'node:zlib';
import { ArrivingFile, type Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './extend-xmp.ts';
import type { MarkState, Splicer } from './splicer.ts';

const [EBML, SEGMENT, SEEK_HEAD, CLUSTER, VOID, CRC] = [0x1a45dfa3, 0x18538067, 0x114d9b74, 0x1f43b675, 0xec, 0xbf];
const [TAGS, TAG, TARGETS, SIMPLE_TAG, TAG_NAME, TAG_STRING] = [0x1254c367, 0x7373, 0x63c0, 0x67c8, 0x45a3, 0x4487];
const [SEEK, SEEK_ID, SEEK_POSITION, INFO, TRACKS] = [0x4dbb, 0x53ab, 0x53ac, 0x1549a966, 0x1654ae6b];
const CRC_BYTES = 6;
const XMP_NAME = Buffer.from('XMP');
const MOST_INDEX_BYTES = 64 * 1024;
/** Maximum bytes of tags that are read; tags can contain pictures. */
const MOST_TAG_BYTES = 2 ** 20;

interface Index {
  readonly at: number;
  readonly body: Buffer;
}

/**
 * Adds the XMP to a WebM or Matroska as the tag `XMP`, since neither has another place for it. The tag is appended, so
 * that no content moves, and replaces information and tracks in the index at the beginning, which readers find without
 * it.
 */
export function* markMatroska(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  const header = yield* nextElement(file);
  if (header?.id !== EBML || header.size === null) throw new BrokenStructure('it does not begin as expected');
  whole(yield* file.skip(header.size));
  const segment = yield* nextElement(file);
  if (segment?.id !== SEGMENT) throw new BrokenStructure('it has no segment');
  const begin = file.at;
  const { size, sizeBytes } = segment;
  const simple = element(SIMPLE_TAG, element(TAG_NAME, XMP_NAME), element(TAG_STRING, xmp));
  const tags = element(TAGS, element(TAG, element(TARGETS), simple));
  if (size !== null) splicer.change(begin - sizeBytes, sizeBytes, sizeOf(size + tags.length, sizeBytes));
  const seen: number[] = [];
  let index: Index | null = null;
  /** Whether the file is a live recording: it has no end, and nothing points to its clusters. */
  const isLive = size === null;
  let hasContent = false;
  while (isLive || file.at < begin + size) {
    const start = file.at;
    const next = whole(yield* nextElement(file));
    if (next.id === CLUSTER && !hasContent) {
      if (isLive) {
        splicer.change(start, 0, tags);
        return 'marked';
      }
      const changed =
        seen.includes(INFO) && seen.includes(TRACKS) && index !== null ? withTags(index.body, size) : null;
      if (index !== null && changed !== null) splicer.change(index.at, index.body.length, changed);
      splicer.heldFrom = Infinity;
      hasContent = true;
    }
    // Elements of the cluster follow, until one that cannot be inside a cluster.
    if (next.id === CLUSTER && next.size === null) continue;
    if (next.size === null) throw new BrokenStructure('one of its elements has no length');
    seen.push(next.id);
    if (next.id === TAGS && next.size <= MOST_TAG_BYTES) {
      if (isKept(whole(yield* file.take(next.size)), xmp)) return 'kept';
    } else if (next.id === SEEK_HEAD && index === null && !hasContent && next.size <= MOST_INDEX_BYTES)
      index = { at: file.at, body: Buffer.from(whole(yield* file.take(next.size))) };
    else whole(yield* file.skip(next.size));
  }
  if (!hasContent) throw new BrokenStructure('it has no content');
  splicer.change(file.at, 0, tags);
  return 'marked';
}

/** Tells whether tags contain XMP that states that a machine made the file. @throws RangeError for other XMP */
function isKept(tags: Buffer, xmp: Uint8Array): boolean {
  for (const tag of childrenOf(tags, TAG))
    for (const simple of childrenOf(tag, SIMPLE_TAG)) {
      if (childrenOf(simple, TAG_NAME).every((name) => !name.equals(XMP_NAME))) continue;
      const [packet] = childrenOf(simple, TAG_STRING);
      if (packet === undefined) continue;
      if (additionTo(packet, xmp) === null) return true;
      throw new RangeError('it has XMP already');
    }
  return false;
}

/** Returns the contents of the elements of one kind. */
function childrenOf(body: Buffer, id: number): Buffer[] {
  const file = new ArrivingFile();
  file.add(body);
  const found: Buffer[] = [];
  while (file.at < body.length) {
    const next = nextElement(file).next().value;
    if (next === undefined || next === null || next.size === null || next.size > body.length - file.at)
      throw new BrokenStructure('its tags are damaged');
    const content = file.take(next.size).next().value;
    if (next.id === id && content) found.push(content);
  }
  return found;
}

/** Returns an index of the same length that points to the tags; null if it has no room. */
function withTags(body: Buffer, at: number): Buffer | null {
  const file = new ArrivingFile();
  file.add(body);
  const kept: Buffer[] = [];
  let hasCrc = false;
  for (let start = 0; start < body.length; start = file.at) {
    const next = nextElement(file).next().value;
    if (next === undefined || next === null || next.size === null || !file.skip(next.size).next().done) return null;
    const bytes = body.subarray(start, file.at);
    hasCrc ||= next.id === CRC;
    const isFound = bytes.includes(numberOf(INFO)) || bytes.includes(numberOf(TRACKS));
    if (next.id !== CRC && next.id !== VOID && !isFound) kept.push(bytes);
  }
  const position = Buffer.alloc(8);
  position.writeBigUInt64BE(BigInt(at));
  kept.push(element(SEEK, element(SEEK_ID, numberOf(TAGS)), element(SEEK_POSITION, position)));
  const used = kept.reduce((sum, { length }) => sum + length, hasCrc ? CRC_BYTES : 0);
  const spare = body.length - used;
  if (spare < 0 || spare === 1) return null;
  if (spare > 0) {
    const bytes = spare <= 100 ? 1 : 8;
    kept.push(numberOf(VOID), sizeOf(spare - 1 - bytes, bytes), Buffer.alloc(spare - 1 - bytes));
  }
  const content = Buffer.concat(kept);
  if (!hasCrc) return content;
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(content));
  return Buffer.concat([element(CRC, sum), content]);
}

interface Element {
  readonly id: number;
  /** Length of the content; null if unknown. */
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

/** Returns the length of a number, which is the number of leading zeros of its first byte plus one. */
function lengthOf(first: number, most: number): number {
  const length = Math.clz32(first) - 23;
  if (length > most) throw new BrokenStructure('one of its elements has no length');
  return length;
}

function element(id: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([numberOf(id), sizeOf(body.length, body.length <= 100 ? 1 : 4), body]);
}

/** Encodes a size. @throws RangeError if it does not fit into `bytes`; all ones would mean that it is unknown */
function sizeOf(size: number, bytes: number): Buffer {
  const mark = 2n ** BigInt(7 * bytes);
  if (BigInt(size) >= mark - 1n) throw new RangeError('its length does not fit');
  return numberOf(mark + BigInt(size));
}

/** Encodes a number in as few bytes as possible. */
function numberOf(value: number | bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}
