import { useElementSize, useMergedRef, useViewportSize } from '@mantine/hooks';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { aspectOf } from '../../../components/compare/picture.tsx';
import { fitTable, sized } from './fit-table.ts';
import type { TableRow, TableView } from './table-layout.ts';

/** Height of the column headings above the cells, in pixels. */
const HEADINGS = 32;
const LEAST_HEIGHT = 200;
const [NUMBERED, WORDED] = [76, 140];

export type CellSize = ReturnType<typeof useCellSize>;

/** Returns the size of a table's cells: all fit the window until another size is chosen. */
export function useCellSize({ rows, columns }: TableView) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { height: windowHeight } = useViewportSize();
  const place = useRef<HTMLDivElement>(null);
  const measured = useMergedRef(ref, place);
  /** Height above and below the cells, in pixels. */
  const [around, setAround] = useState(0);
  const [chosen, choose] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above changes its height with the width
  useLayoutEffect(() => {
    const [element, page] = [place.current, place.current?.closest('main')];
    if (element == null || page == null) return;
    const above = element.getBoundingClientRect().top + window.scrollY;
    setAround(above + HEADINGS + Number.parseFloat(getComputedStyle(page).paddingBottom));
  }, [width, rows.length]);
  const space = useMemo(
    () => ({
      rows: rows.map(heightOf),
      columns: columns.length,
      width,
      height: Math.max(LEAST_HEIGHT, windowHeight - around),
      head: rows.some(({ prompt, settings }) => prompt !== null || settings.length > 1) ? WORDED : NUMBERED,
    }),
    [rows, columns.length, width, windowHeight, around],
  );
  const whole = useMemo(() => fitTable(space), [space]);
  const most = Math.max(whole.cell, Math.floor(width));
  const isWhole = chosen === null || chosen <= whole.cell;
  return {
    /** Ref of the element that contains the table. */
    ref: measured,
    /** Sizes of the table; null until the element is measured. */
    fitted: width === 0 ? null : isWhole ? whole : sized(space, Math.min(chosen, most)),
    /** Minimum and maximum width of a cell, in pixels: the whole table fits the window, or one cell fills the width. */
    least: whole.cell,
    most,
    /** Sets the width of a cell; null = all fit the window. */
    choose,
  };
}

/** Returns the height of a row's highest picture, as a share of its width. */
function heightOf({ tasks }: TableRow): number {
  const shapes = tasks.flatMap((task) => {
    const [across, up] = (aspectOf(task) ?? '').split(' / ').map(Number);
    return across === undefined || up === undefined ? [] : [up / across];
  });
  return Math.max(...(shapes.length === 0 ? [1] : shapes));
}
