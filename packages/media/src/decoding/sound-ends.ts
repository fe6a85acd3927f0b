import type { FileWindow } from './file-window.ts';

/** Bytes without a frame after which the rest is not searched for further frames. */
const GAP_BYTES = 1024 * 1024;
const SEARCHED_AT_ONCE = 8 * 1024;

/** Kilobits per second by MPEG version (1, or 2 and 2.5), layer and index. */
const BITRATES: Readonly<Record<string, readonly number[]>> = {
  '1-1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/**
 * Returns the end of an MP3: a tag, then frames, each of which states its length. Bytes between them count as data
 * after the end. Frames of free bitrate do not state their length.
 */
export function endOfFrames(file: FileWindow): number | null {
  const tag = lengthOfTag(file.read(0, 10));
  let at = tag;
  let content = tag;
  let gap = 0;
  while (at + 4 <= file.size && gap <= GAP_BYTES) {
    const length = lengthOfFrame(file.read(at, 4));
    if (length === null) return null;
    if (length > 0 && isFrame(file, at + length)) {
      at += length;
      content += length;
      gap = 0;
    } else {
      const next = nextByteOfOnes(file, at + 1);
      gap += next - at;
      at = next;
    }
  }
  // If there is no frame, the decoder reports the fault.
  return content === tag ? null : Math.min(content, file.size);
}

/** Tells whether a frame begins here: two frames in a row are no coincidence. */
function isFrame(file: FileWindow, at: number): boolean {
  return at + 4 > file.size || (lengthOfFrame(file.read(at, 4)) ?? 0) > 0 || isTag(file.read(at, 4));
}

function isTag(head: Buffer): boolean {
  return /^(?:TAG|APET)/.test(head.toString('latin1'));
}

/** Returns the length of a frame in bytes; 0 if there is no frame; null if the frame does not state its length. */
function lengthOfFrame(head: Buffer): number | null {
  const [first = 0, second = 0, third = 0] = head;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  const index = third >> 4;
  if (first !== 0xff || second < 0xe0 || version === 1 || layer === 4 || rate === undefined || index === 15) return 0;
  if (index === 0) return null;
  const isFirst = version === 3;
  const bits = (BITRATES[`${isFirst ? 1 : 2}-${layer}`]?.[index - 1] ?? 0) * 1000;
  const perSecond = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const padding = (third >> 1) & 1;
  if (layer === 1) return (Math.floor((12 * bits) / perSecond) + padding) * 4;
  return Math.floor(((layer === 3 && !isFirst ? 72 : 144) * bits) / perSecond) + padding;
}

/** Returns the length of an ID3v2 tag at the beginning; 0 if there is none. */
function lengthOfTag(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  return 10 + size + ((head[5]! & 0x10) === 0 ? 0 : 10);
}

function nextByteOfOnes(file: FileWindow, from: number): number {
  for (let at = from; at < file.size; ) {
    const bytes = file.read(at, SEARCHED_AT_ONCE);
    const found = bytes.indexOf(0xff);
    if (found !== -1) return at + found;
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  return file.size;
}

/**
 * Returns the latest end of a FLAC: blocks, then numbered frames that do not state their length. The last frame is the
 * one without a next number within the length of the longest frame; it ends at most that much later.
 */
export function endOfFlac(file: FileWindow): number | null {
  const mostBytes = longestFrame(file.read(4, 38));
  if (mostBytes === null) return null;
  let at = 4;
  for (let isLast = false; !isLast && at + 4 <= file.size; ) {
    const head = file.read(at, 4);
    isLast = (head[0] ?? 0) >= 0x80;
    at += 4 + head.readUIntBE(1, 3);
  }
  let expected = 0;
  for (;;) {
    const frame = findFrame(file, at, expected, mostBytes);
    if (frame === null) return Math.min(file.size, at + (expected === 0 ? 0 : mostBytes));
    expected = frame.next;
    at = frame.at + 1;
  }
}

/** Returns the maximum bytes of a frame, from the first block; null if that is another block. */
function longestFrame(block: Buffer): number | null {
  if (block.length < 38 || (block[0]! & 0x7f) !== 0) return null;
  const mostSamples = block.readUInt16BE(6);
  const stated = block.readUIntBE(11, 3);
  const channels = ((block[16]! >> 1) & 7) + 1;
  const bits = (((block[16]! & 1) << 4) | (block[17]! >> 4)) + 1;
  // An incompressible frame has its samples as they are, one bit more for a difference, and short headers.
  const plain = Math.ceil((mostSamples * channels * (bits + 1)) / 8) + 64 + 8 * channels;
  return stated === 0 ? plain : Math.min(stated, plain);
}

/**
 * Finds the frame with a number, within a number of bytes.
 * @returns the offset of the frame, and the next frame's number
 */
function findFrame(
  file: FileWindow,
  from: number,
  expected: number,
  within: number,
): { readonly at: number; readonly next: number } | null {
  for (let at = from; at <= from + within && at + 6 <= file.size; ) {
    const found = nextByteOfOnes(file, at);
    if (found > from + within) return null;
    const next = numberAfter(file.read(found, 16), expected);
    if (next !== null) return { at: found, next };
    at = found + 1;
  }
  return null;
}

/** Returns the number that follows a frame's; null if this is not the header of the expected frame. */
function numberAfter(head: Buffer, expected: number): number | null {
  if (head.length < 6 || head[0] !== 0xff || (head[1]! & 0xfe) !== 0xf8) return null;
  const first = head[4]!;
  const more = first < 0x80 ? 0 : Math.clz32(~(first << 24)) - 1;
  let number = more === 0 ? first : first & (0x3f >> more);
  for (const byte of head.subarray(5, 5 + more)) number = number * 64 + (byte & 63);
  if (number !== expected) return null;
  const sizeCode = head[2]! >> 4;
  const rateCode = head[2]! & 15;
  let at = 5 + more;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  if (at + sizeBytes > head.length) return null;
  const samples = sizeBytes === 0 ? plainSamples(sizeCode) : head.readUIntBE(at, sizeBytes) + 1;
  at += sizeBytes;
  at += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  if (at >= head.length || checksum(head.subarray(0, at)) !== head[at]) return null;
  // Frames of equal size count frames, others samples.
  return number + ((head[1]! & 1) === 0 ? 1 : samples);
}

function plainSamples(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8);
}

/** Computes the CRC-8 with the polynomial x⁸ + x² + x + 1. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80) === 0 ? sum << 1 : ((sum << 1) ^ 0x07) & 0xff;
  }
  return sum;
}
