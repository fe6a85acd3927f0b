import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import type { DataOf, Reading, RequestOf } from './operations.ts';
import { useSession } from './session.ts';
import { apiKey } from './use-api.ts';

/** The entries of the largest page. */
const MOST = 100;

/** Operations that list, a page at a time. */
type Listing = {
  [O in Reading]: DataOf<O> extends { readonly items: readonly unknown[]; readonly has_more: boolean } ? O : never;
}[Reading];
type ItemOf<O extends Listing> = DataOf<O> extends { readonly items: readonly (infer Item)[] } ? Item : never;
type QueryOf<O extends Listing> = RequestOf<O> extends { readonly query?: infer Query } ? NonNullable<Query> : never;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  /** The cursor for the next page, of lists that tell it: a page may have no entry that matches. */
  readonly next_after?: string | null;
  /** Of searches: what the words named, and how far back the page looked. */
  readonly found_by?: 'task' | 'end_user' | 'account' | 'key' | 'request' | 'text' | null;
  readonly searched_since?: string | null;
}

/**
 * Reads a list of the interface page by page.
 * @param idOf returns the cursor for the next page
 * @param options.every returns after how many milliseconds what was read is read again; absent = not by itself
 * @param options.enabled reads only while true
 */
export function usePages<O extends Listing>(
  operation: O,
  query: QueryOf<O>,
  idOf: (item: ItemOf<O>) => string,
  {
    every = () => false,
    enabled = true,
  }: { readonly every?: (items: readonly ItemOf<O>[]) => number | false; readonly enabled?: boolean } = {},
) {
  const session = useSession();
  const pages = useInfiniteQuery({
    queryKey: [...apiKey(session, operation, { query } as never), 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const request = { query: { ...query, ...(pageParam === '' ? {} : { after: pageParam }) } };
      return call(operation, request as never, { signal }) as unknown as Promise<Page<ItemOf<O>>>;
    },
    enabled,
    initialPageParam: '',
    getNextPageParam: (last) => {
      if (!last.has_more) return undefined;
      const item = last.items.at(-1);
      return last.next_after ?? (item === undefined ? undefined : idOf(item));
    },
    refetchInterval: ({ state }) => every(state.data?.pages.flatMap(({ items }) => items) ?? []),
  });
  return { ...pages, items: pages.data?.pages.flatMap(({ items }) => items) };
}

/** Reads a whole list, however long. @param idOf returns the cursor for the next page */
export async function readAll<O extends Listing>(
  operation: O,
  request: RequestOf<O>,
  idOf: (item: ItemOf<O>) => string,
  signal?: AbortSignal,
): Promise<readonly ItemOf<O>[]> {
  const items: ItemOf<O>[] = [];
  const { query } = request as { readonly query?: object };
  for (let place = {}; ; ) {
    const next = { ...request, query: { limit: MOST, ...query, ...place } };
    const page = (await call(operation, next as never, { signal })) as unknown as Page<ItemOf<O>>;
    items.push(...page.items);
    const last = items.at(-1);
    if (!page.has_more || last === undefined) return items;
    place = { after: idOf(last) };
  }
}
