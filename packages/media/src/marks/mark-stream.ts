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

/** A long piece is looked at in parts of this length, so that the limit of what is held counts for it too. */
const PIECE_BYTES = 64 * 1024;

/**
 * Inserts a mark while the pieces of a file pass, which are passed on as they are but for a few bytes. What comes out
 * is read as another program reads it: the file is marked if the mark is found there. Null for a format that is not
 * marked. Holds at most 4 MiB.
 * `add` and `end` throw MarkFault if the file cannot be marked, possibly after its first pieces.
 */
export function openMarking(contentType: string, xmp: Uint8Array): Marking | null {
  const marker = MARKERS[contentType];
  if (marker === undefined) return null;
  const splicer = new Splicer();
  const reader = openReader(contentType, marker, splicer, xmp);
  /** Reads what comes out; its changes are dropped. */
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

/** Feeds a marker with pieces until it has read enough. */
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
