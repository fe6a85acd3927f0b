import { chanceAt } from '../../model/random.ts';
import type { Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';
import { mapShapes, type Point } from './map-shapes.ts';
import { pixelOf, readPixels, retouchSides, writePixels } from './pixels.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The longer side of the small copy from which the colours of the facets are read. */
const SAMPLED_SIDE = 420;

/** Creates the low-poly finish: triangles between scattered points, each in one colour. */
export function finishLowPoly(stage: Stage, shown: Sides): Finish {
  const { width, height } = shown;
  const facets = cutFacets(stage.scene.seed, shown);
  // Facets are known at the corners of pixels. A pixel whose corners are in different facets mixes their colours.
  const { shapes } = mapShapes(
    facets.map(({ corners }) => corners),
    width + 1,
    height + 1,
  );
  const onEdge = findEdges(shapes, shown);
  const sides = retouchSides(shown, SAMPLED_SIDE);
  const colours = new Uint32Array(facets.length);

  function draw(words: Uint32Array): void {
    for (let y = 0, at = 0; y < height; y++) {
      const row = y * (width + 1);
      for (let x = 0; x < width; x++, at++) words[at] = colours[shapes[row + x]!]!;
    }
    for (const at of onEdge) {
      const corner = at + Math.floor(at / width);
      const [a, b] = [colours[shapes[corner]!]!, colours[shapes[corner + 1]!]!];
      const [c, d] = [colours[shapes[corner + width + 1]!]!, colours[shapes[corner + width + 2]!]!];
      words[at] = meanOf(a, b, c, d);
    }
  }
  return (painted, onto) => {
    const { words } = readPixels(painted, sides);
    for (const [number, { middle, lean }] of facets.entries()) {
      const column = Math.max(0, Math.min(sides.width - 1, Math.floor((middle[0] / width) * sides.width)));
      const row = Math.max(0, Math.min(sides.height - 1, Math.floor((middle[1] / height) * sides.height)));
      const word = words[row * sides.width + column]!;
      colours[number] = pixelOf((word & 255) * lean, ((word >> 8) & 255) * lean, ((word >> 16) & 255) * lean);
    }
    writePixels(onto, draw);
  };
}

/** Averages four pixels; red and blue are added in one operation. */
function meanOf(a: number, b: number, c: number, d: number): number {
  const outer = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002;
  const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255) + 2;
  return 0xff000000 | ((outer >> 2) & 0xff00ff) | ((green >> 2) << 8);
}

function findEdges(shapes: Uint16Array | Uint32Array, { width, height }: Sides): Uint32Array {
  const found: number[] = [];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const corner = y * (width + 1) + x;
      const shape = shapes[corner];
      if (shape !== shapes[corner + 1] || shape !== shapes[corner + width + 1] || shape !== shapes[corner + width + 2])
        found.push(at);
    }
  }
  return Uint32Array.from(found);
}

interface Facet {
  readonly corners: readonly [Point, Point, Point];
  readonly middle: Point;
  /** Lightness of the facet relative to the picture below it. */
  readonly lean: number;
}

function cutFacets(seed: number, { width, height }: Sides): Facet[] {
  const cell = Math.max(5, Math.min(width, height) / 56);
  const place = (column: number, row: number): Point => [
    (column + (chanceAt(seed, 'px', column, row) - 0.5) * 0.85) * cell,
    (row + (chanceAt(seed, 'py', column, row) - 0.5) * 0.85) * cell,
  ];
  const columns = Math.ceil(width / cell) + 3;
  const rowOf = (row: number): Point[] => Array.from({ length: columns }, (_, index) => place(index - 1, row));
  const facets: Facet[] = [];
  let upper = rowOf(-1);
  for (let row = -1; row * cell < height + cell; row++) {
    const lower = rowOf(row + 1);
    for (let index = 0; index + 1 < columns; index++) {
      const [a, b, c, d] = [upper[index]!, upper[index + 1]!, lower[index]!, lower[index + 1]!];
      const rising = chanceAt(seed, 'way', index - 1, row) < 0.5;
      const chance = chanceAt(seed, 'facet', index - 1, row);
      facets.push(facet(a, b, rising ? c : d, cell, chance));
      facets.push(facet(rising ? b : a, d, c, cell, (chance * 7) % 1));
    }
    upper = lower;
  }
  return facets;
}

function facet(p: Point, q: Point, r: Point, cell: number, chance: number): Facet {
  return {
    corners: [p, q, r],
    middle: [(p[0] + q[0] + r[0]) / 3, (p[1] + q[1] + r[1]) / 3],
    lean: 1 + (q[0] - p[0] + (r[1] - p[1]) * 0.6) * (0.035 / cell) + (chance - 0.5) * 0.07,
  };
}
