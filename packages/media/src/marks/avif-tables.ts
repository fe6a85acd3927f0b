import { BrokenStructure } from '../structure/picture-structure.ts';

const XMP_TYPE = 'application/rdf+xml';
/** Values of an item's construction method: its bytes are in the file, or in the tables themselves. */
const [IN_FILE, IN_TABLES] = [0, 1];

interface Child {
  readonly type: string;
  readonly body: Buffer;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Location {
  readonly id: number;
  readonly method: number;
  readonly reference: number;
  readonly base: number;
  readonly parts: readonly { readonly index: number; readonly offset: number; readonly length: number }[];
}

/** The XMP of a picture according to its tables: bytes in the tables, or ranges of the file. */
export interface XmpItem {
  readonly id: number;
  readonly bytes: Buffer | null;
  readonly ranges: readonly Range[];
}

interface Move {
  /** Offset from which on parts move by `by` bytes. */
  readonly from: number;
  readonly by: number;
  /** Offset of the XMP in the marked file. */
  readonly at: number;
  readonly bytes: number;
}

/** Finds the XMP in the content of the box `meta`; null without. @throws BrokenStructure */
export function xmpItemIn(meta: Buffer): XmpItem | null {
  const children = childrenOf(meta.subarray(4));
  const iinf = only(children, 'iinf');
  const ids = childrenOf(iinf.subarray(iinf[0] === 0 ? 6 : 8)).flatMap(({ body }) => xmpIdIn(body) ?? []);
  const [id] = ids;
  if (id === undefined) return null;
  if (ids.length > 1) throw new BrokenStructure('it has XMP twice');
  const found = locationsIn(only(children, 'iloc')).items.find((item) => item.id === id);
  if (found === undefined || found.parts.length === 0)
    throw new BrokenStructure('its tables do not tell where its XMP is');
  const ranges = found.parts.map(({ offset, length }) => {
    const start = found.base + offset;
    return { start, end: start + length };
  });
  if (found.method === IN_FILE) return { id, bytes: null, ranges };
  if (found.method !== IN_TABLES) throw new BrokenStructure('its XMP is part of another item');
  const idat = only(children, 'idat');
  return { id, bytes: Buffer.concat(ranges.map(({ start, end }) => idat.subarray(start, end))), ranges: [] };
}

/** Returns the box `meta` with its XMP at a separate position. @param item null = it has none yet */
export function withXmp(meta: Buffer, item: XmpItem | null, move: Move): Buffer {
  const children = childrenOf(meta.subarray(4));
  const { items, write } = locationsIn(only(children, 'iloc'));
  const id = item?.id ?? items.reduce((most, one) => Math.max(most, one.id), 0) + 1;
  const others = items.filter((one) => one.id !== id).map((one) => moved(one, move));
  const changed = new Map([['iloc', write(others, id, move)]]);
  if (item === null) {
    const pitm = only(children, 'pitm');
    const primary = pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4);
    changed.set('iinf', withName(only(children, 'iinf'), id));
    const references = children.find(({ type }) => type === 'iref')?.body ?? Buffer.alloc(4);
    changed.set('iref', Buffer.concat([references, referenceOf(id, primary, references[0] !== 0)]));
    if (!children.some(({ type }) => type === 'iref')) children.push({ type: 'iref', body: references });
  }
  const boxes = children.map(({ type, body }) => boxOf(type, changed.get(type) ?? body));
  return boxOf('meta', Buffer.concat([meta.subarray(0, 4), ...boxes]));
}

