/** Layout of cells of one size, in pixels. Smaller cells omit text. */
interface Look {
  /** Minimum width of a cell. */
  readonly least: number;
  readonly gap: number;
  /** Whether each row has its settings beside it. */
  readonly hasHeads: boolean;
  /** Height of the properties and buttons below a picture; 0 = none. */
  readonly caption: number;
}

const LOOKS: readonly Look[] = [
  { least: 168, gap: 14, hasHeads: true, caption: 66 },
  { least: 72, gap: 6, hasHeads: true, caption: 0 },
  { least: 0, gap: 3, hasHeads: false, caption: 0 },
];

/** Minimum width of a cell that can still be clicked, in pixels. */
const SMALLEST = 12;

export interface TableSpace {
  /** Height divided by width of the highest picture of each row. */
  readonly rows: readonly number[];
  readonly columns: number;
  /** Size of the available space, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The width of a row's settings, in pixels. */
  readonly head: number;
}

/** Sizes of a table's cells, in pixels, and the arrangement of its rows. */
export interface FittedTable {
  readonly cell: number;
  readonly gap: number;
  /** Width of the settings beside the rows; 0 = none. */
  readonly head: number;
  readonly hasCaptions: boolean;
  /** Number of rows side by side; each column of rows is read downwards. */
  readonly blocks: number;
  /** Number of columns that fit side by side. If they are fewer than the table's, a row takes several lines. */
  readonly columns: number;
}

/** Returns the largest cells with which the whole table fits the window. */
export function fitTable(space: TableSpace): FittedTable {
  for (const look of LOOKS) {
    const fits = space.rows.map((_, index) => fitBlocks(space, look, index + 1));
    const best = fits.reduce(
      (left, right) => (right.cell > left.cell ? right : left),
      fits[0] ?? sized(space, SMALLEST),
    );
    if (best.cell >= Math.max(look.least, SMALLEST)) return best;
  }
  return sized(space, SMALLEST);
}

/** Returns a table with cells of this width, with as many rows side by side as fit. */
export function sized(space: TableSpace, cell: number): FittedTable {
  const look = LOOKS.find(({ least }) => cell >= least) ?? LOOKS[0]!;
  const head = look.hasHeads ? space.head : 0;
  const block = head + space.columns * (cell + look.gap);
  const isWhole = block <= space.width + look.gap;
  return {
    cell,
    gap: look.gap,
    head,
    hasCaptions: look.caption > 0,
    blocks: isWhole ? Math.min(space.rows.length, Math.floor((space.width + look.gap) / (block + look.gap))) || 1 : 1,
    columns: isWhole ? space.columns : Math.max(1, Math.floor((space.width + look.gap) / (cell + look.gap))),
  };
}

function fitBlocks(
  { rows, columns, width, height, head: wanted }: TableSpace,
  look: Look,
  blocks: number,
): FittedTable {
  const { gap, caption, hasHeads } = look;
  const head = hasHeads ? wanted : 0;
  const lines = Math.ceil(rows.length / blocks);
  // Rows that stand side by side have the height of the highest one.
  const heights = Array.from({ length: lines }, (_, line) =>
    rows.reduce((most, shape, index) => (index % lines === line ? Math.max(most, shape) : most), 0),
  );
  const sum = heights.reduce((total, shape) => total + shape, 0);
  const across = (width + 2 * gap) / blocks - 2 * gap;
  const cell = Math.min(
    (across - head - columns * gap + (head === 0 ? gap : 0)) / columns,
    (height - lines * (caption + gap)) / sum,
  );
  return { cell: Math.floor(cell), gap, head, hasCaptions: caption > 0, blocks, columns };
}
