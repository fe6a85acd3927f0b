import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FittedTable, fitTable, sized, type TableSpace } from '../console/src/pages/make/table/fit-table.ts';

const SQUARE = { width: 1_150, height: 620, head: 76 };

test('a table of any form up to 400 cells fits its room', () => {
  for (const columns of [1, 2, 3, 4, 7, 20, 100])
    for (const count of [1, 2, 5, 12, 33, 100, 400].filter((rows) => rows * columns <= 400))
      for (const room of [SQUARE, { width: 358, height: 360, head: 140 }, { width: 788, height: 800, head: 76 }]) {
        const rows = Array.from({ length: count }, (_, index) => [1, 9 / 16, 1.5][index % 3]!);
        const space = { ...room, rows, columns };
        const fitted = fitTable(space);
        const { width, height } = extent(space, fitted);
        const what = `${count} x ${columns} in ${room.width} x ${room.height}: ${JSON.stringify(fitted)}`;
        assert.ok(fitted.cell >= 12, what);
        if (fitted.cell === 12) continue;
        assert.ok(width <= room.width, `${width} wide, ${what}`);
        assert.ok(height <= room.height, `${height} high, ${what}`);
      }
});

test('few results keep their words, and many stand beside one another in large cells', () => {
  const few = fitTable({ ...SQUARE, rows: [1, 1], columns: 3 });
  assert.ok(few.hasCaptions && few.cell >= 200, JSON.stringify(few));
  const many = fitTable({ ...SQUARE, rows: Array.from({ length: 100 }, () => 1), columns: 4 });
  // 400 squares in the same room are 42 pixels wide at best.
  assert.ok(many.cell >= 36, JSON.stringify(many));
});

test('larger cells take fewer rows beside one another, and at last one line each', () => {
  const space = { ...SQUARE, rows: [1, 1, 1, 1, 1, 1, 1, 1], columns: 2 };
  const blocks = [100, 190, 500].map((cell) => sized(space, cell).blocks);
  assert.deepEqual(blocks, [3, 2, 1]);
  assert.equal(sized(space, 1_150).columns, 1);
});

/** The room that a fitted table takes, in pixels. */
function extent({ rows, columns }: TableSpace, { cell, gap, head, hasCaptions, blocks }: FittedTable) {
  const lines = Math.ceil(rows.length / blocks);
  const heights = Array.from({ length: lines }, (_, line) =>
    Math.max(...rows.filter((_, index) => index % lines === line).map((shape) => shape * cell)),
  );
  const block = (head === 0 ? 0 : head + gap) + columns * cell + (columns - 1) * gap;
  return {
    width: blocks * block + (blocks - 1) * 2 * gap,
    height: heights.reduce((sum, one) => sum + one + gap + (hasCaptions ? 66 : 0), 0),
  };
}
