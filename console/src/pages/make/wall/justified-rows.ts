/** A row of pictures of one height that fills the width. */
export interface JustifiedRow {
  /** The place of its first picture in the list, and of the one after its last. */
  readonly start: number;
  readonly end: number;
  /** Pixels. */
  readonly height: number;
}

interface Space {
  readonly width: number;
  /** The height to come close to. */
  readonly height: number;
  /** No row is higher. */
  readonly most: number;
  readonly gap: number;
}

/**
 * Fills rows with pictures in their own shapes. A row ends where its height is closest to the wanted one; the last one
 * keeps that height.
 * @param shapes width by height of each picture
 */
export function justifiedRows(shapes: readonly number[], { width, height, most, gap }: Space): readonly JustifiedRow[] {
  const rows: JustifiedRow[] = [];
  let start = 0;
  let sum = 0;
  const heightOf = (count: number, shape: number) => (width - gap * (count - 1)) / shape;
  const close = (end: number, high: number) => {
    rows.push({ start, end, height: Math.max(1, Math.floor(Math.min(most, high))) });
    start = end;
    sum = 0;
  };
  for (const [place, shape] of shapes.entries()) {
    const [before, after] = [heightOf(place - start, sum), heightOf(place - start + 1, sum + shape)];
    // This picture would make the row lower than wanted by more than its absence makes it higher.
    if (place > start && after < height && height - after > before - height) close(place, before);
    sum += shape;
    const now = heightOf(place - start + 1, sum);
    if (now <= height) close(place + 1, now);
  }
  if (start < shapes.length) close(shapes.length, Math.min(height, heightOf(shapes.length - start, sum)));
  return rows;
}
