import { MediaFault } from '../media-fault.ts';
import type { FileWindow } from './file-window.ts';
import type { FilmCount } from './film-count.ts';

/** Boxes that contain only other boxes. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'mfra']);
/** Top-level boxes without pictures or sound that are read as a whole. */
const TABLES = new Set(['moov', 'moof', 'mfra', 'sidx', 'meta', 'pssh', 'emsg', 'uuid']);
const MAX_DEPTH = 12;

interface Track {
  /** Samples according to the table of times; `offsets` according to the table of offsets to them. */
  samples: number;
  offsets: number;
}

interface Level {
  readonly end: number;
  readonly track: Track | null;
}

/** Walks the boxes of an MP4 or MOV file and counts their contents. @throws MediaFault */
export function walkBoxes(file: FileWindow, count: FilmCount): void {
  const levels: Level[] = [{ end: file.size, track: null }];
  let at = 0;
  while (levels.length > 0) {
    const { end, track } = levels.at(-1)!;
    // Fewer bytes than a header are padding.
    if (at + 8 > end) {
      at = end;
      levels.pop();
      continue;
    }
    const box = readBox(file, at, end);
    count.box();
    if (levels.length === 1 && TABLES.has(box.type)) count.table(box.end - at);
    if (box.type === 'trak') count.track();
    if (CONTAINERS.has(box.type)) {
      if (levels.length >= MAX_DEPTH)
        throw new MediaFault('corrupt', `the video nests boxes more than ${MAX_DEPTH} levels deep`);
      levels.push({ end: box.end, track: box.type === 'trak' ? { samples: 0, offsets: 0 } : track });
      at = box.content;
      continue;
    }
    if (box.type === 'trun') count.fragment(readCount(file, box.content + 4));
    if (track !== null) countSamples(file, box, track, count);
    at = box.end;
  }
}

/** A box of an MP4 or MOV file. */
export interface Box {
  readonly type: string;
  readonly content: number;
  readonly end: number;
}

/** Reads the header of a box. @param end end of the enclosing box. @throws MediaFault */
export function readBox(file: FileWindow, at: number, end: number): Box {
  const head = file.read(at, 16);
  const type = head.toString('latin1', 4, 8);
  const short = head.length < 8 ? 0 : head.readUInt32BE(0);
  if (short === 0) return { type, content: at + 8, end };
  const long = short === 1;
  if (long && head.length < 16) throw new MediaFault('corrupt', 'the video ends inside a box');
  const size = long ? Number(head.readBigUInt64BE(8)) : short;
  const header = long ? 16 : 8;
  if (size < header) throw new MediaFault('corrupt', `the video has a box with an invalid size of ${size} bytes`);
  return { type, content: at + header, end: Math.min(end, at + size) };
}

/** Counts a table's samples. Times with offsets are listed one by one, however few entries their tables have. */
function countSamples(file: FileWindow, { type, content, end }: Box, track: Track, count: FilmCount): void {
  if (type !== 'stts' && type !== 'ctts') return;
  const entries = readCount(file, content + 4);
  let samples = 0;
  for (let entry = 0, at = content + 8; entry < entries && at + 8 <= end; entry++, at += 8)
    samples += readCount(file, at);
  if (type === 'stts') track.samples += samples;
  else track.offsets += samples;
  if (track.offsets > 0) count.samples(Math.max(track.samples, track.offsets));
}

function readCount(file: FileWindow, at: number): number {
  const bytes = file.read(at, 4);
  return bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
}
