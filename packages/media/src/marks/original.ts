import type { Splice } from './splicer.ts';

/** Bytes of the original: given, or a range of the marked file with an exclusive end. */
export type OriginalPart = Uint8Array | { readonly start: number; readonly end: number };

/** Returns the length of the original of a marked file. */
export function originalBytes(markedBytes: number, splices: readonly Splice[]): number {
  return splices.reduce(
    (left, { inserted, replaced }) => left - inserted + Buffer.byteLength(replaced, 'base64'),
    markedBytes,
  );
}

/** Returns the parts with the bytes of a range of the original, in order. @param end exclusive */
export function originalParts(
  markedBytes: number,
  splices: readonly Splice[],
  range: { readonly start: number; readonly end: number },
): OriginalPart[] {
  const parts: OriginalPart[] = [];
  /** Start of the next part in the original; `marked`: in the marked file. */
  let at = 0;
  let marked = 0;
  const clip = (length: number) => [Math.max(0, range.start - at), Math.min(length, range.end - at)] as const;
  for (const splice of [...splices, { at: markedBytes, inserted: 0, replaced: '' }]) {
    const unchanged = splice.at - marked;
    const [from, to] = clip(unchanged);
    if (from < to) parts.push({ start: marked + from, end: marked + to });
    at += unchanged;
    const replaced = Buffer.from(splice.replaced, 'base64');
    const [first, last] = clip(replaced.length);
    if (first < last) parts.push(replaced.subarray(first, last));
    at += replaced.length;
    marked = splice.at + splice.inserted;
  }
  return parts;
}
