export type DataUriVerdict =
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
 * Decodes `data:<media type>;base64,…` in one pass, unless the text is too long.
 * @param maxBytes of the decoded data.
 * @returns the media type that the sender declares (only the content tells the real one), or an error message for the
 * sender.
 */
export function parseDataUri(text: string, { maxBytes }: { readonly maxBytes: number }): DataUriVerdict {
  const header = text.slice(0, MAX_HEADER_LENGTH);
  const comma = header.indexOf(',');
  if (!isDataUri(header) || comma === -1) return fault('expected a data URI such as data:image/png;base64,iVBORw0K…');
  const said = header.slice(SCHEME.length, comma).toLowerCase();
  if (!said.endsWith(BASE64)) return fault('expected a data URI in base64, with ";base64" before the comma');
  const contentType = said.slice(0, -BASE64.length).split(';', 1)[0] ?? '';
  if (!MEDIA_TYPE.test(contentType)) return fault('expected a media type such as image/png after "data:"');
  const longest = Math.ceil(maxBytes / 3) * 4 * (1 + LINE_BREAKS);
  if (text.length - comma - 1 > longest) return tooLarge(maxBytes);
  const data = decode(text.slice(comma + 1));
  if (data === null)
    return fault('expected base64 after the comma, found a character or an end that does not belong there');
  if (data.byteLength === 0) return fault('the data URI is empty');
  if (data.byteLength > maxBytes) return tooLarge(maxBytes);
  return { ok: true, contentType, data };
}

/** Unlike a Buffer, this decoder rejects characters that are not base64; it skips blanks and line breaks. */
function decode(base64: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return null;
  }
}

function tooLarge(maxBytes: number): DataUriVerdict {
  return fault(`expected at most ${maxBytes} bytes in a data URI, found more: upload the file instead`);
}

function fault(message: string): DataUriVerdict {
  return { ok: false, message };
}
