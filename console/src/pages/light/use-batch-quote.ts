import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { DataOf } from '../../api/operations.ts';
import { useSession } from '../../api/session.ts';
import type { BatchEntry } from './batch-body.ts';

const TYPING_MS = 300;
const ASK_AGAIN_MS = 3_000;

export type BatchQuote = DataOf<'POST /v1/batches/prices'>;

/** Quotes all orders together. Repeated while the form changes; the last price stays meanwhile, marked as pending. */
export function useBatchQuote(orders: readonly BatchEntry[]): {
  readonly quote: BatchQuote | undefined;
  readonly refusal: ApiError | null;
  /** Whether the quote is missing or that of another form. */
  readonly pending: boolean;
  readonly failed: boolean;
} {
  const { keys, mode } = useSession();
  const wanted = JSON.stringify({ orders });
  const [settled] = useDebouncedValue(wanted, TYPING_MS);
  const enabled = orders.length > 0;
  const { data, error, isPlaceholderData, isPending, isFetching } = useQuery<BatchQuote, Error>({
    queryKey: ['POST /v1/batches/prices', settled, keys[mode] ?? null],
    queryFn: ({ signal }) => call('POST /v1/batches/prices', { body: JSON.parse(settled) }, { signal }),
    enabled: enabled && settled !== '{"orders":[]}',
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state: { error: last } }) => (mayPass(last) ? ASK_AGAIN_MS : false),
  });
  const isOther = settled !== wanted || isPlaceholderData;
  const refusal = enabled && !isOther && error instanceof ApiError && !mayPass(error) ? error : null;
  return {
    quote: enabled && refusal === null ? data : undefined,
    refusal,
    pending: enabled && (isOther || isPending || (error !== null && isFetching)),
    failed: enabled && data === undefined && mayPass(error),
  };
}

function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
