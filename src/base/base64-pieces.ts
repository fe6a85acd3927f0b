import { MediaFault } from '@darkroom-service/media';

/** A text that is read in parts, since the whole may be megabytes. */
interface TextSource {
  readonly length: number;
  read(from: number, to: number): string;
}

/** Characters that are decoded at once, in less than a millisecond. */
const PIECE_CHARACTERS = 65_536;

/**
 * Decodes base64 piece by piece. The pieces together equal the result of `Uint8Array.fromBase64` for the whole text:
 * unlike a Buffer, it rejects characters that are not base64; it skips blanks and line breaks.
 * @throws MediaFault
 */
export function* decodeBase64(text: TextSource, pieceCharacters = PIECE_CHARACTERS): Generator<Uint8Array> {
  let characters = pieceCharacters;
  for (let from = 0; from < text.length; ) {
    const part = text.read(from, from + characters);
    const isLast = from + characters >= text.length;
    // Padding ends the data, so nothing but blanks may follow it: the decoder must see all of that.
    const ends = isLast || part.includes('=');
    if (ends) {
      yield decode(() => Uint8Array.fromBase64(isLast ? part : text.read(from, text.length)));
      return;
    }
    const bytes = new Uint8Array(Math.ceil(part.length / 4) * 3);
    const { read, written } = decode(() => bytes.setFromBase64(part, { lastChunkHandling: 'stop-before-partial' }));
    if (written > 0) yield bytes.subarray(0, written);
    from += read;
    // The part has so many blanks that fewer than four characters are left: reads a larger part.
    characters = read === 0 ? characters * 2 : pieceCharacters;
  }
}

function decode<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = 'expected base64 after the comma, found a character or an end that does not belong there';
    throw new MediaFault('corrupt', message, error);
  }
}
