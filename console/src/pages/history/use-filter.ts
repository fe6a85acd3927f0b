import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { createStore, useStore } from '../../api/store.ts';
import { addressOf, readFilter } from './filter-address.ts';
import { type HistoryFilter, NO_FILTER } from './history-filter.ts';

const TYPING_MS = 300;

/** Kept while other pages are open. */
const filterStore = createStore<HistoryFilter>(NO_FILTER);

/**
 * Returns the filter of the history, and the one to list by, which follows once nobody types. The page's address has
 * that one, so that a reload or a sent link shows the same.
 * @param taskId the open task, which stays open
 * @param batchId the batch that the address names, whose tasks are to be listed
 */
export function useFilter(taskId: string | null, batchId: string | undefined) {
  const [, navigate] = useLocation();
  const query = useHashQuery();
  const kept = useStore(filterStore);
  const written = useRef('');
  // An address that was opened, not one that this page wrote itself.
  const isOpened = batchId !== undefined || (query !== '' && query !== written.current);
  const opened = useMemo(
    () => (batchId === undefined ? readFilter(query) : { ...NO_FILTER, batchId }),
    [query, batchId],
  );
  const filter = isOpened ? opened : kept;
  const [asked] = useDebouncedValue(filter, TYPING_MS);
  useEffect(() => {
    if (isOpened) {
      written.current = query;
      filterStore.set(filter);
    }
    const address = addressOf(asked);
    // Not while somebody types: browsers refuse an address that changes too often.
    if (asked !== filter || (batchId === undefined && address === query)) return;
    written.current = address;
    navigate(pathWith(taskId, address), { replace: true });
  }, [isOpened, filter, asked, query, taskId, batchId, navigate]);
  return { filter, asked, setFilter: filterStore.set };
}

function pathWith(taskId: string | null, query: string): string {
  return `/history${taskId === null ? '' : `/${taskId}`}${query === '' ? '' : `?${query}`}`;
}
