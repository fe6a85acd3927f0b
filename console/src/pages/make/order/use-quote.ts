import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { DataOf } from '../../../api/operations.ts';
import { useSession } from '../../../api/session.ts';

const TYPING_MS = 250;
const ASK_AGAIN_MS = 3_000;

/**
 * Quotes an order, or the orders of a batch: the price and the errors. Repeats while the form changes; the last price
 * stays meanwhile, marked as pending.
 */
export function useQuote<O extends 'POST /v1/prices' | 'POST /v1/batches/prices'>(
  operation: O,
  body: object,
  enabled: boolean,
) {
  const { keys, mode } = useSession();
  const wanted = JSON.stringify(body);
  const [settled] = useDebouncedValue(wanted, TYPING_MS);
  const { data, error, isPlaceholderData, isPending, isFetching } = useQuery<DataOf<O>, Error>({
    queryKey: ['quote', operation, settled, keys[mode] ?? null],
    queryFn: ({ signal }) => call(operation, { body: JSON.parse(settled) } as never, { signal }),
    // Sends nothing while the form changes.
    enabled: enabled && settled === wanted,
    retry: false,
    placeholderData: keepPreviousData as never,
    staleTime: 60_000,
    refetchInterval: ({ state: { error: last } }) => (mayPass(last) ? ASK_AGAIN_MS : false),
  });
  const isOther = settled !== wanted || isPlaceholderData;
  const refusal = enabled && error instanceof ApiError && !mayPass(error) ? error : null;
  return {
    // An invalid order has no price, and the last one belongs to another order.
    quote: enabled && refusal === null ? data : undefined,
    refusal,
    /** Whether the quote is missing or belongs to an earlier form. */
    pending: enabled && (isOther || isPending || (error !== null && isFetching)),
    /** Whether the service did not answer or failed; the console retries. */
    failed: enabled && data === undefined && mayPass(error),
  };
}

function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
