import { ArrivingFile, type Reading } from '../structure/arriving-file.ts';
import { BrokenStructure } from '../structure/picture-structure.ts';
import { markAvif } from './mark-avif.ts';
import { markFilm } from './mark-boxes.ts';
import { MarkFault } from './mark-fault.ts';
import { markJpeg } from './mark-jpeg.ts';
import { markMatroska } from './mark-matroska.ts';
import { markPng } from './mark-png.ts';
import { markWebp } from './mark-webp.ts';
import { type MarkState, type Splice, Splicer } from './splicer.ts';

export type MarkOutcome =
  | { readonly state: 'marked'; readonly splices: readonly Splice[] }
  | { readonly state: 'kept' };

/** Reads a file of one format and tells the splicer what to change. @throws BrokenStructure, RangeError */
type Marker = (file: ArrivingFile, splicer: Splicer, xmp: Uint8Array) => Reading<MarkState>;

const MARKERS: Readonly<Record<string, Marker>> = {
  'image/png': markPng,
  'image/jpeg': markJpeg,
  'image/webp': markWebp,
  'image/avif': markAvif,
  'video/mp4': markFilm,
  'video/quicktime': markFilm,
  'video/webm': markMatroska,
  'video/x-matroska': markMatroska,
};

/** Takes the pieces of a file one after the other, and returns what comes out by now. */
export interface Marking {
  readonly add: (piece: Uint8Array) => Uint8Array[];
  /** The file has no more pieces. */
  readonly end: () => Uint8Array[];
  /** Tells what became of the file, after its end. */
  readonly outcome: () => MarkOutcome;
}

/**
 * Inserts a mark while the pieces of a file pass, which are passed on as they are but for a few bytes. Null for a
 * format that is not marked. Holds at most 4 MiB.
 * `add` and `end` throw MarkFault if the file cannot be marked, possibly after its first pieces.
 */
export function openMarking(contentType: string, xmp: Uint8Array): Marking | null {
  const marker = MARKERS[contentType];
  if (marker === undefined) return null;
  const file = new ArrivingFile();
  const splicer = new Splicer();
  const reading = marker(file, splicer, xmp);
  let state: MarkState | null = null;

  function advance(): void {
    if (state !== null) return;
    try {
      const step = reading.next();
      if (step.done !== true) return;
      state = step.value;
    } catch (error) {
      if (!(error instanceof BrokenStructure || error instanceof RangeError)) throw error;
      throw new MarkFault('failed', `the ${contentType} file cannot be marked: ${error.message}`, error);
    }
    splicer.heldFrom = Infinity;
    if (state === 'marked') return;
    if (splicer.splices.length > 0) throw new MarkFault('kept', 'the file holds a mark behind its content');
    splicer.dropChanges();
  }

  return {
    add(piece) {
      splicer.add(piece);
      if (state === null) file.add(piece);
      advance();
      return splicer.flush();
    },
    end() {
      file.end();
      advance();
      return splicer.finish();
    },
    outcome() {
      if (state === null) throw new Error('the file has not passed yet');
      return state === 'kept' ? { state } : { state, splices: splicer.splices };
    },
  };
}
