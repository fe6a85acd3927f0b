import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { DataOf } from '../../../api/operations.ts';
import { orderingKey, type Session, sessionStore, useSession } from '../../../api/session.ts';
import { queryClient } from '../../../api/use-api.ts';

const TYPING_MS = 250;
const ASK_AGAIN_MS = 3_000;
const FRESH_MS = 60_000;

type Pricing = 'POST /v1/prices' | 'POST /v1/batches/prices';

/**
 * Quotes an order, or the orders of a batch: the price and the errors. Repeats while the form changes; the last price
 * stays meanwhile, marked as pending.
 */
export function useQuote<O extends Pricing>(operation: O, body: object, enabled: boolean) {
  const wanted = JSON.stringify(body);
  const [settled] = useDebouncedValue(wanted, TYPING_MS);
  const { data, error, isPlaceholderData, isPending, isFetching } = useQuery<DataOf<O>, Error>({
    queryKey: quoteKey(operation, settled, useSession()),
    queryFn: ({ signal }) => call(operation, { body: JSON.parse(settled) } as never, { signal }),
    // Sends nothing while the form changes.
    enabled: enabled && settled === wanted,
    retry: false,
    placeholderData: keepPreviousData as never,
    staleTime: FRESH_MS,
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

/** Returns the price of an order, or of the orders of a batch, at once: as last read, if that is fresh. */
export async function readQuote(operation: Pricing, body: object): Promise<string> {
  const quote = await queryClient.fetchQuery({
    queryKey: quoteKey(operation, JSON.stringify(body), sessionStore.get()),
    queryFn: () => call(operation, { body } as never),
    staleTime: FRESH_MS,
    retry: false,
  });
  return (quote as { readonly amount: string }).amount;
}

function quoteKey(operation: Pricing, body: string, session: Session): readonly unknown[] {
  return ['quote', operation, body, orderingKey(session)];
}

function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
