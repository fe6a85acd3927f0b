import { BrokenStructure } from './picture-structure.ts';

/** The picture that an AVIF shows, as its tables tell. */
export interface AvifItem {
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly turned: boolean;
  /** Where the last byte of all its parts ends. */
  readonly end: number;
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** Reads the content of the box `meta`. @throws BrokenStructure */
export function primaryItem(meta: Buffer): AvifItem {
  try {
    const tables = boxesIn(meta, 4);
    const properties = boxesIn(bodyOf(tables, 'iprp'), 0);
    const all = boxesIn(bodyOf(properties, 'ipco'), 0);
    const own = propertiesOf(bodyOf(properties, 'ipma'), idOf(bodyOf(tables, 'pitm'))).map((index) => all[index - 1]);
    const first = (type: string) => own.find((property) => property?.type === type)?.body;
    const size = first('ispe');
    return {
      size: size === undefined ? null : shownSize(size, first('clap')),
      turned: ((first('irot')?.[0] ?? 0) & 1) === 1,
      end: endOfParts(bodyOf(tables, 'iloc')),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenStructure('its tables are damaged');
    throw error;
  }
}

function boxesIn(bytes: Buffer, from: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) throw new BrokenStructure('its tables are damaged');
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

function bodyOf(boxes: readonly Box[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new BrokenStructure(`its tables have no ${type}`);
  return found.body;
}

/** The number of the primary item. */
function idOf(pitm: Buffer): number {
  return pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4);
}

/** The indexes, from 1, of an item's properties. */
function propertiesOf(ipma: Buffer, item: number): number[] {
  const isWide = ((ipma[3] ?? 0) & 1) === 1;
  const idBytes = ipma[0] === 0 ? 2 : 4;
  const count = ipma.readUInt32BE(4);
  for (let at = 8, entry = 0; entry < count; entry++) {
    const id = ipma.readUIntBE(at, idBytes);
    const properties = ipma.readUInt8(at + idBytes);
    at += idBytes + 1;
    if (id === item)
      return Array.from({ length: properties }, (_, index) =>
        isWide ? ipma.readUInt16BE(at + index * 2) & 0x7fff : ipma.readUInt8(at + index) & 0x7f,
      );
    at += properties * (isWide ? 2 : 1);
  }
  return [];
}

/** @param clap the visible part: two fractions */
function shownSize(ispe: Buffer, clap: Buffer | undefined): { width: number; height: number } {
  if (clap === undefined) return { width: ispe.readUInt32BE(4), height: ispe.readUInt32BE(8) };
  return {
    width: Math.round(clap.readUInt32BE(0) / clap.readUInt32BE(4)),
    height: Math.round(clap.readUInt32BE(8) / clap.readUInt32BE(12)),
  };
}

/** Where the parts that lie in the file itself end. */
function endOfParts(iloc: Buffer): number {
  const version = iloc.readUInt8(0);
  const sizes = iloc.readUInt16BE(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  let at = 6;
  const read = (bytes: number) => {
    at += bytes;
    return bytes === 0 ? 0 : bytes === 8 ? Number(iloc.readBigUInt64BE(at - 8)) : iloc.readUIntBE(at - bytes, bytes);
  };
  let end = 0;
  for (let items = read(version < 2 ? 2 : 4); items > 0; items--) {
    read(version < 2 ? 2 : 4);
    const isInFile = (version === 0 ? 0 : read(2) & 15) === 0;
    read(2);
    const base = read(baseBytes);
    for (let parts = read(2); parts > 0; parts--) {
      read(indexBytes);
      const offset = base + read(offsetBytes);
      const length = read(lengthBytes);
      if (isInFile) end = Math.max(end, offset + length);
    }
  }
  return end;
}
