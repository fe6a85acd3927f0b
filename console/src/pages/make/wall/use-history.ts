import type { TaskView as Task } from '@darkroom-service/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../../api/client.ts';
import { orderingKey, useSession } from '../../../api/session.ts';
import { createStore, useStore } from '../../../api/store.ts';
import { NEWEST } from '../../../api/tagging.ts';
import { HISTORY_PAGES } from '../../../api/task-lists.ts';
import { queryClient } from '../../../api/use-api.ts';
import { type HistoryFilter, queryOf } from './history-filter.ts';

/** Tasks deleted here that older responses still contain. */
const deletedStore = createStore<ReadonlySet<string>>(new Set());

export function forgetTask(taskId: string): void {
  deletedStore.set(new Set([...deletedStore.get(), taskId]));
}

/** Shows a restored task again. */
export function showTaskAgain(taskId: string): void {
  deletedStore.set(new Set([...deletedStore.get()].filter((id) => id !== taskId)));
}

/**
 * Returns the key's tasks down to the scroll position, newest first. New tasks are added at the beginning
 * automatically.
 */
export function useHistory(filter: HistoryFilter) {
  const secret = orderingKey(useSession());
  const deleted = useStore(deletedStore);
  const newestKey = [...NEWEST, secret, filter];
  const pages = useInfiniteQuery({
    queryKey: [HISTORY_PAGES, secret, filter],
    queryFn: async ({ pageParam, signal }) => {
      const page = await fetchHistory(filter, pageParam, signal);
      // The first page is the newest one, unless something has changed since it was requested.
      if (pageParam === FIRST && queryClient.getQueryState(newestKey)?.isInvalidated !== true)
        queryClient.setQueryData(newestKey, page);
      return page;
    },
    initialPageParam: FIRST,
    getNextPageParam: (last) => last.next,
    // Read once: changes come with the newest page, so a long list is not read again.
    enabled: (query) => query.state.data === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const newest = useQuery({
    queryKey: newestKey,
    queryFn: ({ signal }) => fetchHistory(filter, FIRST, signal),
    // Each search examines thousands of orders.
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

/** The last task read of each of the two lists; null = none yet. */
interface Cursor {
  readonly image: string | null | typeof END;
  readonly video: string | null | typeof END;
}

interface HistoryPage {
  readonly items: readonly Task[];
  /** The next position; null at the end. */
  readonly next: Cursor | null;
}

export const FIRST: Cursor = { image: null, video: null };
export const PAGE_SIZE = 60;
const END = 'end';

/** Merges images and videos into one page, newest first, and returns where each list continues. */
export async function fetchHistory(filter: HistoryFilter, cursor: Cursor, signal: AbortSignal): Promise<HistoryPage> {
  const types = (['image', 'video'] as const).filter(
    (type) => (filter.type === 'all' || filter.type === type) && cursor[type] !== END,
  );
  const lists = await Promise.all(
    types.map(async (type) => ({ type, ...(await fetchList(type, filter, cursor[type], signal)) })),
  );
  // A task older than the end of what was read of one list may have to follow tasks that the other list still holds.
  const readTo = lists.map((list) => (list.next === null ? '' : timeOf(list.next))).sort();
  const floor = readTo.at(-1) ?? '';
  const merged = lists.flatMap(({ items }) => items).sort(newestFirst);
  const items = merged.slice(0, PAGE_SIZE).filter((task) => timeOf(task.task_id) >= floor);
  const taken = new Set(items.map((task) => task.task_id));
  const next: Record<Task['type'], string | null> = { image: END, video: END };
  for (const list of lists) {
    const rest = list.items.filter((task) => !taken.has(task.task_id));
    const last = list.items.filter((task) => taken.has(task.task_id)).at(-1);
    next[list.type] = rest.length === 0 ? (list.next ?? END) : (last?.task_id ?? cursor[list.type]);
  }
  const isOver = types.every((type) => next[type] === END);
  return { items, next: isOver ? null : next };
}

/** Compares tasks by ids, which contain the creation time after the prefix that distinguishes images from videos. */
function newestFirst(a: Pick<Task, 'task_id'>, b: Pick<Task, 'task_id'>): number {
  const [left, right] = [timeOf(a.task_id), timeOf(b.task_id)];
  return left < right ? 1 : left > right ? -1 : 0;
}

function timeOf(taskId: string): string {
  return taskId.slice('img_'.length);
}

/** @returns `next`: id after which the list continues; null at its end */
async function fetchList(
  type: Task['type'],
  filter: HistoryFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Task[]; readonly next: string | null }> {
  const query = { ...queryOf(filter), include: 'tags', limit: PAGE_SIZE, ...(after === null ? {} : { after }) };
  const page = await call(type === 'video' ? 'GET /v1/videos' : 'GET /v1/images', { query } as never, { signal });
  const { items, has_more, next_after } = page as Listed;
  return { items, next: has_more ? (next_after ?? items.at(-1)?.task_id ?? null) : null };
}

interface Listed {
  readonly items: readonly Task[];
  readonly has_more: boolean;
  /** The cursor of a search, also after a page without tasks. */
  readonly next_after?: string | null;
}
