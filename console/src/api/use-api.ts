import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './client.ts';
import { connectionStore } from './connection.ts';
import type { DataOf, Operation, RequestOf } from './operations.ts';
import { type Session, sessionStore, useSession } from './session.ts';

export interface UseApiOptions<T = unknown> {
  /** Asks only while true. */
  readonly enabled?: boolean;
  /** Asks again this often, in milliseconds; may hang on the last answer. */
  readonly every?: number | false | ((data: T | undefined) => number | false);
  /** Shows the last answer while another is fetched, so that nothing jumps. */
  readonly keep?: boolean;
  /** Takes an answer of this age for a fresh one, in milliseconds. */
  readonly staleTime?: number;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && error.retryable && error.code !== 'unreachable',
      retryDelay: (count) => 500 * 2 ** count,
      // The browser's word on being online says nothing of a service on this very machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
connectionStore.subscribe(() => {
  if (connectionStore.get() === 'up') void queryClient.invalidateQueries();
});

/** What was asked, and by whom: another key's answers are other answers. */
export function apiKey<O extends Operation>(session: Session, operation: O, request: RequestOf<O>): readonly unknown[] {
  const kind = operation.includes(' /admin/') ? 'admin' : session.mode;
  return [operation, session.keys[kind] ?? null, request];
}

/** Reads one operation of the interface and keeps what it answered: `useApi('GET /v1/account', {})`. */
export function useApi<O extends Operation>(
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

/** Puts an answer where `useApi` looks for it. */
export function rememberAnswer<O extends Operation>(operation: O, request: RequestOf<O>, data: DataOf<O>): void {
  queryClient.setQueryData(apiKey(sessionStore.get(), operation, request), data);
}

/** Has every answer of these operations asked for again. */
export async function refresh(...operations: Operation[]): Promise<void> {
  await Promise.all(operations.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })));
}
