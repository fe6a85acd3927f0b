import { crc32 } from 'node:zlib';
import { FileWindow } from '../decoding/file-window.ts';
import { MediaFault } from '../media-fault.ts';
import { isStore, jumbfPart } from './manifest-statement.ts';
import { isMpf, type Mpf, movePictures } from './mpf.ts';
import type { Change } from './splicer.ts';

/** The position of a C2PA manifest store in a file, or where one would be inserted. */
export interface ManifestPlace {
  /** The existing store; null without one. */
  readonly store: Buffer | null;
  /** Returns the changes that put a store into the file, and the one of them that is its container. */
  readonly embed: (store: Uint8Array) => { readonly changes: readonly Change[]; readonly container: Change };
  /** The boxes that the file consists of; null for a format that is hashed as one. */
  readonly boxes: readonly { readonly type: string; readonly start: number; readonly end: number }[] | null;
}

/** Maximum bytes of a store; manifests contain small pictures of their ingredients. */
export const MOST_STORE_BYTES = 4 * 2 ** 20;
export const C2PA_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const PLACES: Readonly<Record<string, (file: FileWindow) => ManifestPlace>> = {
  'image/png': placeInPng,
  'image/jpeg': placeInJpeg,
  'image/webp': placeInWebp,
  'image/avif': placeInBoxes,
  'video/mp4': placeInBoxes,
  'video/quicktime': placeInBoxes,
};
const NOTHING = Buffer.alloc(0);

/**
 * Finds the place of a manifest in a file; null for a format that cannot hold one.
 * @throws MediaFault for a file whose structure is damaged
 */
export function findManifestPlace(path: string, contentType: string): ManifestPlace | null {
  const find = PLACES[contentType];
  if (find === undefined) return null;
  using file = new FileWindow(path);
  try {
    return find(file);
  } catch (error) {
    if (error instanceof RangeError) throw damaged(error);
    throw error;
  }
}

function placeInPng(file: FileWindow): ManifestPlace {
  const old: Change[] = [];
  let store: Buffer | null = null;
  let behindHeader = 0;
  let isWhole = false;
  for (let at = 8; at + 12 <= file.size; ) {
    const head = file.read(at, 8);
    const type = head.toString('latin1', 4, 8);
    const length = head.readUInt32BE(0);
    if (behindHeader === 0) behindHeader = at + 12 + length;
    if (type === 'caBX') {
      store ??= readStore(file, at + 8, length);
      addRemoval(old, at, 12 + length);
    }
    at += 12 + length;
    isWhole = type === 'IEND';
    if (isWhole) break;
  }
  if (!isWhole) throw damaged();
  return {
    store,
    boxes: null,
    embed(bytes) {
      const body = Buffer.concat([Buffer.from('caBX'), bytes]);
      const container = Buffer.concat([uint32BE(bytes.length), body, uint32BE(crc32(body))]);
      const change = { at: behindHeader, removed: 0, bytes: container };
      return { changes: [change, ...old], container: change };
    },
  };
}

const [APP0, APP1, APP2, APP11, SCAN] = [0xe0, 0xe1, 0xe2, 0xeb, 0xda];
/** Identifier, number of the box, number of the packet; the box's own header follows. */
const PACKET_HEAD_BYTES = 8;
const BOX_HEAD_BYTES = 8;
const MOST_PACKET_BYTES = 65_533 - PACKET_HEAD_BYTES;
const BOX_NUMBER = 0x0211;

function placeInJpeg(file: FileWindow): ManifestPlace {
  const old: Change[] = [];
  const parts: Buffer[] = [];
  let number: number | null = null;
  let place = 2;
  let mpf: Mpf | null = null;
  let hasPixels = false;
  for (let at = 2; at + 4 <= file.size; ) {
    const head = file.read(at, 4);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff) throw damaged();
    if (marker === 0xff) {
      at++;
      continue;
    }
    hasPixels = marker === SCAN;
    if (hasPixels) break;
    const length = head.readUInt16BE(2);
    const end = at + 2 + length;
    if (place === at && (marker === APP0 || marker === APP1)) place = end;
    if (marker === APP2 || marker === APP11) {
      const body = readStore(file, at + 4, Math.max(0, length - 2));
      if (marker === APP2 && isMpf(body)) mpf = { at: at + 4, body };
      const part = marker === APP11 ? jumbfPart(body) : null;
      if (part !== null && number === null && isStore(Buffer.concat([part.head, part.rest]))) number = part.box;
      if (part !== null && part.box === number) {
        parts.push(...(parts.length === 0 ? [part.head] : []), part.rest);
        addRemoval(old, at, 2 + length);
      }
    }
    at = end;
  }
  if (!hasPixels) throw damaged();
  return {
    store: parts.length === 0 ? null : Buffer.concat(parts),
    boxes: null,
    embed(bytes) {
      const container = { at: place, removed: 0, bytes: packets(bytes) };
      const changes: Change[] = [container, ...old];
      if (mpf !== null)
        changes.push(
          movePictures(
            mpf,
            changes.map((one) => ({ at: one.at, by: one.bytes.length - one.removed })),
          ),
        );
      return { changes: changes.sort((a, b) => a.at - b.at), container };
    },
  };
}

/** Adds a removal; consecutive segments are removed as one. */
function addRemoval(removals: Change[], at: number, removed: number): void {
  const last = removals.at(-1);
  if (last === undefined || last.at + last.removed !== at) removals.push({ at, removed, bytes: NOTHING });
  else removals[removals.length - 1] = { ...last, removed: last.removed + removed };
}

