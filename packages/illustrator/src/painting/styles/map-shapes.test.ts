import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mapShapes, type Point } from './map-shapes.ts';

const SIDE = 24;
const WHOLE: readonly Point[] = [
  [-1, -1],
  [SIDE + 1, -1],
  [SIDE + 1, SIDE + 1],
  [-1, SIDE + 1],
];

type Triangle = readonly [Point, Point, Point];

const PLACE = fc.integer({ min: -4000, max: (SIDE + 4) * 1000 }).map((thousandths) => thousandths / 1000 + 0.0003);
const CORNER = fc.tuple(PLACE, PLACE);
const TRIANGLE: fc.Arbitrary<Triangle> = fc.tuple(CORNER, CORNER, CORNER);

/** By which side of each edge a point lies; null on an edge, where both answers are right. */
function isInside([a, b, c]: Triangle, x: number, y: number): boolean | null {
  const turn = (p: Point, q: Point) => (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
  const turns = [turn(a, b), turn(b, c), turn(c, a)];
  if (turns.some((each) => Math.abs(each) < 1e-6)) return null;
  return turns.every((each) => each > 0) || turns.every((each) => each < 0);
}

function countPoints(corners: readonly Point[]): number {
  let points = 0;
  for (const shape of mapShapes([WHOLE, corners], SIDE, SIDE).shapes) points += shape;
  return points;
}

test('a point belongs to the last shape that contains it', () => {
  fc.assert(
    fc.property(fc.array(TRIANGLE, { minLength: 1, maxLength: 4 }), (triangles) => {
      const { shapes } = mapShapes([WHOLE, ...triangles], SIDE, SIDE);
      for (let y = 0; y < SIDE; y++)
        for (let x = 0; x < SIDE; x++) {
          const inside = triangles.map((each) => isInside(each, x, y));
          if (!inside.includes(null)) assert.equal(shapes[y * SIDE + x], inside.lastIndexOf(true) + 1, `${x}, ${y}`);
        }
    }),
    { numRuns: 60 },
  );
});

test('neighbours that share a side leave no gap and do not overlap', () => {
  fc.assert(
    fc.property(TRIANGLE, fc.double({ min: 0.2, max: 0.8, noNaN: true }), ([a, b, c], share) => {
      const middle: Point = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
      // The new corner lies on the old side but for a rounding error.
      assert.ok(Math.abs(countPoints([a, middle, c]) + countPoints([middle, b, c]) - countPoints([a, b, c])) <= 1);
    }),
    { numRuns: 100 },
  );
});
