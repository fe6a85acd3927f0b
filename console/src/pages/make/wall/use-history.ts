import type { TaskView as Task } from '@darkroom-service/contract/task';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { orderingKey, useSession } from '../../../api/session.ts';
import { createStore, useStore } from '../../../api/store.ts';
import { NEWEST } from '../../../api/tagging.ts';
import { HISTORY_PAGES } from '../../../api/task-lists.ts';
import { queryClient } from '../../../api/use-api.ts';
import type { HistoryFilter } from './history-filter.ts';
import { FIRST, fetchHistory, newestFirst, PAGE_SIZE } from './history-pages.ts';

/** Tasks deleted here that older list responses still contain. */
const deletedStore = createStore<ReadonlySet<string>>(new Set());

export function forgetTask(taskId: string): void {
  deletedStore.set(new Set([...deletedStore.get(), taskId]));
}

/** Shows a restored task again. */
export function showTaskAgain(taskId: string): void {
  deletedStore.set(new Set([...deletedStore.get()].filter((id) => id !== taskId)));
}

/**
 * Returns the key's tasks down to the scroll position, newest first. New tasks are added at the front automatically.
 */
export function useHistory(filter: HistoryFilter) {
  const secret = orderingKey(useSession());
  const deleted = useStore(deletedStore);
  const key = [HISTORY_PAGES, secret, filter];
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetchHistory(filter, pageParam, signal),
    initialPageParam: FIRST,
    getNextPageParam: (last) => last.next,
    // Read once: changes come with the newest page, so a long list is not read again.
    enabled: (query) => query.state.data === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const newest = useQuery({
    queryKey: [...NEWEST, secret, filter],
    queryFn: ({ signal }) => fetchHistory(filter, FIRST, signal),
    // A search examines thousands of orders each time.
    enabled: pages.data !== undefined && filter.search === '',
  });

  const known = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const items = useMemo(
    () => withNewest(known, newest.data?.items ?? []).filter((task) => !deleted.has(task.task_id)),
    [known, newest.data, deleted],
  );

  // More new tasks than a page holds: start again, to leave no gap.
  const hasGap = isApart(known, newest.data?.items ?? []);
  useEffect(() => {
    if (hasGap) void queryClient.resetQueries({ queryKey: [HISTORY_PAGES] });
  }, [hasGap]);
  return { ...pages, items };
}

function withNewest(known: readonly Task[], newest: readonly Task[]): readonly Task[] {
  if (newest.length === 0) return known;
  const fresh = new Map(newest.map((task) => [task.task_id, task]));
  const merged = known.map((task) => {
    const other = fresh.get(task.task_id);
    fresh.delete(task.task_id);
    return other !== undefined && other.revision >= task.revision ? other : task;
  });
  const first = known[0];
  const before = [...fresh.values()].filter((task) => first === undefined || newestFirst(task, first) < 0);
  return [...before, ...merged];
}

function isApart(known: readonly Task[], newest: readonly Task[]): boolean {
  const first = known[0];
  if (first === undefined || newest.length < PAGE_SIZE) return false;
  return newest.every((task) => newestFirst(task, first) < 0);
}
