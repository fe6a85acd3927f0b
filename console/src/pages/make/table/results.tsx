import type { TaskView as Task } from '@darkroom-service/contract';
import { useCallbackRef } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Tags } from '../../../api/marks.ts';
import { aspectOf } from '../../../components/compare/picture.tsx';
import type { Selection } from '../../../components/selection/use-selection.ts';
import { hasResult } from '../../../components/task-facts.ts';
import { isForOthers } from '../wall/wall-keys.ts';
import { type CellActions, type Deed, GridCell, type OtherDeed } from './cell.tsx';
import type { FittedTable } from './fit-table.ts';
import type { Marks, useMarks } from './marks.ts';
import classes from './results.module.css';
import type { TableRow, TableView } from './table-layout.ts';

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const MARKING_KEY = /^[sx]$/;
const DEEDS: Readonly<Record<string, Deed>> = {
  v: 'select',
  ' ': 'enlarge',
  enter: 'enlarge',
  t: 'tag',
  m: 'more',
};
/** Number of cells rendered in a step, which takes about a frame. */
const CELLS_AT_ONCE = 24;
const NO_TAGS: Tags = [];
/** Longest side of a thumbnail in pixels. In larger cells it would be blurred. */
const THUMBNAIL = 512;

// ARIA allows this role on a table, but the linter does not know that.
const GRID = { role: 'grid', 'aria-multiselectable': true } as const;

/**
 * The results as a grid: a column for each value of a field, a row for each combination of the others. A single cell is
 * in the tab order, and the first arrow key enters it, unless another element needs that key.
 */