function packets(store: Uint8Array): Buffer {
  const all: Buffer[] = [];
  const boxHead = store.subarray(0, BOX_HEAD_BYTES);
  for (let at = BOX_HEAD_BYTES; at < store.length; at += MOST_PACKET_BYTES - BOX_HEAD_BYTES) {
    const part = store.subarray(at, at + MOST_PACKET_BYTES - BOX_HEAD_BYTES);
    const head = Buffer.alloc(4 + PACKET_HEAD_BYTES);
    head.writeUInt16BE(0xff00 | APP11);
    head.writeUInt16BE(2 + PACKET_HEAD_BYTES + BOX_HEAD_BYTES + part.length, 2);
    head.write('JP', 4, 'latin1');
    head.writeUInt16BE(BOX_NUMBER, 6);
    head.writeUInt32BE(all.length / 3 + 1, 8);
    all.push(head, Buffer.from(boxHead), Buffer.from(part));
  }
  return Buffer.concat(all);
}

function placeInWebp(file: FileWindow): ManifestPlace {
  const old: Change[] = [];
  let store: Buffer | null = null;
  const riffBytes = file.read(4, 4).readUInt32LE(0);
  const end = 8 + riffBytes;
  if (end > file.size || file.read(0, 4).toString('latin1') !== 'RIFF') throw damaged();
  for (let at = 12; at + 8 <= end; ) {
    const head = file.read(at, 8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const next = Math.min(end, at + 8 + length + (length % 2));
    if (type === 'C2PA') {
      store ??= readStore(file, at + 8, length);
      addRemoval(old, at, next - at);
    }
    at = next;
  }
  return {
    store,
    boxes: null,
    embed(bytes) {
      const chunk = Buffer.concat([Buffer.from('C2PA'), uint32LE(bytes.length), bytes, Buffer.alloc(bytes.length % 2)]);
      // Some programs omit the last padding.
      const padding = { at: end, removed: 0, bytes: Buffer.alloc(riffBytes % 2) };
      const removed = old.reduce((sum, change) => sum + change.removed, 0);
      const length = riffBytes - removed + padding.bytes.length + chunk.length;
      const container = { at: end, removed: 0, bytes: chunk };
      return { changes: [{ at: 4, removed: 4, bytes: uint32LE(length) }, ...old, padding, container], container };
    },
  };
}

const FREE = Buffer.from('free');
const PURPOSE = Buffer.from('\0\0\0\0manifest\0', 'latin1');
const OFFSET_BYTES = 8;
const ZEROS = Buffer.alloc(8);

/** Finds the place for a box: the store is appended, so that no sample moves; an existing one becomes free space. */
function placeInBoxes(file: FileWindow): ManifestPlace {
  const old: Change[] = [];
  const boxes: { type: string; start: number; end: number }[] = [];
  let store: Buffer | null = null;
  let place: number | null = null;
  let at = 0;
  // Nothing is searched behind zeros.
  while (at + 8 <= file.size && !file.read(at, 8).equals(ZEROS)) {
    const { type, content, end } = readBox(file, at);
    boxes.push({ type, start: at, end });
    // The index of fragments is found from the end of the file.
    if (type === 'mfra') place ??= at;
    if (type === 'uuid' && file.read(content, C2PA_ID.length).equals(C2PA_ID)) {
      const body = content + C2PA_ID.length;
      if (file.read(body, PURPOSE.length).equals(PURPOSE))
        store ??= readStore(file, body + PURPOSE.length + OFFSET_BYTES, end - body - PURPOSE.length - OFFSET_BYTES);
      old.push({ at: at + 4, removed: 4, bytes: FREE });
    }
    at = end;
  }
  if (!boxes.some(({ type }) => type === 'moov' || type === 'meta')) throw damaged();
  const end = at;
  // Other readers treat the zeros as a box, whose offset is hashed.
  if (end + 8 <= file.size) boxes.push({ type: 'zeros', start: end, end: file.size });
  return {
    store,
    boxes,
    embed(bytes) {
      const body = Buffer.concat([Buffer.from('uuid'), C2PA_ID, PURPOSE, Buffer.alloc(OFFSET_BYTES), bytes]);
      const container = { at: place ?? end, removed: 0, bytes: Buffer.concat([uint32BE(4 + body.length), body]) };
      return { changes: [container, ...old].sort((a, b) => a.at - b.at), container };
    },
  };
}

/** Reads a box. @throws MediaFault for an incomplete box, or one that nothing can follow */
function readBox(
  file: FileWindow,
  at: number,
): { readonly type: string; readonly content: number; readonly end: number } {
  const head = file.read(at, 16);
  const short = head.readUInt32BE(0);
  if (short === 0) throw new MediaFault('unsupported', 'the last box of the file states no length, so none can follow');
  const content = at + (short === 1 ? 16 : 8);
  const end = at + (short === 1 ? Number(head.readBigUInt64BE(8)) : short);
  if (end < content || end > file.size)
    throw new MediaFault('corrupt', 'the file has bytes behind its last box, or lacks some of it');
  return { type: head.toString('latin1', 4, 8), content, end };
}

function readStore(file: FileWindow, from: number, length: number): Buffer {
  if (length > MOST_STORE_BYTES) throw new MediaFault('too_costly', 'the manifest of the file is too long');
  const parts: Buffer[] = [];
  for (let at = from; at < from + length; ) {
    const part = Buffer.from(file.read(at, Math.min(8 * 1024, from + length - at)));
    if (part.length === 0) throw damaged();
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

function damaged(cause?: unknown): MediaFault {
  return new MediaFault('corrupt', 'the file is damaged, so that it cannot hold a manifest', cause);
}

function uint32BE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
