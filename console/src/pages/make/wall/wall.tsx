import type { TaskView as Task } from '@darkroom-service/contract';
import { Loader, Skeleton } from '@mantine/core';
import { useElementSize, useMergedRef, useViewportSize, useWindowEvent } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { markByKey } from '../../../api/tagging.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import type { Selection } from '../../../components/selection/use-selection.ts';
import { Hint } from '../../../components/words.tsx';
import { formatCount } from '../../../format.ts';
import type { useHistory } from './use-history.ts';
import classes from './wall.module.css';
import { isForOthers } from './wall-keys.ts';
import { ONE_PICTURE, useWallSize } from './wall-size.ts';
import { type OffersOf, shapeOf, WallTile } from './wall-tile.tsx';

const GAP = 8;
/** The number of rows before the end at which older tasks are requested. */
const AHEAD = 6;
/** Height of the page above and below a picture that fills it, in pixels. */
const AROUND = 150;

/** Any number of tasks as rows of pictures in their own shapes. Only visible rows are rendered. */
export function Wall({
  history,
  selection,
  onFull,
  offersOf,
}: {
  readonly history: ReturnType<typeof useHistory>;
  readonly selection: Selection;
  /** Shows a task alone. */
  readonly onFull: (taskId: string) => void;
  readonly offersOf: OffersOf;
}) {
  const { items: tasks, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history;
  const size = useWallSize();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { height: windowHeight } = useViewportSize();
  const place = useRef<HTMLDivElement>(null);
  const measured = useMergedRef(ref, place);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<string | null>(null);
  const rows = useMemo(() => {
    if (width === 0) return [];
    const most = Math.max(200, windowHeight - AROUND);
    const height = size >= ONE_PICTURE ? Number.MAX_SAFE_INTEGER : Math.min(size, most);
    // The maximum means no row height: each picture gets its own.
    if (height === Number.MAX_SAFE_INTEGER)
      return tasks.map((task, start) => ({ start, end: start + 1, height: Math.min(most, width / shapeOf(task)) }));
    return justifiedRows(tasks.map(shapeOf), { width, height, most, gap: GAP });
  }, [tasks, width, size, windowHeight]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (row) => (rows[row]?.height ?? size) + GAP,
    overscan: 3,
    scrollMargin: top,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    if (rows.length > 0) virtualizer.measure();
  }, [virtualizer, rows]);
  // The elements above change their height: a result arrives, a filter is set.
  useLayoutEffect(() => {
    const measure = () => setTop((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // New visible rows are rendered in slices, so that scrolling stays smooth.
  const visible = useDeferredValue(virtualizer.getVirtualItems());

  // Keeps the first visible picture in view when the rows change their height.
  const first = useRef<string | null>(null);
  const lastSize = useRef(size);
  useLayoutEffect(() => {
    if (lastSize.current !== size) {
      lastSize.current = size;
      const kept = rowOf(rows, tasks, active ?? first.current);
      if (kept > 0) virtualizer.scrollToIndex(kept, { align: 'start' });
    }
    // Avoids reading from the window, which would force a layout in this task.
    const seen = visible.find((row) => row.end > (virtualizer.scrollOffset ?? 0));
    first.current = tasks[rows[seen?.index ?? 0]?.start ?? 0]?.task_id ?? null;
  });

  const last = visible.at(-1)?.index ?? 0;
  const wantsMore =
    width > 0 && last >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  });

  const wanted = useRef<string | null>(null);
  const moveTo = (index: number) => {
    const task = tasks[Math.min(Math.max(index, 0), tasks.length - 1)];
    if (task === undefined) return;
    setActive(task.task_id);
    virtualizer.scrollToIndex(Math.max(0, rowOf(rows, tasks, task.task_id)), { align: 'auto' });
    wanted.current = focusTile(task.task_id) ? null : task.task_id;
  };
  // Focused once it is rendered.
  useEffect(() => {
    if (wanted.current !== null && focusTile(wanted.current)) wanted.current = null;
  });
  const onKey = (key: string, event: KeyboardEvent) => {
    const index = Math.max(
      0,
      tasks.findIndex((task) => task.task_id === active),
    );
    const task = tasks[index];
    if (task === undefined) return false;
    const next = active === null ? (key.startsWith('Arrow') ? 0 : null) : neighbourOf(key, index, rows, tasks);
    if (next !== null) moveTo(next);
    else if (key === ' ') onFull(task.task_id);
    else if (active === null) return false;
    else if (key === 'v') selection.toggle(task.task_id, event.shiftKey);
    else return !event.repeat && markByKey(key, task);
    return true;
  };
  // Handles keys wherever the focus is, unless another element needs them.
  useWindowEvent('keydown', (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!isForOthers(event) && onKey(key, event)) event.preventDefault();
  });
  // The same elements until other rows become visible, so that scrolling within a row renders nothing.
  const shown = useMemo(
    () =>
      visible.map((item) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        return (
          <div
            key={item.key}
            className={classes.row}
            style={{ height: row.height, gap: GAP, transform: `translateY(${item.start - top}px)` }}
          >
            {tasks.slice(row.start, row.end).map((task, position) => (
              <WallTile
                key={task.task_id}
                task={task}
                height={row.height}
                isSelected={selection.has(task.task_id)}
                isSelecting={selection.ids.length > 0}
                onToggle={selection.toggle}
                inTabOrder={active === null ? row.start + position === 0 : task.task_id === active}
                onFocus={setActive}
                onFull={onFull}
                offersOf={offersOf}
              />
            ))}
          </div>
        );
      }),
    [visible, rows, tasks, selection, active, onFull, offersOf, top],
  );
  return (
    <>
      <div
        ref={measured}
        className={classes.wall}
        data-one-a-row={size >= ONE_PICTURE || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown}
      </div>
      {rows.length > 0 && (
        <div className={classes.foot} aria-live="polite">
          {isFetchNextPageError ? (
            <ErrorNote error={history.error} onRetry={() => void fetchNextPage()} />
          ) : hasNextPage ? (
            <Loader type="dots" role="status" aria-label="Loading older ones" />
          ) : (
            <Hint>End of list: {formatCount(tasks.length)}</Hint>
          )}
        </div>
      )}
    </>
  );
}

