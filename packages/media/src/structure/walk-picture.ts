import { MediaFault } from '../media-fault.ts';
import { LONG_STEP, Steps } from '../take-turn.ts';
import { ArrivingFile, type Reading } from './arriving-file.ts';
import { readAvif } from './avif.ts';
import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { BrokenStructure, CUT_OFF, type PictureStructure } from './picture-structure.ts';
import { readPng } from './png.ts';
import { readWebp } from './webp.ts';

/** Bytes that may follow the end of a file's content or pad it: some programs do. docs/operating.md states the same. */
const SPARE_BYTES = 64 * 1024;
/** Cameras append additional pictures (brightness maps, previews) or a short video to a JPEG. */
const SPARE_BYTES_OF_JPEG = 16 * 1024 * 1024;

/** Bytes of a slice, which bounds the number of parts in it. */
const SLICE_BYTES = 8 * 1024;

type Found = PictureStructure & { readonly end?: number };

const READERS: Readonly<Record<string, (file: ArrivingFile) => Reading<Found>>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/avif': readAvif,
};

/** Verifies, while the bytes of a picture pass, that it is complete, and measures it. Decodes no pixel. */
interface PictureWalk {
  /**
   * Reads the next chunk.
   * @returns a promise if the chunk has so many parts that others get their turn first; it must not change until then
   */
  add(piece: Uint8Array): void | Promise<void>;
  /** Returns the structure. @throws MediaFault `corrupt` if the picture is damaged or cut off, or much follows it */
  end(): PictureStructure;
}

/**
 * Creates the walk through the segments of a picture.
 * @param contentType content type of a picture whose first bytes were recognized
 */
export function walkPicture(contentType: string): PictureWalk {
  const read = READERS[contentType];
  if (read === undefined) throw new Error(`pictures of the type ${contentType} are not walked`);
  const file = new ArrivingFile();
  const reading = read(file);
  const steps = new Steps();
  let bytes = 0;
  let found: { readonly structure: Found; readonly end: number } | BrokenStructure | null = null;

  function advance(): void {
    if (found !== null) return;
    file.isResting = false;
    try {
      const step = reading.next();
      if (step.done === true) found = { structure: step.value, end: step.value.end ?? file.at };
    } catch (error) {
      if (!(error instanceof BrokenStructure)) throw error;
      found = error;
    }
  }

  /** Reads a chunk. @returns the offset of the rest, which waits for a turn */
  function walk(piece: Uint8Array, from: number): number {
    for (let at = from; found === null && (file.isResting || at < piece.byteLength); ) {
      if (!file.isResting) {
        file.add(piece.subarray(at, at + SLICE_BYTES));
        at += SLICE_BYTES;
      }
      advance();
      if (file.isResting || steps.isDue(LONG_STEP)) return at;
    }
    return piece.byteLength;
  }

  async function walkOn(piece: Uint8Array, from: number): Promise<void> {
    for (let at = from; file.isResting || at < piece.byteLength; at = walk(piece, at)) await steps.turn();
  }

  return {
    add(piece) {
      bytes += piece.byteLength;
      const at = walk(piece, 0);
      if (file.isResting || at < piece.byteLength) return walkOn(piece, at);
    },
    end() {
      file.end();
      advance();
      const result = found ?? new BrokenStructure(CUT_OFF);
      if (result instanceof BrokenStructure)
        throw new MediaFault('corrupt', `the ${contentType} file is damaged or incomplete: ${result.message}`, result);
      const most = contentType === 'image/jpeg' ? SPARE_BYTES_OF_JPEG : SPARE_BYTES;
      if (bytes - result.end <= most) return result.structure;
      throw new MediaFault(
        'corrupt',
        `the image ends after ${result.end} of the file's ${bytes} bytes; at most ${most} more bytes are accepted`,
      );
    },
  };
}
