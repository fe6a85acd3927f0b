import type { QuoteView as Quote } from '@darkroom-service/contract/task';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Values } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';

const TYPING_MS = 250;
const ASK_AGAIN_MS = 3_000;

/** Quotes the order: its price and its errors. Repeated while the user types; the last price stays meanwhile. */
export function useQuote(
  body: Values,
  enabled: boolean,
): {
  readonly quote: Quote | undefined;
  readonly refusal: ApiError | null;
  /** Whether the quote is missing or outdated. */
  readonly pending: boolean;
  /** Whether the service did not answer or failed; the console retries. */
  readonly failed: boolean;
} {
  const { keys, mode } = useSession();
  const [settled] = useDebouncedValue(JSON.stringify(body), TYPING_MS);
  const { data, error, isPlaceholderData, isPending } = useQuery<Quote, Error>({
    queryKey: ['quote', settled, keys[mode] ?? null],
    queryFn: ({ signal }) => call('POST /v1/prices', { body: JSON.parse(settled) }, { signal }),
    enabled,
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state: { error: last } }) => (mayPass(last) ? ASK_AGAIN_MS : false),
  });
  const failed = enabled && data === undefined && mayPass(error);
  const refusal = error instanceof ApiError && !mayPass(error) ? error : null;
  return {
    // An invalid order has no price, and the last one belongs to another order.
    quote: enabled ? data : undefined,
    refusal,
    pending: enabled && (isPending || isPlaceholderData || settled !== JSON.stringify(body)),
    failed,
  };
}

function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
