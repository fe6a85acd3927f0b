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

/** Function that reads a file of one format and gives the splicer the changes. @throws BrokenStructure, RangeError */
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

/** Marks a file in chunks: takes them one after the other, and returns the output so far. */
export interface Marking {
  readonly add: (piece: Uint8Array) => Uint8Array[];
  /** Ends the file and returns the rest of the output. */
  readonly end: () => Uint8Array[];
  /** Returns the outcome, after the end of the file. */
  readonly outcome: () => MarkOutcome;
}

/** Bytes of the parts in which a long chunk is read, so that the limit of held bytes applies to it too. */
const PIECE_BYTES = 64 * 1024;

/**
 * Inserts a mark while the chunks of a file pass, which stay the same except for a few bytes. The output is read like
 * another program would: the file is marked if the mark is found there. Null for a format that is not marked. Holds at
 * most 4 MiB.
 * `add` and `end` throw MarkFault if the file cannot be marked, possibly after its first pieces.
 */
export function openMarking(contentType: string, xmp: Uint8Array): Marking | null {
  const marker = MARKERS[contentType];
  if (marker === undefined) return null;
  const splicer = new Splicer();
  const reader = openReader(contentType, marker, splicer, xmp);
  /** Reads the output; the changes of this reader are dropped. */
  const check = openReader(contentType, marker, new Splicer(), xmp);

  function pass(pieces: Uint8Array[]): Uint8Array[] {
    for (const piece of pieces) check.add(piece);
    return pieces;
  }

  return {
    add(piece) {
      const out: Uint8Array[] = [];
      for (let at = 0; at < piece.length; at += PIECE_BYTES) {
        const part = piece.subarray(at, at + PIECE_BYTES);
        splicer.add(part);
        reader.add(part);
        for (const passed of splicer.flush()) out.push(passed);
      }
      return pass(out);
    },
    end() {
      reader.end();
      const out = pass(splicer.finish());
      check.end();
      if (check.state() !== 'kept') throw new MarkFault('failed', `the mark of the ${contentType} file cannot be read`);
      return out;
    },
    outcome() {
      const state = reader.state();
      if (state === null) throw new Error('the file has not passed yet');
      return state === 'kept' ? { state } : { state, splices: splicer.splices };
    },
  };
}

/** Feeds a marker with chunks until it has read enough. */
function openReader(contentType: string, marker: Marker, splicer: Splicer, xmp: Uint8Array) {
  const file = new ArrivingFile();
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
    add(piece: Uint8Array) {
      if (state === null) file.add(piece);
      advance();
    },
    end() {
      file.end();
      advance();
    },
    state: () => state,
  };
}
