import { MarkFault, type MarkOutcome, openMarking } from '@darkroom-service/media/structure';

/** Returns a marker for the pieces of a file as they pass; null for a format that is not marked. */
export function markStream(contentType: string, xmp: Uint8Array) {
  const marking = openMarking(contentType, xmp);
  if (marking === null) return null;
  return {
    *pass(pieces: Iterable<Uint8Array>) {
      for (const piece of pieces) yield* marking.add(piece);
      yield* marking.end();
    },
    end: marking.outcome,
  };
}

/** Marks a whole file; null for a format that is not marked. @throws MarkFault `failed` */
export function markBytes(
  contentType: string,
  bytes: Uint8Array,
  xmp: Uint8Array,
): { readonly pieces: readonly Uint8Array[]; readonly outcome: MarkOutcome } | null {
  const stream = markStream(contentType, xmp);
  if (stream === null) return null;
  try {
    return { pieces: [...stream.pass([bytes])], outcome: stream.end() };
  } catch (error) {
    if (!(error instanceof MarkFault) || error.state === 'failed') throw error;
    return { pieces: [bytes], outcome: { state: 'kept' } };
  }
}
