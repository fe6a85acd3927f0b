import { MediaFault } from '@darkroom-service/media';
import { decodeBase64 } from './base64-pieces.ts';
import { longTextOf } from './long-texts.ts';

type OpenedDataUri =
  | {
      readonly ok: true;
      readonly contentType: string;
      /**
       * The decoded data. A long text is decoded as its pieces are read.
       * @throws MediaFault if it is no base64, or too long
       */
      readonly pieces: Iterable<Uint8Array>;
    }
  | { readonly ok: false; readonly message: string };

type DataUriVerdict =
  | { readonly ok: true; readonly contentType: string; readonly data: Uint8Array }
  | { readonly ok: false; readonly message: string };

const SCHEME = 'data:';
const BASE64 = ';base64';
/** The maximum length of the part before the comma: a media type with a few parameters. */
const MAX_HEADER_LENGTH = 256;
/** The maximum share of line breaks, which some encoders insert. */
const LINE_BREAKS = 0.05;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/;

export function isDataUri(text: string): boolean {
  return text.slice(0, SCHEME.length).toLowerCase() === SCHEME;
}

/**
 * Reads `data:<media type>;base64,…`, unless the text is too long.
 * @param maxBytes limit of the decoded data
 * @returns the media type that the sender declares (only the content tells the real one), or an error message for the
 * sender.
 */
export function openDataUri(text: string, { maxBytes }: { readonly maxBytes: number }): OpenedDataUri {
  const header = text.slice(0, MAX_HEADER_LENGTH);
  const comma = header.indexOf(',');
  if (!isDataUri(header) || comma === -1) return fault('expected a data URI such as data:image/png;base64,iVBORw0K…');
  const mediaType = header.slice(SCHEME.length, comma).toLowerCase();
  if (!mediaType.endsWith(BASE64)) return fault('expected a data URI in base64, with ";base64" before the comma');
  const contentType = mediaType.slice(0, -BASE64.length).split(';', 1)[0] ?? '';
  if (!MEDIA_TYPE.test(contentType)) return fault('expected a media type such as image/png after "data:"');
  const long = longTextOf(text);
  const length = (long?.length ?? text.length) - comma - 1;
  const longest = Math.ceil(maxBytes / 3) * 4 * (1 + LINE_BREAKS);
  if (length > longest) return fault(tooLarge(maxBytes));
  if (length === 0) return fault('the data URI is empty');
  const read = (from: number, to: number) =>
    long === null ? text.slice(from, to) : Buffer.from(long.bytes(from, to)).toString('latin1');
  const pieces = decodeBase64({ length, read: (from, to) => read(comma + 1 + from, comma + 1 + to) });
  return { ok: true, contentType, pieces: withinLimit(pieces, maxBytes) };
}

/** Decodes a whole data URI at once. The limit and the result are as of `openDataUri`. */
export function parseDataUri(text: string, limits: { readonly maxBytes: number }): DataUriVerdict {
  const opened = openDataUri(text, limits);
  if (!opened.ok) return opened;
  try {
    const pieces = [...opened.pieces];
    const data = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    return { ok: true, contentType: opened.contentType, data };
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error;
    return fault(error.message);
  }
}

function* withinLimit(pieces: Iterable<Uint8Array>, maxBytes: number): Generator<Uint8Array> {
  let bytes = 0;
  for (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw new MediaFault('too_large', tooLarge(maxBytes));
    yield piece;
  }
  if (bytes === 0) throw new MediaFault('corrupt', 'the data URI is empty');
}

function tooLarge(maxBytes: number): string {
  return `expected at most ${maxBytes} bytes in a data URI, found more: upload the file instead`;
}

function fault(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
