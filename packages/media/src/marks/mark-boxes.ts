import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './mark.ts';
import type { MarkState, Splicer } from './splicer.ts';

const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const C2PA_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const ID_BYTES = XMP_ID.length;

/** The header of a box that a file consists of; the reader stands behind it. */
export interface TopBox {
  readonly type: string;
  readonly start: number;
  /** Bytes that follow what was read of it. */
  readonly left: number;
  /** Of a `uuid` box. */
  readonly id: Buffer | null;
}

/** Reads the header of the next box; null at the end of the file. @throws BrokenStructure */
export function* nextBox(file: ArrivingFile): Reading<TopBox | null> {
  const start = file.at;
  const head = yield* file.take(8);
  if (head === null) return null;
  const type = head.toString('latin1', 4, 8);
  const short = head.readUInt32BE(0);
  if (short === 0) throw new BrokenStructure('its last box states no length, so that none can follow');
  const size = short === 1 ? Number(whole(yield* file.take(8)).readBigUInt64BE(0)) : short;
  const id = type === 'uuid' ? Buffer.from(whole(yield* file.take(ID_BYTES))) : null;
  const left = start + size - file.at;
  if (left < 0) throw new BrokenStructure('one of its boxes is shorter than its header');
  return { type, start, left, id };
}

export function isManifest({ type, id }: TopBox): boolean {
  return type === 'jumb' || id?.equals(C2PA_ID) === true;
}

/**
 * Appends the XMP to an MP4 or MOV as a box, so that no sample moves. XMP that is there becomes free space, and its
 * extended copy is appended.
 */
export function* markFilm(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  let packet: Uint8Array | null = null;
  for (;;) {
    splicer.heldFrom = file.at;
    const start = file.at;
    const box = yield* nextBox(file);
    // The index of fragments is found from the end of the file.
    if (box === null || box.type === 'mfra') {
      const body = packet ?? xmp;
      const head = Buffer.alloc(8);
      head.writeUInt32BE(8 + ID_BYTES + body.length);
      head.write('uuid', 4);
      splicer.change(start, 0, Buffer.concat([head, XMP_ID, body]));
      return 'marked';
    }
    if (isManifest(box)) return 'kept';
    if (box.id?.equals(XMP_ID) === true && packet === null) {
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
