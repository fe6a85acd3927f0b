import type { TaskView as Task } from '@darkroom-service/contract';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { orderingKey, useSession } from '../../../api/session.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { MOST_SHARED, ONLY_NEWEST, ShareLinks } from '../../../components/share-dialog.tsx';
import { Hint } from '../../../components/words.tsx';
import type { HistoryFilter } from './history-filter.ts';
import { FIRST, fetchHistory } from './use-history.ts';

/** Shares the results of the filtered history; only the newest ones if they are too many. */
export function ShareList({ filter }: { readonly filter: HistoryFilter }) {
  const secret = orderingKey(useSession());
  const { data, error, refetch } = useQuery({
    queryKey: ['results to share', secret, filter],
    queryFn: ({ signal }) => fetchResults(filter, signal),
    // The list stays the same until the dialog is opened again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null)
    return <ErrorNote title="Could not read the results" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Hint role="status">Looking for results …</Hint>;
  if (data.length === 0) return <Text size="sm">None of these orders has a result to share.</Text>;
  return (
    <Stack>
      {data.length > MOST_SHARED && <Text size="sm">{ONLY_NEWEST}</Text>}
      <ShareLinks tasks={data.slice(0, MOST_SHARED)} />
    </Stack>
  );
}

/** Reads one result more than a link shows, to tell whether there are more. */
async function fetchResults(filter: HistoryFilter, signal: AbortSignal): Promise<readonly Task[]> {
  const found: Task[] = [];
  let cursor: typeof FIRST | null = FIRST;
  while (cursor !== null && found.length <= MOST_SHARED) {
    const page = await fetchHistory(filter, cursor, signal);
    found.push(...page.items.filter(({ status, outputs }) => status === 'succeeded' && outputs.length > 0));
    cursor = page.next;
  }
  return found;
}
