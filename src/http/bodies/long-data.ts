import { type ByteRange, ServiceError } from '@darkroom-service/contract';
import { turnOfItsOwn } from '../../base/map-in-slices.ts';

/** A long string of a JSON body that carries a file. */
export interface LongData {
  /** Range of the text in the body, without its quotes. */
  readonly place: ByteRange;
  /** Range of the text once its escapes are replaced: at the beginning of `place`. */
  readonly text: ByteRange;
}

/**
 * White space that JSON does not allow within strings, but base64 does. Other control characters are refused by the
 * field.
 */
const RAW_SPACE = [0x09, 0x0a, 0x0c, 0x0d];
const [BACKSLASH, SPACE, LOWER_U] = [0x5c, 0x20, 0x75];
/** Code of the character that a letter stands for after a backslash; 0 = none. */
const SHORT_ESCAPES = new Uint8Array(256);
for (const pair of ['b\b', 'f\f', 'n\n', 'r\r', 't\t', '""', '\\\\', '//'])
  SHORT_ESCAPES[pair.charCodeAt(0)] = pair.charCodeAt(1);
/** Value of a hexadecimal digit, by the character's code. */
const VALUE_OF_DIGIT = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
const FIRST_BEYOND_ASCII = 0x80;
const LONGEST_ESCAPE = 6;
/** Bytes that are read between two turns of the event loop, in about a millisecond. */
const PIECE_BYTES = 262_144;

/**
 * Replaces the escapes of long strings where they stand, so that megabytes of media are not parsed: many libraries
 * write each `/` of base64 as `\/`, and some break its lines.
 * @throws ServiceError `invalid_json`; `invalid_request` for an escape that no medium needs
 */
export async function replaceEscapes(body: Buffer, places: readonly ByteRange[]): Promise<LongData[]> {
  const found: LongData[] = [];
  for (const place of places) {
    assertNoRawSpace(body, place);
    found.push({ place, text: { start: place.start, end: await replaceWithin(body, place) } });
  }
  return found;
}

/** @returns the end of the text */
async function replaceWithin(body: Buffer, { start, end }: ByteRange): Promise<number> {
  const first = body.subarray(0, end).indexOf(BACKSLASH, start);
  if (first === -1) return end;
  // A copy: reading the bytes of a resizable buffer one by one is several times slower.
  const copy = new Uint8Array(PIECE_BYTES + LONGEST_ESCAPE);
  let from = first;
  let to = first;
  while (from < end) {
    const piece = copy.subarray(0, body.copy(copy, 0, from, Math.min(from + copy.length, end)));
    const { read, written } = replaceIn(piece, from);
    body.set(piece.subarray(0, written), to);
    from += read;
    to += written;
    await turnOfItsOwn();
  }
  // The rest may be the second half of a character.
  body.fill(SPACE, to, end);
  return to;
}

/** Replaces the escapes that begin within the first bytes of a piece. */
function replaceIn(piece: Uint8Array, offset: number): { readonly read: number; readonly written: number } {
  let read = 0;
  let written = 0;
  while (read < piece.length && read < PIECE_BYTES) {
    const byte = piece[read]!;
    if (byte === BACKSLASH) {
      piece[written++] = characterAt(piece, read, offset);
      read += piece[read + 1] === LOWER_U ? LONGEST_ESCAPE : 2;
    } else {
      piece[written++] = byte;
      read++;
    }
  }
  return { read, written };
}

/** Returns the ASCII character of an escape. */
function characterAt(piece: Uint8Array, at: number, offset: number): number {
  const short = SHORT_ESCAPES[piece[at + 1] ?? 0]!;
  if (short !== 0) return short;
  const code = piece[at + 1] === LOWER_U ? codeOf(piece, at + 2) : -1;
  if (code === -1)
    throw new ServiceError(
      'invalid_json',
      `The body is not valid JSON: it has an invalid escape at byte ${offset + at}.`,
    );
  if (code > 0 && code < FIRST_BEYOND_ASCII) return code;
  throw new ServiceError(
    'invalid_request',
    `The body has the escape ${Buffer.from(piece).toString('latin1', at, at + LONGEST_ESCAPE)} at byte ${offset + at}, in a long data: string. Send its data as base64.`,
  );
}

/** Returns the number of four hexadecimal digits; -1 = they are something else. */
function codeOf(piece: Uint8Array, from: number): number {
  let code = 0;
  for (let at = from; at < from + 4; at++) {
    const digit = VALUE_OF_DIGIT[piece[at] ?? 0]!;
    if (digit === -1) return -1;
    code = code * 16 + digit;
  }
  return code;
}

function assertNoRawSpace(body: Buffer, { start, end }: ByteRange): void {
  const text = body.subarray(start, end);
  const at = RAW_SPACE.map((space) => text.indexOf(space)).find((found) => found !== -1);
  if (at === undefined) return;
  const where = `in the string at byte ${start + at}`;
  throw new ServiceError('invalid_json', `The body is not valid JSON: it has a raw tab or line break ${where}.`);
}
