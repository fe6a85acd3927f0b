import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
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

/** The cache key: the request and the API key, because responses differ by key. */
export function apiKey<O extends Operation>(session: Session, operation: O, request: RequestOf<O>): readonly unknown[] {
  const kind = operation.includes(' /admin/') ? 'admin' : session.mode;
  return [operation, session.keys[kind] ?? null, request];
}

/** Reads one operation of the API and caches the response: `useApi('GET /v1/account', {})`. */
export function useApi<O extends Reading>(
  operation: O,
  request: RequestOf<O>,
  { enabled = true, every = false, keep = false, staleTime }: UseApiOptions<DataOf<O>> = {},
): UseQueryResult<DataOf<O>, Error> {
  const session = useSession();
  return useQuery<DataOf<O>, Error>({
    queryKey: apiKey(session, operation, request),
    queryFn: ({ signal }) => call(operation, request, { signal }),
    enabled,
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : every,
    ...(keep ? { placeholderData: keepPreviousData as never } : {}),
    ...(staleTime === undefined ? {} : { staleTime }),
  });
}

/** Stores a response in the cache of `useApi`. */
export function rememberAnswer<O extends Operation>(operation: O, request: RequestOf<O>, data: DataOf<O>): void {
  queryClient.setQueryData(apiKey(sessionStore.get(), operation, request), data);
}

/** Refetches all cached responses of these operations. */
export async function refresh(...operations: Operation[]): Promise<void> {
  await Promise.all(operations.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })));
}
