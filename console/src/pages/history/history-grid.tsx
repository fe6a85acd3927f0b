import { Loader, Skeleton, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Task } from '../../api/types.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import type { Selection } from '../../components/selection/use-selection.ts';
import { formatCount } from '../../format.ts';
import { historyTexts } from '../../texts/history.ts';
import classes from './history.module.css';
import { TaskTile } from './task-tile.tsx';

const GAP = 16;
const CAPTION = 52;
const WIDEST = 232;
const LEAST_COLUMNS = 2;
/** The number of rows before the end at which older tasks are requested. */
const AHEAD = 6;

/** A grid of any number of tasks. Only visible rows are rendered. */
export function HistoryGrid({
  tasks,
  selection,
  hasMore,
  isLoadingMore,
  error,
  onMore,
}: {
  readonly tasks: readonly Task[];
  readonly selection: Selection;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  readonly onMore: () => void;
}) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const measured = useMergedRef(ref, place);
  const [top, setTop] = useState(0);
  const columns = Math.max(LEAST_COLUMNS, Math.ceil((width + GAP) / (WIDEST + GAP)));
  const side = Math.max(1, (width - GAP * (columns - 1)) / columns);
  const rowHeight = side + CAPTION + GAP;
  const rows = Math.ceil(tasks.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: width === 0 ? 0 : rows,
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  useLayoutEffect(() => {
    setTop((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);

  const height = virtualizer.getTotalSize();
  const visible = virtualizer.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const wantsMore = width > 0 && last >= rows - AHEAD && hasMore && !isLoadingMore && error === null;
  useEffect(() => {
    if (wantsMore) onMore();
  });
  return (
    <>
      <div ref={measured} className={classes.grid} style={{ height }}>
        {visible.map((row) => (
          <div
            key={row.key}
            className={classes.row}
            style={{
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              transform: `translateY(${row.start - top}px)`,
            }}
          >
            {tasks.slice(row.index * columns, (row.index + 1) * columns).map((task) => (
              <TaskTile key={task.task_id} task={task} selection={selection} />
            ))}
          </div>
        ))}
      </div>
      {height > 0 && (
        <div className={classes.foot} aria-live="polite">
          {error !== null ? (
            <ErrorNote error={error} onRetry={onMore} />
          ) : hasMore ? (
            <Loader type="dots" role="status" aria-label={historyTexts.loadingMore} />
          ) : (
            <Text size="sm" c="dimmed">
              {historyTexts.end(formatCount(tasks.length))}
            </Text>
          )}
        </div>
      )}
    </>
  );
}

export function HistoryGridSkeleton() {
  return (
    <div className={classes.skeletons} aria-hidden="true">
      {Array.from({ length: 10 }, (_, place) => `skeleton-${place}`).map((name) => (
        <Skeleton key={name} className={classes.skeleton ?? ''} />
      ))}
    </div>
  );
}
