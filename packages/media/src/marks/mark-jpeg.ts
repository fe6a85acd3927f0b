import type { ArrivingFile, Reading } from '../structure/arriving-file.ts';
import { BrokenStructure, whole } from '../structure/picture-structure.ts';
import { additionTo } from './extend-xmp.ts';
import { isMachineStore, jumbfPart } from './manifest-statement.ts';
import { isMpf, type Mpf, movePictures } from './mpf.ts';
import type { MarkState, Splicer } from './splicer.ts';

const SCAN = 0xda;
const [APP0, APP1, APP2, APP11] = [0xe0, 0xe1, 0xe2, 0xeb];
const READ = [APP0, APP1, APP2, APP11];
const XMP_HEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const MOST_SEGMENT_BYTES = 0xffff - 2;

/** Inserts the XMP behind JFIF and Exif, or extends the existing one. A C2PA manifest is in JUMBF boxes of APP11. */
export function* markJpeg(file: ArrivingFile, splicer: Splicer, xmp: Uint8Array): Reading<MarkState> {
  whole(yield* file.skip(2));
  let place = file.at;
  let own: { readonly at: number; readonly length: number; readonly addition: Addition } | null = null;
  let mpf: Mpf | null = null;
  const boxes = new Map<number, Buffer[]>();
  for (;;) {
    const start = file.at;
    const head = whole(yield* file.take(1));
    let marker = whole(yield* file.take(1))[0] ?? 0;
    while (marker === 0xff) marker = whole(yield* file.take(1))[0] ?? 0;
    if (head[0] !== 0xff || marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9))
      throw new BrokenStructure('a segment was expected before its pixels');
    if (marker === SCAN) break;
    const length = whole(yield* file.take(2)).readUInt16BE(0) - 2;
    if (length < 0) throw new BrokenStructure('one of its segments has no length');
    const at = file.at;
    if (!READ.includes(marker)) {
      whole(yield* file.skip(length));
      continue;
    }
    const body = whole(yield* file.take(length));
    if (marker === APP11) {
      const part = jumbfPart(body);
      if (part === null) continue;
      const parts = boxes.get(part.box);
      if (parts === undefined) boxes.set(part.box, [Buffer.from(part.head), Buffer.from(part.rest)]);
      else parts.push(Buffer.from(part.rest));
      continue;
    }
    if (marker === APP2 && isMpf(body)) mpf = { at, body: Buffer.from(body) };
    if (marker === APP1 && body.subarray(0, XMP_HEAD.length).equals(XMP_HEAD)) {
      if (own !== null) throw new BrokenStructure('it has XMP twice');
      const addition = additionTo(body.subarray(XMP_HEAD.length), xmp);
      if (addition === null) return 'kept';
      own = { at, length, addition };
    } else if (place === start && (marker === APP0 || marker === APP1)) place = file.at;
  }
  for (const parts of boxes.values()) if (isMachineStore(Buffer.concat(parts))) return 'kept';
  const changes =
    own === null
      ? [{ at: place, removed: 0, bytes: segmentOf(xmp) }]
      : [
          { at: own.at - 2, removed: 2, bytes: size(own.length + own.addition.bytes.length) },
          { at: own.at + XMP_HEAD.length + own.addition.at, removed: 0, bytes: own.addition.bytes },
        ];
  if (mpf !== null) {
    const grown = changes.map(({ at, removed, bytes }) => ({ at, by: bytes.length - removed }));
    changes.push(movePictures(mpf, grown));
    changes.sort((a, b) => a.at - b.at);
  }
  for (const { at, removed, bytes } of changes) splicer.change(at, removed, bytes);
  return 'marked';
}

type Addition = NonNullable<ReturnType<typeof additionTo>>;

function segmentOf(xmp: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0xff, APP1), size(XMP_HEAD.length + xmp.length), XMP_HEAD, xmp]);
}

/** Encodes a segment's length. @throws BrokenStructure if a segment cannot be that long */
function size(length: number): Buffer {
  if (length > MOST_SEGMENT_BYTES) throw new BrokenStructure('its XMP has no room for more');
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length + 2);
  return bytes;
}
