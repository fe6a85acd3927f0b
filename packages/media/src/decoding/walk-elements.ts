import { MediaFault } from '../media-fault.ts';
import type { FileWindow } from './file-window.ts';
import type { FilmCount } from './film-count.ts';

export const SEGMENT = 0x18538067;
export const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
/** Elements that are read as a whole: seek head, info, tracks, cues, chapters, tags. Attachments are not read. */
const TABLES = new Set([0x114d9b74, 0x1549a966, TRACKS, 0x1c53bb6b, 0x1043a770, 0x1254c367]);

/** Walks the elements of a Matroska or WebM file. Only clusters of unknown length are entered. @throws MediaFault */
export function walkElements(file: FileWindow, count: FilmCount): void {
  let tracksEnd = 0;
  for (let at = 0; at < file.size; ) {
    const element = readElement(file, at);
    if (element === null) return;
    const { id, content, end } = element;
    count.box();
    if (TABLES.has(id)) count.table((end ?? file.size) - at);
    if (id === TRACK_ENTRY && at < tracksEnd) count.track();
    if (id === TRACKS) tracksEnd = end ?? file.size;
    const entered = id === SEGMENT || id === TRACKS || (id === CLUSTER && end === null);
    if (!entered && end === null) throw new MediaFault('corrupt', 'the video has an element without a size');
    at = entered || end === null ? content : end;
  }
}

interface Element {
  readonly id: number;
  readonly content: number;
  /** End of the element; null if unknown, as in a live recording. */
  readonly end: number | null;
}

/** Reads the header of an element. Returns null at the end of the file, or where no element begins. */
export function readElement(file: FileWindow, at: number): Element | null {
  const head = file.read(at, 12);
  const idLength = lengthOf(head[0]);
  if (idLength === 0 || idLength > 4 || head.length < idLength + 1) return null;
  const sizeLength = lengthOf(head[idLength]);
  if (sizeLength === 0 || head.length < idLength + sizeLength) return null;
  const id = head.readUIntBE(0, idLength);
  let size = (head[idLength] ?? 0) & (0xff >> sizeLength);
  let unknown = size === 0xff >> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  const content = at + idLength + sizeLength;
  return { id, content, end: unknown ? null : content + size };
}

/** Returns the length of a number, given by the leading zeros of its first byte; 0 = invalid. */
function lengthOf(first: number | undefined): number {
  return first === undefined || first === 0 ? 0 : Math.clz32(first) - 23;
}
