import { isUtf8 } from 'node:buffer';
import { isOfMachine } from './extend-xmp.ts';
import { MarkFault } from './mark-fault.ts';

/** Identifies the store of C2PA manifests among the boxes of JUMBF. */
const STORE_ID = Buffer.from('6332706100110010800000aa00389b71', 'hex');
const HEAD_BYTES = 8;
const LONG_HEAD_BYTES = 16;
/** Bytes of a description's identifier; it follows the head and precedes a byte of flags and the label. */
const ID_BYTES = 16;
const LABEL_AT = HEAD_BYTES + ID_BYTES + 1;
/** Maximum boxes and values of a store; those that programs write have a few thousand. */
const MOST_PARTS = 10_000;
const MOST_LEVELS = 32;

/**
 * Tells whether a JUMBF box is a store of C2PA manifests; if so, one of them states that a machine made the file, or a
 * part of it.
 * @throws MarkFault if none states that: the file cannot be changed without breaking their signature
 */
export function isMachineStore(jumbf: Buffer): boolean {
  if (!isStore(jumbf)) return false;
  let found = false;
  try {
    found = sourceTypesIn(jumbf).some(isOfMachine);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MarkFault('failed', 'it holds a C2PA manifest that cannot be read, and is left as it is', error);
  }
  if (found) return true;
  throw new MarkFault(
    'failed',
    'it holds a C2PA manifest that does not say that a machine made it, and a change would break its signature',
  );
}

/** Tells whether bytes begin like a store of C2PA manifests: a box of boxes, and its description. */
export function isStore(jumbf: Buffer): boolean {
  const isLong = jumbf.length >= LONG_HEAD_BYTES && jumbf.readUInt32BE(0) === 1;
  const description = jumbf.subarray(isLong ? LONG_HEAD_BYTES : HEAD_BYTES);
  return (
    jumbf.toString('latin1', 4, HEAD_BYTES) === 'jumb' &&
    description.toString('latin1', 4, HEAD_BYTES) === 'jumd' &&
    description.subarray(HEAD_BYTES, HEAD_BYTES + ID_BYTES).equals(STORE_ID)
  );
}

interface Value {
  readonly end: number;
  readonly text: string | null;
}

/** Returns every digital source type that an action of a manifest states. @throws RangeError for damaged boxes */
export function sourceTypesIn(store: Buffer, most = MOST_PARTS): string[] {
  const found: string[] = [];
  let parts = 0;
  const count = (level: number) => {
    if (++parts > most || level > MOST_LEVELS) throw new RangeError('its manifest has too many parts');
  };

  function walk(boxes: Buffer, level: number, label: string): void {
    let own = label;
    for (let at = 0; at < boxes.length; ) {
      count(level);
      const short = boxes.readUInt32BE(at);
      const type = boxes.toString('latin1', at + 4, at + HEAD_BYTES);
      const head = short === 1 ? LONG_HEAD_BYTES : HEAD_BYTES;
      const size =
        short === 1 ? Number(boxes.readBigUInt64BE(at + HEAD_BYTES)) : short === 0 ? boxes.length - at : short;
      if (size < head || at + size > boxes.length) throw new RangeError('a box of its manifest is cut off');
      const content = boxes.subarray(at + head, at + size);
      if (type === 'jumb') walk(content, level + 1, '');
      else if (type === 'jumd') own = labelIn(boxes.subarray(at, at + size));
      else if (type === 'cbor' && read(content, 0, level, own.startsWith('c2pa.actions')).end !== content.length)
        throw new RangeError('a value of its manifest is malformed');
      at += size;
    }
  }

  /** Skips a CBOR value. @returns the value's end, and the value if it is a text */
  function read(bytes: Buffer, from: number, level: number, isAction: boolean): Value {
    count(level);
    const first = bytes.readUInt8(from);
    const [major, low] = [first >> 5, first & 0x1f];
    const isOpen = low === 31;
    const width = low < 24 || isOpen ? 0 : 2 ** (low - 24);
    if (width > 8) throw new RangeError('a value of its manifest is malformed');
    const at = from + 1 + width;
    const value =
      width === 0 ? low : width === 8 ? Number(bytes.readBigUInt64BE(from + 1)) : bytes.readUIntBE(from + 1, width);
    if (major === 2 || major === 3) {
      if (isOpen || at + value > bytes.length) throw new RangeError('a value of its manifest is malformed');
      const content = bytes.subarray(at, at + value);
      if (major === 2) return { end: at + value, text: null };
      if (!isUtf8(content)) throw new RangeError('a text of its manifest is malformed');
      return { end: at + value, text: content.toString() };
    }
    if (major === 6) return read(bytes, at, level + 1, isAction);
    if (major !== 4 && major !== 5) return { end: at, text: null };
    let end = at;
    for (let left = isOpen ? Infinity : value; left > 0; left--) {
      if (isOpen && bytes[end] === 0xff) return { end: end + 1, text: null };
      const item = read(bytes, end, level + 1, isAction);
      end = item.end;
      if (major === 4) continue;
      const entry = read(bytes, end, level + 1, isAction);
      end = entry.end;
      if (isAction && item.text === 'digitalSourceType' && entry.text !== null) found.push(entry.text);
    }
    return { end, text: null };
  }

  walk(store, 0, '');
  return found;
}

function labelIn(description: Buffer): string {
  const end = description.indexOf(0, LABEL_AT);
  return end === -1 ? '' : description.toString('latin1', LABEL_AT, end);
}

/** Returns the part of a JUMBF box in an APP11 segment; null if there is none. */
export function jumbfPart(
  segment: Buffer,
): { readonly box: number; readonly head: Buffer; readonly rest: Buffer } | null {
  if (segment.toString('latin1', 0, 2) !== 'JP' || segment.length < PACKET_HEAD_BYTES + HEAD_BYTES) return null;
  const bytes = segment.subarray(PACKET_HEAD_BYTES);
  const headBytes = bytes.readUInt32BE(0) === 1 ? LONG_HEAD_BYTES : HEAD_BYTES;
  return { box: segment.readUInt16BE(2), head: bytes.subarray(0, headBytes), rest: bytes.subarray(headBytes) };
}

/** Bytes before the box's head in each packet: `JP`, the number of the box and that of the packet. */
const PACKET_HEAD_BYTES = 8;
