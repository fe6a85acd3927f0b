import { useElementSize, useMergedRef, useViewportSize } from '@mantine/hooks';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { aspectOf } from '../../../components/compare/picture.tsx';
import { fitTable, sized } from './fit-table.ts';
import type { TableRow, TableView } from './table-layout.ts';

/** The column headings above the cells. */
const HEADINGS = 32;
const LEAST_HEIGHT = 200;
const [NUMBERED, WORDED] = [76, 140];

export type CellSize = ReturnType<typeof useCellSize>;

/** The size of a table's cells: all fit the window until another size is chosen. */
export function useCellSize({ rows, columns }: TableView) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { height: windowHeight } = useViewportSize();
  const place = useRef<HTMLDivElement>(null);
  const measured = useMergedRef(ref, place);
  /** Above and below the cells. */
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
    /** Of the room for the table. */
    ref: measured,
    /** Null until the room is measured. */
    fitted: width === 0 ? null : isWhole ? whole : sized(space, Math.min(chosen, most)),
    /** The widths that can be chosen, in pixels: the whole table at once, and one cell that fills the room. */
    least: whole.cell,
    most,
    /** Takes null for the size with which all fit the window. */
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
