import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Values } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import type { Quote } from '../../api/types.ts';

const TYPING_MS = 250;

/** What the order would cost, and what the service finds wrong with it. Asked again as it is typed; the last price stays meanwhile. */
export function useQuote(
  body: Values,
  enabled: boolean,
): { readonly quote: Quote | undefined; readonly refusal: ApiError | null; readonly pending: boolean } {
  const { keys, mode } = useSession();
  const [settled] = useDebouncedValue(JSON.stringify(body), TYPING_MS);
  const { data, error, isPlaceholderData, isPending } = useQuery<Quote, Error>({
    queryKey: ['quote', settled, keys[mode] ?? null],
    queryFn: ({ signal }) => call('POST /v1/prices', { body: JSON.parse(settled) }, { signal }),
    enabled,
    retry: false,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const refusal = error instanceof ApiError && error.code !== 'unreachable' ? error : null;
  return {
    // What cannot be ordered has no price: the last one was that of something else.
    quote: enabled ? data : undefined,
    refusal,
    pending: enabled && (isPending || isPlaceholderData || settled !== JSON.stringify(body)),
  };
}
