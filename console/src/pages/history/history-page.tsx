import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPhotoSpark } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { createStore, useStore } from '../../api/store.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { historyTexts } from '../../texts/history.ts';
import { type HistoryFilter, isFiltered, NO_FILTER } from './history-filter.ts';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryGrid, HistoryGridSkeleton } from './history-grid.tsx';
import { TaskDrawer } from './task-drawer.tsx';
import { useHistory } from './use-history.ts';

const TYPING_MS = 300;

/** Kept while other pages are open. */
const filterStore = createStore<HistoryFilter>(NO_FILTER);

/** The page with all orders of the key. */
export function HistoryPage() {
  const { taskId = null, batchId } = useParams<{ taskId?: string; batchId?: string }>();
  const [, navigate] = useLocation();
  const filter = useStore(filterStore);
  const [asked] = useDebouncedValue(filter, TYPING_MS);
  useEffect(() => {
    if (batchId === undefined) return;
    filterStore.set({ ...NO_FILTER, batchId });
    navigate('/history', { replace: true });
  }, [batchId, navigate]);
  return (
    <>
      <PageHeader title={frameTexts.pages.history} lead={historyTexts.lead}>
        <Button component={Link} href="/batches" variant="default">
          {frameTexts.pages.batches}
        </Button>
      </PageHeader>
      <HistoryFilters filter={filter} onChange={filterStore.set} />
      <HistoryList filter={asked} onClear={() => filterStore.set(NO_FILTER)} />
      <TaskDrawer taskId={taskId} onClose={() => navigate('/history')} />
    </>
  );
}

function HistoryList({ filter, onClear }: { readonly filter: HistoryFilter; readonly onClear: () => void }) {
  const history = useHistory(filter);
  if (history.data === undefined) {
    return history.error === null ? (
      <HistoryGridSkeleton />
    ) : (
      <ErrorNote error={history.error} onRetry={() => void history.refetch()} />
    );
  }
  if (history.items.length === 0) return isFiltered(filter) ? <NothingFits onClear={onClear} /> : <NothingYet />;
  return (
    <HistoryGrid
      tasks={history.items}
      hasMore={history.hasNextPage}
      isLoadingMore={history.isFetchingNextPage}
      error={history.isFetchNextPageError ? history.error : null}
      onMore={() => void history.fetchNextPage()}
    />
  );
}

function NothingYet() {
  const { title, text, action } = historyTexts.empty;
  return (
    <EmptyState
      icon={<IconPhotoSpark size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
      title={title}
      text={text}
      action={
        <Button component={Link} href="/">
          {action}
        </Button>
      }
    />
  );
}

function NothingFits({ onClear }: { readonly onClear: () => void }) {
  const { title, text } = historyTexts.nothingFits;
  return (
    <EmptyState
      title={title}
      text={text}
      action={
        <Button variant="default" onClick={onClear}>
          {historyTexts.filters.clear}
        </Button>
      }
    />
  );
}
