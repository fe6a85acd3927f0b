import {
  keepPreviousData,
  QueryClient,
  skipToken,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './client.ts';
import { connectionStore } from './connection.ts';
import type { DataOf, Operation, Reading, RequestOf } from './operations.ts';
import { isSignedIn, type Session, sessionStore, useSession } from './session.ts';

interface UseApiOptions<T = unknown> {
  /** Fetches only while true. */
  readonly enabled?: boolean;
  /** The polling interval in milliseconds; may depend on the last response. */
  readonly every?: number | false | ((data: T | undefined) => number | false);
  /** Keeps the last response while a new one is fetched, so that the layout does not jump. */
  readonly keep?: boolean;
  /** A response up to this age counts as fresh, in milliseconds. */
  readonly staleTime?: number;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && error.retryable && error.code !== 'unreachable',
      retryDelay: (count) => 500 * 2 ** count,
      // The browser's online state says nothing about a service on the same machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
connectionStore.subscribe(() => {
  if (connectionStore.get() === 'up') void queryClient.invalidateQueries();
});
// Nobody reads the answers of a signed-out session, and their cache keys contain its API keys.
sessionStore.subscribe(() => {
  if (!isSignedIn(sessionStore.get())) queryClient.clear();
});

/** Returns the cache key: the request and the API key, because responses differ by key. */
export function apiKey<O extends Operation>(
  session: Session,
  operation: O,
  request: RequestOf<O> | null,
): readonly unknown[] {
  const kind = operation.includes(' /admin/') ? 'admin' : session.mode;
  return [operation, session.keys[kind] ?? null, request];
}

/**
 * Reads one operation of the API and caches the response: `useApi('GET /v1/account', {})`.
 * @param request null = nothing to read yet
 */
export function useApi<O extends Reading>(
  operation: O,
  request: RequestOf<O> | null,
  { enabled = true, every = false, keep = false, staleTime }: UseApiOptions<DataOf<O>> = {},
): UseQueryResult<DataOf<O>, Error> {
  const session = useSession();
  return useQuery<DataOf<O>, Error>({
    queryKey: apiKey(session, operation, request),
    queryFn:
      request === null
        ? skipToken
        : async ({ signal }) => {
            const first = await call(operation, request, { signal });
            return await withNextPages(operation, request, first, signal);
          },
    enabled,
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : every,
    ...(keep ? { placeholderData: keepPreviousData as never } : {}),
    ...(staleTime === undefined ? {} : { staleTime }),
  });
}

/** Lists that are shown and searched as a whole, with the property of an item that is the cursor for the next page. */
const WHOLE = { 'GET /admin/v1/accounts': 'account_id', 'GET /admin/v1/keys': 'key_id' } as const;

/** Returns the answer of a list that is shown as a whole with the items of all its pages; others unchanged. */
async function withNextPages<O extends Reading>(
  operation: O,
  request: RequestOf<O>,
  first: DataOf<O>,
  signal: AbortSignal,
): Promise<DataOf<O>> {
  if (!isWhole(operation)) return first;
  const page = first as unknown as Page<Readonly<Record<string, unknown>>>;
  const last = page.items.at(-1);
  if (!page.has_more || last === undefined) return first;
  const idOf = (item: unknown) => String((item as Readonly<Record<string, unknown>>)[WHOLE[operation]]);
  const query = { ...(request as { readonly query?: object }).query, after: idOf(last) };
  const rest = await readAll(operation, { ...request, query } as never, idOf, signal);
  return { ...page, items: [...page.items, ...rest], has_more: false } as unknown as DataOf<O>;
}

function isWhole(operation: string): operation is keyof typeof WHOLE {
  return operation in WHOLE;
}

/** Stores a response in the cache of `useApi`. */
export function rememberAnswer<O extends Operation>(operation: O, request: RequestOf<O>, data: DataOf<O>): void {
  queryClient.setQueryData(apiKey(sessionStore.get(), operation, request), data);
}

/** Refetches all cached responses of these operations. */
export async function refresh(...operations: Operation[]): Promise<void> {
  await Promise.all(operations.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })));
}

/** Maximum number of entries in a page. */
const MOST = 100;

/** Operations that list, one page at a time. */
type Listing = {
  [O in Reading]: DataOf<O> extends { readonly items: readonly unknown[]; readonly has_more: boolean } ? O : never;
}[Reading];
type ItemOf<O extends Listing> = DataOf<O> extends { readonly items: readonly (infer Item)[] } ? Item : never;
type QueryOf<O extends Listing> = RequestOf<O> extends { readonly query?: infer Query } ? NonNullable<Query> : never;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  /** The cursor for the next page, for lists that return it: a page may have no matching entry. */
  readonly next_after?: string | null;
  /** For searches: the kind of match, and the time back to which the page searched. */
  readonly found_by?: 'task' | 'end_user' | 'account' | 'key' | 'request' | 'text' | null;
  readonly searched_since?: string | null;
}

/**
 * Reads a list of the API page by page.
 * @param idOf returns the id of an item, which is also the cursor for the next page
 * @param options.every returns the polling interval in milliseconds; absent = no polling
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
  return { ...pages, items: pages.data?.pages.flatMap(({ items }) => items), idOf };
}

/** Reads a whole list, whatever its length. @param idOf returns the cursor for the next page */
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
