import { MediaFault } from '../media-fault.ts';
import { FileWindow } from './file-window.ts';
import { type Recognized, recognizeFile } from './recognize.ts';
import { endOfFlac, endOfFrames } from './sound-ends.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;

/** Bytes that may follow the end of a file's content or pad it: some programs do. docs/operating.md states the same. */
const SPARE_BYTES = 64 * KIBIBYTE;
/** Cameras append additional pictures (brightness maps, previews) or a short video to a JPEG. */
const SPARE_BYTES_OF_JPEG = 16 * MEBIBYTE;
/** Programs reserve space in videos for tables that they write later. */
const SPARE_BYTES_OF_FILM = MEBIBYTE;

/** Returns the offset where a format's content ends; null if decoding is needed to tell. */
type FindEnd = (file: FileWindow) => number | null;

const OF_PICTURES: Readonly<Record<string, FindEnd>> = {
  'image/png': endOfPng,
  'image/jpeg': endOfJpeg,
  'image/gif': endOfGif,
  'image/webp': endOfRiff,
  'image/avif': endOfBoxes,
};
const OF_FILMS: Readonly<Record<string, FindEnd>> = {
  mp4: endOfBoxes,
  matroska: endOfElements,
  wav: endOfRiff,
  ogg: endOfPages,
  flac: endOfFlac,
  mp3: endOfFrames,
};

/**
 * Rejects a file that continues long after the end of its picture, video or sound: such a file hides other data. Reads
 * the structure once in small pieces and decodes nothing.
 * @throws MediaFault `corrupt`
 */
export async function checkEnd(path: string): Promise<void> {
  const format = await recognizeFile(path);
  const findEnd = format.picture ? OF_PICTURES[format.contentType] : OF_FILMS[format.film];
  if (findEnd === undefined) return;
  using file = new FileWindow(path);
  const end = findEnd(file);
  const most = spareBytesOf(format);
  if (end === null || file.size - end <= most) return;
  const word = format.picture ? 'image' : 'video or audio';
  throw new MediaFault(
    'corrupt',
    `the ${word} ends after ${end} of the file's ${file.size} bytes; at most ${most} more bytes are accepted. Remove the bytes that follow it`,
  );
}

function spareBytesOf(format: Recognized): number {
  if (!format.picture) return SPARE_BYTES_OF_FILM;
  return format.contentType === 'image/jpeg' ? SPARE_BYTES_OF_JPEG : SPARE_BYTES;
}

function endOfPng(file: FileWindow): number | null {
  for (let at = 8; at + 12 <= file.size; ) {
    const head = file.read(at, 8);
    const isEnd = head.toString('latin1', 4, 8) === 'IEND';
    at += 12 + head.readUInt32BE(0);
    if (isEnd) return at;
  }
  return null;
}

function endOfRiff(file: FileWindow): number | null {
  const head = file.read(0, 8);
  const size = head.readUInt32LE(4);
  // A piped recording, or one over 4 GB, does not state its size.
  if (head.toString('latin1', 0, 4) !== 'RIFF' || size === 0xffffffff || size === 0) return null;
  return 8 + size + (size % 2);
}

function endOfJpeg(file: FileWindow): number | null {
  for (let at = 2; at + 2 <= file.size; ) {
    const head = file.read(at, 4);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff) at = nextMarker(file, at);
    else if (marker === 0xd9) return at + 2;
    else if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (head.length < 4) return null;
    else {
      at += 2 + head.readUInt16BE(2);
      if (marker === 0xda) at = nextMarker(file, at);
    }
  }
  return null;
}

/** Finds the next marker after compressed data, where 0xff is escaped by a zero. */
export function nextMarker(file: FileWindow, from: number): number {
  const piece = 8 * KIBIBYTE;
  for (let at = from; at < file.size; ) {
    const bytes = file.read(at, piece);
    for (let found = bytes.indexOf(0xff); found !== -1 && found + 1 < bytes.length; ) {
      const next = bytes[found + 1] ?? 0;
      if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at + found;
      found = bytes.indexOf(0xff, found + 2);
    }
    // The last byte may be the first half of a marker.
    at += Math.max(1, bytes.length - 1);
  }
  return file.size;
}

function endOfGif(file: FileWindow): number | null {
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + tableBytes(file.read(10, 1)[0] ?? 0);
  while (at < file.size) {
    const kind = file.read(at, 1)[0];
    if (kind === 0x3b) return at + 1;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + tableBytes(file.read(at + 9, 1)[0] ?? 0);
    else return null;
    for (let length = -1; length !== 0 && at < file.size; at += 1 + length) length = file.read(at, 1)[0] ?? 0;
  }
  return null;
}

const BOXES_WITH_CONTENT = new Set(
  'ftyp styp moov moof mfra mdat imda meta sidx ssix prft pdin pssh emsg uuid udta pnot'.split(' '),
);

/** Returns the end of an MP4 or MOV. Empty boxes and boxes of unknown types count as data after the end. */
function endOfBoxes(file: FileWindow): number | null {
  let meaning = 0;
  for (let at = 0; at + 8 <= file.size; ) {
    const head = file.read(at, 16);
    const type = head.toString('latin1', 4, 8);
    const short = head.readUInt32BE(0);
    const hasContent = BOXES_WITH_CONTENT.has(type);
    if (short === 0) return hasContent ? file.size : meaning;
    if (short === 1 && head.length < 16) break;
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (size < 8) break;
    at += size;
    if (hasContent) meaning += size;
  }
  return Math.min(meaning, file.size);
}

/** Returns the end of a Matroska: the header, then the segment, whose length is unknown in a live recording. */
function endOfElements(file: FileWindow): number | null {
  let at = 0;
  for (const id of [0x1a45dfa3, 0x18538067]) {
    const head = file.read(at, 12);
    if (head.length < 5 || head.readUInt32BE(0) !== id) return null;
    const first = head[4] ?? 0;
    const length = first === 0 ? 0 : Math.clz32(first) - 23;
    if (length === 0 || head.length < 4 + length) return null;
    let size = first & (0xff >> length);
    let known = size !== 0xff >> length;
    for (const byte of head.subarray(5, 4 + length)) {
      size = size * 256 + byte;
      known ||= byte !== 0xff;
    }
    if (!known) return null;
    at += 4 + length + size;
    if (at >= file.size) return file.size;
  }
  return at;
}

/** Returns the end of an Ogg file. */
function endOfPages(file: FileWindow): number | null {
  let at = 0;
  while (at + 27 <= file.size) {
    const head = file.read(at, 27 + 255);
    if (head.toString('latin1', 0, 4) !== 'OggS') break;
    const segments = head[26] ?? 0;
    let size = 27 + segments;
    for (const length of head.subarray(27, 27 + segments)) size += length;
    at += size;
  }
  return at;
}
