import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import type { Task } from '../../api/types.ts';
import { aspectOf } from '../../components/compare/picture.tsx';
import { SIDES } from '../../components/compare/sides.ts';
import type { Selection } from '../../components/selection/use-selection.ts';
import { hasResult } from '../../components/task-facts.ts';
import { lightTexts } from '../../texts/light.ts';
import type { CellActions } from './cell.tsx';
import { GridCell } from './grid-cell.tsx';
import { markIn, type useMarks } from './marks.ts';
import classes from './results.module.css';
import type { TableLayout, TableRow } from './table-layout.ts';
import { usePan } from './use-pan.ts';
import { FIT, pan, type Zoom, zoomIn, zoomOut, zoomStyle } from './zoom.ts';

const PAN_STEP = 0.15;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

// What ARIA allows on a table; the linter does not know it there.
const GRID = { role: 'grid', 'aria-multiselectable': true } as const;

/**
 * The results as a grid: a column for each model, a row for each combination of the rest. One cell is in the tab order.
 */
export function Results({
  layout,
  marking,
  nameOf,
  zoom,
  onZoom,
  isIncluded,
  isFiltered,
  selection,
  pair,
  onPair,
  onMore,
  onLarge,
}: {
  readonly layout: TableLayout;
  readonly marking: ReturnType<typeof useMarks>;
  readonly nameOf: (modelId: string) => string;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly isIncluded: (task: Task) => boolean;
  readonly isFiltered: boolean;
  readonly selection: Selection;
  readonly pair: readonly string[];
  readonly onPair: (taskId: string) => void;
  readonly onMore: (task: Task) => void;
  readonly onLarge: (taskId: string) => void;
}) {
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  const [tagging, setTagging] = useState<string | null>(null);
  const panning = usePan(zoom, onZoom);
  const cells = useRef(new Map<string, HTMLElement>());
  const rows = layout.rows.filter(
    ({ tasks }) => !isFiltered || tasks.some((task) => task !== undefined && isIncluded(task)),
  );
  const [activeRow, activeColumn] = [Math.min(active[0], rows.length - 1), active[1]];
  if (layout.rows.length > 0 && rows.length === 0) return <p className={classes.none}>{lightTexts.tools.nothing}</p>;

  const actionsOf = (task: Task): CellActions => ({
    star: () => marking.toggleStar(task.task_id),
    reject: () => marking.toggleRejected(task.task_id),
    rate: (stars) => marking.rate(task.task_id, stars),
    tag: (open) => setTagging(open ? task.task_id : null),
    setTags: (tags) => marking.setTags(task.task_id, tags),
    compare: () => onPair(task.task_id),
    more: () => onMore(task),
    enlarge: () => onLarge(task.task_id),
    select: (isRange) => selection.toggle(task.task_id, isRange),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const isOfCell = (event.target as Element).getAttribute('role') === 'gridcell';
    if (!isOfCell || event.ctrlKey || event.metaKey || event.altKey) return;
    const task = rows[activeRow]?.tasks[activeColumn];
    const arrow = ARROWS[event.key];
    const act =
      task === undefined || !hasResult(task)
        ? undefined
        : keyActions(actionsOf(task), event.shiftKey)[event.key.toLowerCase()];
    const zoomed =
      arrow !== undefined && event.shiftKey
        ? pan(zoom, -arrow[1] * PAN_STEP, -arrow[0] * PAN_STEP)
        : keyZoom(zoom, event.key);
    if (zoomed !== null) onZoom(zoomed);
    else if (arrow !== undefined) move(activeRow + arrow[0], activeColumn + arrow[1]);
    else if (event.key === 'Home') move(activeRow, 0);
    else if (event.key === 'End') move(activeRow, layout.columns.length - 1);
    else if (act !== undefined) act();
    else return;
    event.preventDefault();
  };
  const move = (row: number, column: number) => {
    const next = [
      Math.min(Math.max(row, 0), rows.length - 1),
      Math.min(Math.max(column, 0), layout.columns.length - 1),
    ] as const;
    setActive(next);
    cells.current.get(next.join())?.focus();
  };
  return (
    <table
      {...panning}
      {...GRID}
      aria-label={lightTexts.table.grid}
      aria-rowcount={rows.length + 1}
      aria-colcount={layout.columns.length + 1}
      className={classes.grid}
      data-worded={layout.rows.some(({ prompt, settings }) => prompt !== null || settings.length > 1) || undefined}
      data-zoomed={zoom.scale > 1 || undefined}
      style={{ ...zoomStyle(zoom), '--columns': layout.columns.length } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr className={`${classes.row} ${classes.headings}`}>
          <th scope="col">
            <span className="visually-hidden">{lightTexts.table.settings}</span>
          </th>
          {layout.columns.map(({ index: column, modelId }) => (
            <th scope="col" key={column} className={`${classes.heading} truncate`}>
              {nameOf(modelId)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.index} className={classes.row}>
            <th scope="row" className={classes.rowHead}>
              <RowHead row={row} />
            </th>
            {layout.columns.map(({ index: column, modelId }) => {
              const task = row.tasks[column];
              const place = task === undefined ? -1 : pair.indexOf(task.task_id);
              return (
                <GridCell
                  key={column}
                  ref={(element) => {
                    if (element !== null) cells.current.set(`${index},${column}`, element);
                  }}
                  task={task}
                  name={nameOf(modelId)}
                  aspect={aspectOf(task) ?? aspectOfRow(row)}
                  full={zoom.scale > 1}
                  mark={markIn(marking.marks, task?.task_id ?? '')}
                  side={SIDES[place] ?? null}
                  isActive={index === activeRow && column === activeColumn}
                  isDim={isFiltered && task !== undefined && !isIncluded(task)}
                  isTagging={task !== undefined && tagging === task.task_id}
                  selection={selection}
                  actions={task === undefined ? null : actionsOf(task)}
                  onFocus={() => setActive([index, column])}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RowHead({ row: { index, prompt, settings } }: { readonly row: TableRow }) {
  if (prompt === null && settings.length === 0) return <span>{index + 1}</span>;
  return (
    <>
      {prompt !== null && (
        <span className={classes.rowPrompt} dir="auto">
          {prompt}
        </span>
      )}
      {settings.map((setting) => (
        <span key={setting} className="figures">
          {setting}
        </span>
      ))}
    </>
  );
}

function aspectOfRow({ tasks }: TableRow): string {
  return tasks.map(aspectOf).find((aspect) => aspect !== null) ?? '1 / 1';
}

function keyActions(actions: CellActions, isShift: boolean): Readonly<Record<string, () => void>> {
  return {
    v: () => actions.select(isShift),
    ' ': actions.enlarge,
    ...Object.fromEntries([1, 2, 3, 4, 5].map((stars) => [stars, () => actions.rate(stars)])),
    s: actions.star,
    x: actions.reject,
    t: () => actions.tag(true),
    c: actions.compare,
    m: actions.more,
    enter: actions.enlarge,
  };
}

function keyZoom(zoom: Zoom, key: string): Zoom | null {
  if (key === '+' || key === '=') return zoomIn(zoom);
  if (key === '-') return zoomOut(zoom);
  return key === '0' ? FIT : null;
}