export function Results({
  view,
  fitted,
  marking,
  nameOf,
  isIncluded,
  isFiltered,
  selection,
  onMore,
  onLarge,
}: {
  readonly view: TableView;
  readonly fitted: FittedTable;
  readonly marking: ReturnType<typeof useMarks>;
  readonly nameOf: (modelId: string) => string;
  readonly isIncluded: (task: Task) => boolean;
  readonly isFiltered: boolean;
  readonly selection: Selection;
  readonly onMore: (task: Task) => void;
  readonly onLarge: (taskId: string) => void;
}) {
  const [active, setActive] = useState<readonly [number, number]>([0, 0]);
  const [tagging, setTagging] = useState<string | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const rows = view.rows.filter(
    ({ tasks }) => !isFiltered || tasks.some((task) => task !== undefined && isIncluded(task)),
  );
  const columnCount = view.columns.length;
  const rendered = useInSteps(rows.length, Math.ceil(CELLS_AT_ONCE / Math.max(1, columnCount)));
  const [activeRow, activeColumn] = [Math.min(active[0], rows.length - 1), Math.min(active[1], columnCount - 1)];
  const act = useCallbackRef((action: Deed, task: Task) => {
    const { task_id: id } = task;
    if (!marking.byKey(action, task))
      ({
        tag: () => setTagging(tagging === id ? null : id),
        more: () => onMore(task),
        enlarge: () => onLarge(id),
        select: () => selection.toggle(id, false),
        range: () => selection.toggle(id, true),
      })[action as OtherDeed]();
  });
  const setTags = useCallbackRef((task: Task, tags: readonly string[]) => marking.setTags(task.task_id, tags));
  const actions = useMemo<CellActions>(
    () => ({ act, setTags, focus: (row, column) => setActive([row, column]) }),
    [act, setTags],
  );
  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      const isInside = table.current?.contains(document.activeElement) === true;
      if (ARROWS[event.key] === undefined || isInside || isForOthers(event)) return;
      event.preventDefault();
      table.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus();
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, []);
  if (view.rows.length > 0 && rows.length === 0) return <p className={classes.none}>No result matches</p>;

  const onKeyDown = (event: KeyboardEvent) => {
    const isOfCell = (event.target as Element).getAttribute('role') === 'gridcell';
    if (!isOfCell || event.ctrlKey || event.metaKey || event.altKey) return;
    const task = rows[activeRow]?.tasks[activeColumn];
    const arrow = ARROWS[event.key];
    const action = hasResult(task) ? deedOf(event) : undefined;
    if (arrow !== undefined) move(activeRow + arrow[0], activeColumn + arrow[1]);
    else if (event.key === 'Home') move(activeRow, 0);
    else if (event.key === 'End') move(activeRow, columnCount - 1);
    else if (action !== undefined && task !== undefined) act(action, task);
    else return;
    event.preventDefault();
  };
  const move = (row: number, column: number) => {
    const next = [Math.min(Math.max(row, 0), rows.length - 1), Math.min(Math.max(column, 0), columnCount - 1)] as const;
    setActive(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.join()}"]`)?.focus();
  };
  const blocks = Math.min(fitted.blocks, rows.length);
  return (
    <table
      ref={table}
      {...GRID}
      aria-label="Results"
      aria-rowcount={rows.length + 1}
      aria-colcount={columnCount + 1}
      className={classes.grid}
      data-bare={!fitted.hasCaptions || undefined}
      data-headless={fitted.head === 0 || undefined}
      data-wrapped={fitted.columns < columnCount || undefined}
      style={
        {
          '--columns': fitted.columns,
          '--blocks': blocks,
          '--lines': Math.ceil(rows.length / blocks),
          '--cell': `${fitted.cell}px`,
          '--gap': `${fitted.gap}px`,
          '--row-head': `${fitted.head}px`,
        } as CSSProperties
      }
      onKeyDown={onKeyDown}
    >
      <thead>
        {Array.from({ length: blocks }, (_, block) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the headings are the same over each block
          <tr key={block} className={`${classes.row} ${classes.headings}`} aria-hidden={block > 0 || undefined}>
            <th scope="col" className={classes.corner}>
              <span className="visually-hidden">Settings</span>
            </th>
            {view.columns.map(({ index: column, heading }) => (
              <th scope="col" key={column} className={`${classes.heading} truncate`} title={heading}>
                {heading}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {rows.slice(0, rendered).map((row, index) => (
          <tr key={row.index} className={classes.row}>
            <th scope="row" className={classes.rowHead}>
              <RowHead row={row} />
            </th>
            {view.columns.map(({ index: column, heading }) => {
              const task = row.tasks[column];
              const id = task?.task_id ?? '';
              return (
                <GridCell
                  key={column}
                  task={task}
                  row={index}
                  column={column}
                  heading={heading}
                  name={task === undefined ? heading : nameOf(task.model_id)}
                  aspect={aspectOf(task) ?? aspectOfRow(row)}
                  full={fitted.cell > THUMBNAIL}
                  tags={tagsIn(marking.marks, id)}
                  isActive={index === activeRow && column === activeColumn}
                  isDim={isFiltered && task !== undefined && !isIncluded(task)}
                  isTagging={task !== undefined && tagging === id}
                  isSelected={selection.has(id)}
                  isSelecting={selection.ids.length > 0}
                  hasBox={fitted.head > 0}
                  hasCaption={fitted.hasCaptions}
                  actions={actions}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Counts to `all` in steps, one per frame, so that the page stays responsive while it renders. */
function useInSteps(all: number, step: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count >= all) return;
    const frame = requestAnimationFrame(() => setCount(count + step));
    return () => cancelAnimationFrame(frame);
  }, [count, all, step]);
  return Math.min(count, all);
}

/** Returns the tags of a task; without tags always the same list, so that the cell is not rendered again. */
function tagsIn(marks: Marks, taskId: string): Tags {
  const tags = marks[taskId] ?? NO_TAGS;
  return tags.length === 0 ? NO_TAGS : tags;
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

/** Returns the deed of a key; undefined for other keys. */
function deedOf({ key, shiftKey }: KeyboardEvent): Deed | undefined {
  const pressed = key.toLowerCase();
  return pressed === 'v' && shiftKey ? 'range' : MARKING_KEY.test(pressed) ? (pressed as Deed) : DEEDS[pressed];
}