/** @returns whether it is rendered */
export function focusTile(taskId: string): boolean {
  const tile = document.querySelector<HTMLElement>(`[data-tile="${taskId}"]`);
  tile?.focus({ preventScroll: true });
  return tile !== null;
}

function rowOf(rows: readonly JustifiedRow[], tasks: readonly Task[], taskId: string | null): number {
  const index = tasks.findIndex((task) => task.task_id === taskId);
  return rows.findIndex(({ end }) => index >= 0 && index < end);
}

/** Returns the picture to which a key leads: for up and down the nearest one; null for other keys. */
function neighbourOf(key: string, index: number, rows: readonly JustifiedRow[], tasks: readonly Task[]): number | null {
  if (key === 'ArrowLeft') return index - 1;
  if (key === 'ArrowRight') return index + 1;
  if (key === 'Home') return 0;
  if (key === 'End') return tasks.length - 1;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const at = rows.findIndex(({ end }) => index < end);
  const [from, to] = [rows[at], rows[at + (key === 'ArrowDown' ? 1 : -1)]];
  if (from === undefined || to === undefined) return index;
  const middles = (row: JustifiedRow) => {
    let left = 0;
    return tasks.slice(row.start, row.end).map((task) => {
      const width = shapeOf(task) * row.height;
      left += width + GAP;
      return left - width / 2;
    });
  };
  const x = middles(from)[index - from.start] ?? 0;
  const distances = middles(to).map((middle) => Math.abs(middle - x));
  return to.start + distances.indexOf(Math.min(...distances));
}

export function WallSkeleton() {
  return (
    <div className={classes.skeletons} aria-hidden="true">
      {[1.5, 1, 0.67, 1.78, 1, 1.5, 0.67, 1, 1.78, 1].map((shape, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <Skeleton key={place} className={classes.skeleton ?? ''} style={{ aspectRatio: shape }} />
      ))}
    </div>
  );
}

/** A row of pictures of one height that fills the width. */
interface JustifiedRow {
  /** Index of its first picture in the list, and of the one after its last. */
  readonly start: number;
  readonly end: number;
  /** Height in pixels. */
  readonly height: number;
}

interface Space {
  readonly width: number;
  /** The wanted height. */
  readonly height: number;
  /** The maximum height of a row. */
  readonly most: number;
  readonly gap: number;
}

/**
 * Fills rows with pictures in their own shapes. A row ends where its height is closest to the wanted one; the last one
 * has the wanted height.
 * @param shapes width divided by height of each picture
 */
function justifiedRows(shapes: readonly number[], { width, height, most, gap }: Space): readonly JustifiedRow[] {
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
