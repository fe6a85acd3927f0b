export type Point = readonly [number, number];

/** The shape that contains each point of a pixel grid. */
interface ShapeMap {
  readonly width: number;
  readonly height: number;
  /** The index of the shape for each point, row by row. Later shapes cover earlier ones. */
  readonly shapes: Uint16Array | Uint32Array;
}

/**
 * Computes the map once, so that a film need not fill the shapes again in every frame.
 * @param shapes the corners of each shape; together the shapes cover the grid
 */
export function mapShapes(shapes: readonly (readonly Point[])[], width: number, height: number): ShapeMap {
  const map = shapes.length > 65_536 ? new Uint32Array(width * height) : new Uint16Array(width * height);
  for (const [number, corners] of shapes.entries()) {
    const rows = corners.map(([, y]) => y);
    const first = Math.max(0, Math.ceil(Math.min(...rows)));
    const last = Math.min(height - 1, Math.floor(Math.max(...rows)));
    for (let y = first; y <= last; y++) {
      const places = crossings(corners, y);
      for (let at = 0; at + 1 < places.length; at += 2) {
        const from = Math.max(0, Math.ceil(places[at]!));
        const to = Math.min(width, Math.ceil(places[at + 1]!));
        if (from < to) map.fill(number, y * width + from, y * width + to);
      }
    }
  }
  return { width, height, shapes: map };
}

/**
 * Returns the x positions at which a shape's outline crosses a row, from left to right. Each side is computed from its
 * upper end, so that two neighbouring shapes get the same result for their common side.
 */
function crossings(corners: readonly Point[], y: number): number[] {
  const places: number[] = [];
  for (const [index, one] of corners.entries()) {
    const other = corners[(index + 1) % corners.length]!;
    const [upper, lower] = one[1] <= other[1] ? [one, other] : [other, one];
    if (y < upper[1] || y >= lower[1]) continue;
    places.push(upper[0] + ((y - upper[1]) / (lower[1] - upper[1])) * (lower[0] - upper[0]));
  }
  return places.sort((a, b) => a - b);
}