export function boxOf(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function only(children: readonly Child[], type: string): Buffer {
  const found = children.find((child) => child.type === type)?.body;
  if (found === undefined) throw new BrokenStructure(`its tables have no ${type}`);
  return found;
}

function childrenOf(bytes: Buffer): Child[] {
  const children: Child[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = at + 8 > bytes.length ? 0 : bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) throw new BrokenStructure('its tables are damaged');
    children.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return children;
}

/** Returns the id of the item in an `infe` if it is XMP; else null. */
function xmpIdIn(infe: Buffer): number | null {
  const isWide = infe[0] === 3;
  const typeAt = isWide ? 10 : 8;
  if (infe.toString('latin1', typeAt, typeAt + 4) !== 'mime') return null;
  const [, contentType, encoding = ''] = infe.toString('latin1', typeAt + 4).split('\0');
  if (contentType !== XMP_TYPE) return null;
  if (encoding !== '') throw new BrokenStructure('its XMP is compressed');
  return isWide ? infe.readUInt32BE(4) : infe.readUInt16BE(4);
}

function withName(iinf: Buffer, id: number): Buffer {
  const infe = Buffer.alloc(12);
  // Version 2, hidden.
  infe.writeUInt32BE(0x02000001);
  infe.writeUInt16BE(id, 4);
  infe.write('mime', 8);
  const named = boxOf('infe', Buffer.concat([infe, Buffer.from(`\0${XMP_TYPE}\0`)]));
  const all = Buffer.concat([iinf, named]);
  if (iinf[0] === 0) all.writeUInt16BE(iinf.readUInt16BE(4) + 1, 4);
  else all.writeUInt32BE(iinf.readUInt32BE(4) + 1, 4);
  return all;
}

/** Returns the reference by which the XMP describes the primary item. */
function referenceOf(id: number, primary: number, isWide: boolean): Buffer {
  const bytes = isWide ? 4 : 2;
  const body = Buffer.alloc(2 * bytes + 2);
  body.writeUIntBE(id, 0, bytes);
  body.writeUInt16BE(1, bytes);
  body.writeUIntBE(primary, bytes + 2, bytes);
  return boxOf('cdsc', body);
}

function moved(location: Location, { from, by }: Move): Location {
  const { method, base, parts } = location;
  if (method !== IN_FILE) return location;
  const isMoved = parts.map(({ offset }) => base + offset >= from);
  if (base > 0 && !isMoved.includes(false)) return { ...location, base: base + by };
  return {
    ...location,
    parts: parts.map((part, place) => (isMoved[place] ? { ...part, offset: part.offset + by } : part)),
  };
}

/** Reads the location table, and returns a writer that uses the same widths, with the XMP as the last item. */
function locationsIn(iloc: Buffer) {
  const version = iloc.readUInt8(0);
  const sizes = iloc.readUInt16BE(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  if (lengthBytes === 0) throw new BrokenStructure('its parts have no length');
  let cursor = 6;
  const read = (count: number) => {
    cursor += count;
    return numberIn(iloc, cursor - count, count);
  };
  const items: Location[] = [];
  for (let left = read(idBytes); left > 0; left--) {
    const id = read(idBytes);
    const method = version === 0 ? IN_FILE : read(2) & 15;
    const [reference, base] = [read(2), read(baseBytes)];
    const parts: { index: number; offset: number; length: number }[] = [];
    for (let count = read(2); count > 0; count--)
      parts.push({ index: read(indexBytes), offset: read(offsetBytes), length: read(lengthBytes) });
    items.push({ id, method, reference, base, parts });
  }

  function write(others: readonly Location[], id: number, { at, bytes }: Move): Buffer {
    const place = offsetBytes > 0 ? { base: 0, offset: at } : { base: at, offset: 0 };
    const parts = [{ index: 0, offset: place.offset, length: bytes }];
    const all: readonly Location[] = [...others, { id, method: IN_FILE, reference: 0, base: place.base, parts }];
    const fields: Buffer[] = [iloc.subarray(0, 6), numberOf(all.length, idBytes)];
    for (const one of all) {
      fields.push(numberOf(one.id, idBytes), numberOf(one.method, version === 0 ? 0 : 2), numberOf(one.reference, 2));
      fields.push(numberOf(one.base, baseBytes), numberOf(one.parts.length, 2));
      for (const { index, offset, length } of one.parts)
        fields.push(numberOf(index, indexBytes), numberOf(offset, offsetBytes), numberOf(length, lengthBytes));
    }
    return Buffer.concat(fields);
  }

  return { items, write };
}

function numberIn(bytes: Buffer, at: number, count: number): number {
  if (count === 0) return 0;
  return count === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, count);
}

/** Encodes a number. @throws BrokenStructure if it does not fit into `count` bytes */
function numberOf(value: number, count: number): Buffer {
  if (value >= 256 ** count) throw new BrokenStructure('its tables have no room for the places of its parts');
  const bytes = Buffer.alloc(count);
  if (count === 8) bytes.writeBigUInt64BE(BigInt(value));
  else if (count > 0) bytes.writeUIntBE(value, 0, count);
  return bytes;
}
