import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  /** The cursor for the next page, of lists that tell it: a page may have no entry that matches. */
  readonly next_after?: string | null;
}

/**
 * Reads a list of the admin API page by page.
 * @param idOf returns the cursor for the next page
 * @param every returns after how many milliseconds what was read is read again; absent = not by itself
 */
export function useAdminPages<Item>(
  key: readonly unknown[],
  fetchPage: (after: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
  every: (items: readonly Item[]) => number | false = () => false,
) {
  const { keys } = useSession();
  const pages = useInfiniteQuery({
    queryKey: [...key, keys.admin],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === '' ? undefined : pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => {
      if (!last.has_more) return undefined;
      const item = last.items.at(-1);
      return last.next_after ?? (item === undefined ? undefined : idOf(item));
    },
    refetchInterval: ({ state }) => every(state.data?.pages.flatMap((page) => page.items) ?? []),
  });
  return { ...pages, items: pages.data?.pages.flatMap((page) => page.items) };
}
