import type { TaskView as Task } from '@darkroom-service/contract';
import { Group, Loader } from '@mantine/core';
import { IconLayoutGrid } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../../../api/use-api.ts';
import { BatchActions, BatchState, batchTitle, MOST_CELLS } from '../../../components/batches/batch-state.tsx';
import { SmallButton } from '../../../components/buttons.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import { type Selection, useSelection } from '../../../components/selection/use-selection.ts';
import { ShareDialog } from '../../../components/share-dialog.tsx';
import { hasResult } from '../../../components/task-facts.ts';
import { Hint } from '../../../components/words.tsx';
import { Boards } from './boards.tsx';
import { addressOf, isFiltered, NO_FILTER, useFilter } from './history-filter.ts';
import { type Neighbours, TaskDrawer } from './task-drawer.tsx';
import { useHistory } from './use-history.ts';
import { focusTile, Wall, WallSkeleton } from './wall.tsx';
import type { OffersOf } from './wall-tile.tsx';
import classes from './work.module.css';
import { WorkBar } from './work-bar.tsx';
import { WorkSelection } from './work-selection.tsx';

const ShareList = lazyPart(async () => (await import('./share-list.tsx')).ShareList);
const FullScreen = lazyPart(async () => (await import('../../../components/full-screen.tsx')).FullScreen);

/** The wall of the user's own work: all orders of the key, with filters, boards, and actions for the selected ones. */
export function Work({
  openId,
  batchId,
  home,
  beginning,
  offersOf,
}: {
  /** The order that is open beside the wall. */
  readonly openId: string | null;
  /** The batch that the address names. */
  readonly batchId: string | undefined;
  /** The address after an order is closed. */
  readonly home: string;
  /** Content until the first order. */
  readonly beginning: ReactNode;
  readonly offersOf: OffersOf;
}) {
  const [, navigate] = useLocation();
  const { filter, asked, setFilter } = useFilter(batchId);
  const history = useHistory(asked);
  const neighbours = neighboursOf(openId, history.items);
  const ids = useMemo(() => history.items.map((task) => task.task_id), [history.items]);
  const selection = useSelection(ids, addressOf(asked));
  const [full, setFull] = useState<string | null>(null);
  const results = useMemo(() => history.items.filter(hasResult), [history.items]);
  const { hasNextPage, isFetching, fetchNextPage } = history;
  // The order is the last one that is loaded.
  const isLast = [openId, full].some((id) => id !== null && id === history.items.at(-1)?.task_id);
  const wantsOlder = isLast && hasNextPage && !isFetching;
  useEffect(() => {
    if (wantsOlder) void fetchNextPage();
  }, [wantsOlder, fetchNextPage]);
  const isNew = history.data !== undefined && history.items.length === 0 && !hasNextPage && !isFiltered(filter);
  return (
    <section aria-label="Your work">
      {isNew ? (
        beginning
      ) : (
        <>
          <WorkBar filter={filter} onChange={setFilter}>
            <Boards
              shown={asked.tag}
              tasks={history.items}
              selection={selection}
              onShow={(tag) => setFilter({ ...filter, tag })}
            />
            {isFiltered(asked) && history.items.length > 0 && (
              <ShareDialog word="Share these results" title="Share these results">
                <ShareList filter={asked} />
              </ShareDialog>
            )}
          </WorkBar>
          {asked.batchId !== '' && <BatchHead batchId={asked.batchId} />}
          <List
            history={history}
            selection={selection}
            onFull={setFull}
            offersOf={offersOf}
            onClear={() => setFilter(NO_FILTER)}
          />
        </>
      )}
      <Suspense>
        <WorkSelection
          selection={selection}
          tasks={history.items}
          zipName="darkroom"
          fileOf={({ task_id: id }) => id}
          canDelete
          nameOf={(id) => id}
        />
        {full !== null && (
          <FullScreen
            tasks={results}
            taskId={full}
            onMove={setFull}
            onClose={() => {
              setFull(null);
              focusTile(full);
            }}
          />
        )}
      </Suspense>
      <TaskDrawer
        taskId={openId}
        neighbours={neighbours}
        onOpen={(next) => navigate(`/history/${next}`, { replace: true })}
        onClose={() => navigate(home)}
      />
    </section>
  );
}

function neighboursOf(taskId: string | null, tasks: readonly Pick<Task, 'task_id'>[]): Neighbours {
  const place = tasks.findIndex((task) => task.task_id === taskId);
  if (place < 0) return { newer: null, older: null };
  return { newer: tasks[place - 1]?.task_id ?? null, older: tasks[place + 1]?.task_id ?? null };
}

function List({
  history,
  selection,
  onFull,
  offersOf,
  onClear,
}: {
  readonly history: ReturnType<typeof useHistory>;
  readonly selection: Selection;
  readonly onFull: (taskId: string) => void;
  readonly offersOf: OffersOf;
  readonly onClear: () => void;
}) {
  if (history.data === undefined) {
    return history.error === null ? (
      <WallSkeleton />
    ) : (
      <ErrorNote error={history.error} onRetry={() => void history.refetch()} />
    );
  }
  if (history.items.length === 0 && history.hasNextPage) return <StillSearching history={history} />;
  if (history.items.length === 0)
    return (
      <EmptyState
        title="No orders match these filters"
        text="Remove a filter, or choose a longer period."
        action="Clear filters"
        onAction={onClear}
      />
    );
  return <Wall history={history} selection={selection} onFull={onFull} offersOf={offersOf} />;
}

/** Continues a search that has found nothing so far: each request examines a limited number of orders. */
function StillSearching({ history }: { readonly history: ReturnType<typeof useHistory> }) {
  const { error, isFetching, fetchNextPage } = history;
  useEffect(() => {
    if (!isFetching && error === null) void fetchNextPage();
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void fetchNextPage()} />;
  return (
    <Group justify="center" p="xl" role="status">
      <Loader type="dots" aria-hidden="true" />
      <Hint>Searching older orders …</Hint>
    </Group>
  );
}

const EVERY_MS = 3_000;

/** The batch whose orders the wall shows: its progress, its results, and its actions. */
function BatchHead({ batchId }: { readonly batchId: string }) {
  const { data: batch } = useApi(
    'GET /v1/batches/{batch_id}',
    { path: { batch_id: batchId } },
    { every: (known) => (known?.status === 'processing' ? EVERY_MS : false) },
  );
  if (batch === undefined) return null;
  return (
    <section className={classes.batch} aria-label="Batch">
      <div>
        <b dir="auto">{batchTitle(batch)}</b>
        <div className={`${classes.batchState} figures`} role="status">
          <BatchState batch={batch} />
        </div>
      </div>
      <Group gap="xs">
        {batch.orders <= MOST_CELLS && (
          <SmallButton
            component={Link}
            href={`/light/${batchId}`}
            leftSection={<IconLayoutGrid size={15} aria-hidden="true" />}
          >
            Show as a table
          </SmallButton>
        )}
        <BatchActions batch={batch} />
      </Group>
    </section>
  );
}
