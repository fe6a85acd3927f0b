import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { boxOf, withXmp, type XmpItem, xmpItemIn } from './avif-tables.ts';
import { additionTo } from './extend-xmp.ts';
import { nextBox, readManifest } from './mark-boxes.ts';
import { type MarkState, MOST_REPLACED_BYTES, type Splicer } from './splicer.ts';

/** The tables of the picture, until its XMP has passed. */
interface Tables {
  readonly start: number;
  readonly end: number;
  readonly meta: Buffer;
  readonly item: XmpItem | null;
}

/**
 * Adds the XMP as an item: in the tables of the picture's parts, with its bytes right behind them. The later parts move
 * by as much, and so do their offsets. Existing XMP is extended in a copy, to which the tables then point.
 */
export function* markAvif(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  let tables: Tables | null = null;
  let isPlaced = false;
  const packet: Buffer[] = [];
  for (;;) {
    const box = yield* nextBox(file);
    if (box === null) break;
    const isKept = yield* readManifest(file, box);
    if (isKept === true) return 'kept';
    if (isKept === false) continue;
    if (box.type === 'moov') throw new BrokenStructure('it is animated');
    const end = file.at + box.left;
    if (box.type === 'meta' && tables === null) {
      if (box.left > MOST_REPLACED_BYTES) throw new BrokenStructure('its tables are too long');
      const meta = Buffer.from(whole(yield* file.take(box.left)));
      tables = { start: box.start, end, meta, item: xmpItemIn(meta) };
      if (tables.item?.bytes != null) packet.push(tables.item.bytes);
    }
    if (tables !== null && !isPlaced) {
      const ranges = tables.item?.ranges ?? [];
      for (let range = ranges[packet.length]; range !== undefined && range.start < end; range = ranges[packet.length]) {
        if (range.start < file.at || range.end > end) throw new BrokenStructure('its XMP does not lie in one piece');
        whole(yield* file.skip(range.start - file.at));
        packet.push(Buffer.from(whole(yield* file.take(range.end - range.start))));
      }
      if (packet.length >= ranges.length) {
        const bytes = tables.item === null ? xmp : extended(Buffer.concat(packet), xmp);
        if (bytes === null) return 'kept';
        place(tables, bytes, splicer);
        isPlaced = true;
        splicer.heldFrom = Infinity;
      }
    }
    whole(yield* file.skip(end - file.at));
  }
  if (tables === null) throw new BrokenStructure('it has no table of its parts');
  if (!isPlaced) throw new BrokenStructure('its XMP is not where its tables say');
  return 'marked';
}

function extended(packet: Buffer, xmp: Uint8Array): Buffer | null {
  const addition = additionTo(packet, xmp);
  if (addition === null) return null;
  return Buffer.concat([packet.subarray(0, addition.at), addition.bytes, packet.subarray(addition.at)]);
}

function place({ start, end, meta, item }: Tables, xmp: Uint8Array, splicer: Splicer): void {
  // The length of the tables does not depend on the offsets in them.
  const draft = withXmp(meta, item, { from: 0, by: 0, at: 0, bytes: xmp.length });
  const by = draft.length + 8 + xmp.length - (end - start);
  const at = start + draft.length + 8;
  const table = withXmp(meta, item, { from: end, by, at, bytes: xmp.length });
  splicer.change(start, end - start, Buffer.concat([table, boxOf('mdat', xmp)]));
}
