import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group, Loader, Slider } from '@mantine/core';
import { IconPhotoSpark } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { BatchList } from '../../components/batches/batch-list.tsx';
import { PlainButton } from '../../components/buttons.ts';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { markByKey } from '../../components/mark-by-key.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { type Selection, useSelection } from '../../components/selection/use-selection.ts';
import { ShareDialog } from '../../components/share-dialog.tsx';
import { hasResult } from '../../components/task-facts.ts';
import { Hint } from '../../components/words.ts';
import { batchTexts } from '../../texts/batches.ts';
import { frameTexts } from '../../texts/frame.ts';
import { historyTexts } from '../../texts/history.ts';
import { shareTexts } from '../../texts/shares.ts';
import { BatchHead } from './batch-head.tsx';
import { Boards } from './boards.tsx';
import { addressOf } from './filter-address.ts';
import { FindByFile } from './find-by-file.tsx';
import { type HistoryFilter, isFiltered, NO_FILTER } from './history-filter.ts';
import { HistoryFilters } from './history-filters.tsx';
import { HistorySelection } from './history-selection.tsx';
import { type Neighbours, TaskDrawer } from './task-drawer.tsx';
import { useFilter } from './use-filter.ts';
import { useHistory } from './use-history.ts';
import { focusTile, Wall, WallSkeleton } from './wall.tsx';
import { LEAST_SIZE, ONE_PICTURE, setWallSize, useWallSize } from './wall-size.ts';

const ShareList = lazyPart(async () => (await import('./share-list.tsx')).ShareList);
const Compare = lazyPart(async () => (await import('../../components/compare/compare.tsx')).Compare);
const FullScreen = lazyPart(async () => (await import('../../components/full-screen.tsx')).FullScreen);

/** The page with all orders of the key. */
export function HistoryPage() {
  const { taskId = null, batchId } = useParams<{ taskId?: string; batchId?: string }>();
  const [, navigate] = useLocation();
  const { filter, asked, setFilter } = useFilter(taskId, batchId);
  const history = useHistory(asked);
  const size = useWallSize();
  const neighbours = neighboursOf(taskId, history.items);
  const ids = useMemo(() => history.items.map((task) => task.task_id), [history.items]);
  const selection = useSelection(ids, addressOf(asked));
  const [full, setFull] = useState<string | null>(null);
  const [isListing, setListing] = useState(false);
  const [compared, setCompared] = useState<readonly Task[]>([]);
  const results = useMemo(() => history.items.filter(hasResult), [history.items]);
  const { hasNextPage, isFetching, fetchNextPage } = history;
  // The order after the last one that is loaded.
  const isLast = [taskId, full].some((id) => id !== null && id === history.items.at(-1)?.task_id);
  const wantsOlder = isLast && hasNextPage && !isFetching;
  useEffect(() => {
    if (wantsOlder) void fetchNextPage();
  }, [wantsOlder, fetchNextPage]);
  return (
    <>
      <PageHeader title={frameTexts.pages.history} lead={historyTexts.lead}>
        <Group gap="xs" align="flex-start">
          <FindByFile />
          {isFiltered(asked) && history.items.length > 0 && (
            <ShareDialog label={shareTexts.shareList} title={shareTexts.shareList}>
              <ShareList filter={asked} />
            </ShareDialog>
          )}
          <PlainButton onClick={() => setListing(true)}>{batchTexts.batches}</PlainButton>
        </Group>
      </PageHeader>
      <HistoryFilters filter={filter} onChange={setFilter}>
        <Slider
          flex="0 1 150px"
          miw={110}
          mx={6}
          min={LEAST_SIZE}
          max={ONE_PICTURE}
          value={size}
          onChange={setWallSize}
          label={(value) => (value >= ONE_PICTURE ? historyTexts.wall.one : `${value} px`)}
          thumbLabel={historyTexts.wall.size}
          size={4}
        />
      </HistoryFilters>
      <Boards
        shown={asked.tag}
        tasks={history.items}
        selection={selection}
        onShow={(tag) => setFilter({ ...filter, tag })}
      />
      {asked.batchId !== '' && <BatchHead batchId={asked.batchId} />}
      <HistoryList
        history={history}
        filter={asked}
        selection={selection}
        onFull={setFull}
        onClear={() => setFilter(NO_FILTER)}
      />
      <Suspense>
        <HistorySelection selection={selection} tasks={history.items} onCompare={setCompared} />
        {compared.length > 0 && <Compare tasks={compared} nameOf={(id) => id} onClose={() => setCompared([])} />}
        {full !== null && (
          <FullScreen
            tasks={results}
            taskId={full}
            tagsOf={({ tags = [] }) => tags}
            onMove={setFull}
            onMark={markByKey}
            onClose={() => {
              setFull(null);
              focusTile(full);
            }}
          />
        )}
      </Suspense>
      {isListing && (
        <Dialog title={batchTexts.batches} size="xl" onClose={() => setListing(false)}>
          <BatchList none={batchTexts.none} onChoose={() => setListing(false)} />
        </Dialog>
      )}
      <TaskDrawer
        taskId={taskId}
        neighbours={neighbours}
        onOpen={(next) => navigate(`/history/${next}`, { replace: true })}
        onClose={() => navigate('/history')}
      />
    </>
  );
}

function neighboursOf(taskId: string | null, tasks: readonly Pick<Task, 'task_id'>[]): Neighbours {
  const place = tasks.findIndex((task) => task.task_id === taskId);
  if (place < 0) return { newer: null, older: null };
  return { newer: tasks[place - 1]?.task_id ?? null, older: tasks[place + 1]?.task_id ?? null };
}

function HistoryList({
  history,
  filter,
  selection,
  onFull,
  onClear,
}: {
  readonly history: ReturnType<typeof useHistory>;
  readonly filter: HistoryFilter;
  readonly selection: Selection;
  readonly onFull: (taskId: string) => void;
  readonly onClear: () => void;
}) {
  const size = useWallSize();
  if (history.data === undefined) {
    return history.error === null ? (
      <WallSkeleton />
    ) : (
      <ErrorNote error={history.error} onRetry={() => void history.refetch()} />
    );
  }
  if (history.items.length === 0 && history.hasNextPage) return <StillSearching history={history} />;
  if (history.items.length === 0)
    return isFiltered(filter) ? (
      <EmptyState {...historyTexts.nothingFits} action={historyTexts.filters.clear} onAction={onClear} />
    ) : (
      <EmptyState {...historyTexts.empty} icon={IconPhotoSpark} href="/" />
    );
  return (
    <Wall
      tasks={history.items}
      size={size}
      selection={selection}
      onFull={onFull}
      hasMore={history.hasNextPage}
      isLoadingMore={history.isFetchingNextPage}
      error={history.isFetchNextPageError ? history.error : null}
      onMore={() => void history.fetchNextPage()}
    />
  );
}

/** Goes on with a search that has found nothing so far: each request examines a limited number of orders. */
function StillSearching({ history }: { readonly history: ReturnType<typeof useHistory> }) {
  const { error, isFetching, fetchNextPage } = history;
  useEffect(() => {
    if (!isFetching && error === null) void fetchNextPage();
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void fetchNextPage()} />;
  return (
    <Group justify="center" p="xl" role="status">
      <Loader type="dots" aria-hidden="true" />
      <Hint>{historyTexts.searching}</Hint>
    </Group>
  );
}
