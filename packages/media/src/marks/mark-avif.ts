import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { isManifest, nextBox } from './mark-boxes.ts';
import { type MarkState, MOST_REPLACED_BYTES, type Splicer } from './splicer.ts';

const XMP_TYPE = 'application/rdf+xml';

interface Child {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Adds the XMP as an item: to the tables of the picture's parts, and its bytes right behind them. The parts behind move
 * by as much, and their offsets with them.
 */
export function* markAvif(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  let isPlaced = false;
  for (;;) {
    if (isPlaced) splicer.heldFrom = Infinity;
    const box = yield* nextBox(file);
    if (box === null) break;
    if (isManifest(box)) return 'kept';
    if (box.type === 'moov') throw new BrokenStructure('it is animated');
    if (box.type !== 'meta' || isPlaced) {
      whole(yield* file.skip(box.left));
      continue;
    }
    if (box.left > MOST_REPLACED_BYTES) throw new BrokenStructure('its tables are too long');
    const meta = Buffer.from(whole(yield* file.take(box.left)));
    const removed = file.at - box.start;
    // The length of the tables does not depend on the offsets in them.
    const draft = withItem(meta, { from: 0, by: 0, at: 0, bytes: xmp.length });
    const by = draft.length + 8 + xmp.length - removed;
    const at = box.start + draft.length + 8;
    const table = withItem(meta, { from: file.at, by, at, bytes: xmp.length });
    splicer.change(box.start, removed, Buffer.concat([table, boxOf('mdat', xmp)]));
    isPlaced = true;
  }
  if (!isPlaced) throw new BrokenStructure('it has no table of its parts');
  return 'marked';
}

interface Item {
  /** Parts at offsets from here on move by so many bytes. */
  readonly from: number;
  readonly by: number;
  /** Of the XMP in the marked file. */
  readonly at: number;
  readonly bytes: number;
}

/** Returns the box `meta` with one more item. */
function withItem(meta: Buffer, item: Item): Buffer {
  const children = childrenOf(meta.subarray(4));
  const only = (type: string) => {
    const found = children.find((child) => child.type === type)?.body;
    if (found === undefined) throw new BrokenStructure(`its tables have no ${type}`);
    return found;
  };
  if (meta.includes(XMP_TYPE)) throw new BrokenStructure('it has XMP');
  const pitm = only('pitm');
  const primary = pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4);
  const { iloc, id } = withLocation(only('iloc'), item);
  const changed = new Map([
    ['iloc', iloc],
    ['iinf', withName(only('iinf'), id)],
  ]);
  const references = children.find(({ type }) => type === 'iref')?.body ?? Buffer.alloc(4);
  changed.set('iref', Buffer.concat([references, referenceOf(id, primary, references[0] !== 0)]));
  if (!children.some(({ type }) => type === 'iref')) children.push({ type: 'iref', body: references });
  const boxes = children.map(({ type, body }) => boxOf(type, changed.get(type) ?? body));
  return boxOf('meta', Buffer.concat([meta.subarray(0, 4), ...boxes]));
}

function childrenOf(bytes: Buffer): Child[] {
  const children: Child[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) throw new BrokenStructure('its tables are damaged');
    children.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return children;
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

/** The XMP describes the primary item. */
function referenceOf(id: number, primary: number, isWide: boolean): Buffer {
  const bytes = isWide ? 4 : 2;
  const body = Buffer.alloc(2 * bytes + 2);
  body.writeUIntBE(id, 0, bytes);
  body.writeUInt16BE(1, bytes);
  body.writeUIntBE(primary, bytes + 2, bytes);
  return boxOf('cdsc', body);
}

/** Adds a location to the table, moves the others, and returns the number of the new item: the next free one. */
function withLocation(iloc: Buffer, { from, by, at, bytes }: Item): { readonly iloc: Buffer; readonly id: number } {
  const table = Buffer.from(iloc);
  const version = table.readUInt8(0);
  const sizes = table.readUInt16BE(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  if (lengthBytes === 0) throw new BrokenStructure('its parts have no length');
  let cursor = 6;
  const read = (count: number) => {
    cursor += count;
    return numberIn(table, cursor - count, count);
  };
  const items = read(idBytes);
  let id = 0;
  for (let item = 0; item < items; item++) {
    id = Math.max(id, read(idBytes));
    const isInFile = (version === 0 ? 0 : read(2) & 15) === 0;
    read(2);
    const baseAt = cursor;
    const base = read(baseBytes);
    const offsets: { readonly place: number; readonly offset: number }[] = [];
    for (let parts = read(2); parts > 0; parts--) {
      read(indexBytes);
      offsets.push({ place: cursor, offset: read(offsetBytes) });
      read(lengthBytes);
    }
    if (!isInFile) continue;
    const moved = offsets.filter(({ offset }) => base + offset >= from);
    if (moved.length === offsets.length && base > 0) writeNumber(table, base + by, baseAt, baseBytes);
    else for (const { place, offset } of moved) writeNumber(table, offset + by, place, offsetBytes);
  }
  id++;
  const entry = Buffer.alloc(
    idBytes + (version === 0 ? 0 : 2) + 2 + baseBytes + 2 + indexBytes + offsetBytes + lengthBytes,
  );
  entry.writeUIntBE(id, 0, idBytes);
  const end = entry.length;
  const partAt = end - indexBytes - offsetBytes - lengthBytes;
  entry.writeUInt16BE(1, partAt - 2);
  if (offsetBytes > 0) writeNumber(entry, at, partAt + indexBytes, offsetBytes);
  else writeNumber(entry, at, partAt - 2 - baseBytes, baseBytes);
  writeNumber(entry, bytes, end - lengthBytes, lengthBytes);
  table.writeUIntBE(items + 1, 6, idBytes);
  return { iloc: Buffer.concat([table, entry]), id };
}

function numberIn(bytes: Buffer, at: number, count: number): number {
  if (count === 0) return 0;
  return count === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, count);
}

/** @throws RangeError if it does not fit */
function writeNumber(bytes: Buffer, value: number, at: number, count: number): void {
  if (count === 8) bytes.writeBigUInt64BE(BigInt(value), at);
  else bytes.writeUIntBE(value, at, count);
}

function boxOf(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
