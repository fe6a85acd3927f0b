import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './extend-xmp.ts';
import { isMachineStore } from './manifest-statement.ts';
import type { MarkState, Splicer } from './splicer.ts';

const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const C2PA_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const ID_BYTES = XMP_ID.length;
const OFFSET_BYTES = 8;
const ZEROS = Buffer.alloc(8);
/** Bytes before the store: a version, the purpose and an offset. */
const STORE_HEAD = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');

/** The header of a top-level box; the reader is positioned behind it. */
export interface TopBox {
  readonly type: string;
  readonly start: number;
  /** Number of bytes of the box that are not read yet. */
  readonly left: number;
  /** The extended type of a `uuid` box. */
  readonly id: Buffer | null;
}

/** Reads the header of the next box; null at the end of the file, and at zeros behind them. @throws BrokenStructure */
export function* nextBox(file: ArrivingFile): Reading<TopBox | null> {
  const start = file.at;
  const head = yield* file.take(8);
  if (head === null || head.equals(ZEROS)) return null;
  const type = head.toString('latin1', 4, 8);
  const short = head.readUInt32BE(0);
  if (short === 0) throw new BrokenStructure('its last box states no length, so that none can follow');
  const size = short === 1 ? Number(whole(yield* file.take(8)).readBigUInt64BE(0)) : short;
  const id = type === 'uuid' ? Buffer.from(whole(yield* file.take(ID_BYTES))) : null;
  const left = start + size - file.at;
  if (left < 0) throw new BrokenStructure('one of its boxes is shorter than its header');
  return { type, start, left, id };
}

/**
 * Reads the content of a box that may hold C2PA manifests, and tells whether they state that a machine made the file.
 * Null for another box, which is not read.
 * @throws MarkFault
 */
export function* readManifest(file: ArrivingFile, { type, id, left }: TopBox): Reading<boolean | null> {
  if (type === 'jumb') {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + left);
    head.write('jumb', 4, 'latin1');
    return isMachineStore(Buffer.concat([head, whole(yield* file.take(left))]));
  }
  if (id?.equals(C2PA_ID) !== true) return null;
  const content = whole(yield* file.take(left));
  const purpose = content.subarray(0, STORE_HEAD.length - OFFSET_BYTES);
  const isStore = purpose.equals(STORE_HEAD.subarray(0, purpose.length));
  return isStore && isMachineStore(content.subarray(STORE_HEAD.length));
}

/**
 * Appends the XMP to an MP4 or MOV as a box, so that no sample moves. Existing XMP becomes free space, and its extended
 * copy is appended.
 */
export function* markFilm(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  let packet: Uint8Array | null = null;
  for (;;) {
    splicer.heldFrom = file.at;
    const start = file.at;
    const box = yield* nextBox(file);
    // Readers find the index of fragments from the end of the file.
    if (box === null || box.type === 'mfra') {
      const body = packet ?? xmp;
      const head = Buffer.alloc(8);
      head.writeUInt32BE(8 + ID_BYTES + body.length);
      head.write('uuid', 4);
      splicer.change(start, 0, Buffer.concat([head, XMP_ID, body]));
      return 'marked';
    }
    const isKept = yield* readManifest(file, box);
    if (isKept === true) return 'kept';
    if (isKept === false) continue;
    if (box.id?.equals(XMP_ID) === true) {
      if (packet !== null) throw new BrokenStructure('it has XMP twice');
      const other = Buffer.from(whole(yield* file.take(box.left)));
      const addition = additionTo(other, xmp);
      if (addition === null) return 'kept';
      packet = Buffer.concat([other.subarray(0, addition.at), addition.bytes, other.subarray(addition.at)]);
      splicer.change(start + 4, 4, Buffer.from('free'));
    } else {
      splicer.heldFrom = Infinity;
      whole(yield* file.skip(box.left));
    }
  }
}
