import type { ArrivingFile, Reading } from './arriving-file.ts';
import { BrokenStructure } from './picture-structure.ts';

/** The picture that an AVIF shows, according to its tables. */
export interface AvifItem {
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly turned: boolean;
  /** The end of the last byte of all parts. */
  readonly end: number;
  /** Total bytes of all parts. */
  readonly bytes: number;
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** Number of table entries read in one turn of the event loop. */
const MOST_STEPS = 10_000;
const TABLES = ['iprp', 'pitm', 'iloc'];

/** Reads the content of the box `meta`, which has been taken from the file. @throws BrokenStructure */
export function* primaryItem(file: ArrivingFile, meta: Buffer): Reading<AvifItem> {
  try {
    const tables = yield* boxesIn(file, meta.subarray(4), (type) => TABLES.includes(type));
    const properties = yield* boxesIn(file, bodyOf(tables, 'iprp'), (type) => type === 'ipco' || type === 'ipma');
    const own = yield* propertiesOf(file, bodyOf(properties, 'ipma'), idOf(bodyOf(tables, 'pitm')));
    const all = yield* boxesIn(file, bodyOf(properties, 'ipco'), (_, index) => own.includes(index));
    const first = (type: string) =>
      own.map((index) => all.get(index)).find((property) => property?.type === type)?.body;
    const size = first('ispe');
    return {
      size: size === undefined ? null : shownSize(size, first('clap')),
      turned: ((first('irot')?.[0] ?? 0) & 1) === 1,
      ...(yield* partsOf(file, bodyOf(tables, 'iloc'))),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenStructure('its tables are damaged');
    throw error;
  }
}

/** Returns the wanted boxes by their indexes, which count from 1. */
function* boxesIn(
  file: ArrivingFile,
  bytes: Buffer,
  isWanted: (type: string, index: number) => boolean,
): Reading<ReadonlyMap<number, Box>> {
  const boxes = new Map<number, Box>();
  for (let at = 0, index = 1; at + 8 <= bytes.length; index++) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) throw new BrokenStructure('its tables are damaged');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (isWanted(type, index)) boxes.set(index, { type, body: bytes.subarray(at + 8, at + size) });
    at += size;
    if (index % MOST_STEPS === 0) yield* file.rest();
  }
  return boxes;
}

function bodyOf(boxes: ReadonlyMap<number, Box>, type: string): Buffer {
  for (const box of boxes.values()) if (box.type === type) return box.body;
  throw new BrokenStructure(`its tables have no ${type}`);
}

/** Returns the id of the primary item. */
function idOf(pitm: Buffer): number {
  return pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4);
}

/** Returns the indexes, from 1, of an item's properties. */
function* propertiesOf(file: ArrivingFile, ipma: Buffer, item: number): Reading<readonly number[]> {
  const isWide = ((ipma[3] ?? 0) & 1) === 1;
  const idBytes = ipma[0] === 0 ? 2 : 4;
  const count = ipma.readUInt32BE(4);
  for (let at = 8, entry = 1; entry <= count; entry++) {
    const id = ipma.readUIntBE(at, idBytes);
    const properties = ipma.readUInt8(at + idBytes);
    at += idBytes + 1;
    if (id === item)
      return Array.from({ length: properties }, (_, index) =>
        isWide ? ipma.readUInt16BE(at + index * 2) & 0x7fff : ipma.readUInt8(at + index) & 0x7f,
      );
    at += properties * (isWide ? 2 : 1);
    if (entry % MOST_STEPS === 0) yield* file.rest();
  }
  return [];
}

/** Returns the displayed size. @param clap the visible part: two fractions */
function shownSize(ispe: Buffer, clap: Buffer | undefined): { width: number; height: number } {
  if (clap === undefined) return { width: ispe.readUInt32BE(4), height: ispe.readUInt32BE(8) };
  return {
    width: Math.round(clap.readUInt32BE(0) / clap.readUInt32BE(4)),
    height: Math.round(clap.readUInt32BE(8) / clap.readUInt32BE(12)),
  };
}

/** Returns the end of the parts that are in the file itself, and the total length of all parts. */
function* partsOf(file: ArrivingFile, iloc: Buffer): Reading<{ readonly end: number; readonly bytes: number }> {
  const version = iloc.readUInt8(0);
  const sizes = iloc.readUInt16BE(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  // Parts without bytes are all alike, and a table of a few bytes can have billions.
  const haveBytes = indexBytes + offsetBytes + lengthBytes > 0;
  let at = 6;
  const read = (bytes: number) => {
    at += bytes;
    return bytes === 0 ? 0 : bytes === 8 ? Number(iloc.readBigUInt64BE(at - 8)) : iloc.readUIntBE(at - bytes, bytes);
  };
  let end = 0;
  let bytes = 0;
  let steps = 0;
  for (let items = read(version < 2 ? 2 : 4); items > 0; items--) {
    read(version < 2 ? 2 : 4);
    const isInFile = (version === 0 ? 0 : read(2) & 15) === 0;
    read(2);
    const base = read(baseBytes);
    const count = read(2);
    for (let parts = haveBytes ? count : Math.min(1, count); parts > 0; parts--) {
      read(indexBytes);
      const offset = base + read(offsetBytes);
      const length = read(lengthBytes);
      if (isInFile) end = Math.max(end, offset + length);
      // A part without a length extends to the end of the file.
      bytes += length === 0 ? Number.POSITIVE_INFINITY : length;
      if (++steps % MOST_STEPS === 0) yield* file.rest();
    }
    if (++steps % MOST_STEPS === 0) yield* file.rest();
  }
  return { end, bytes };
}
