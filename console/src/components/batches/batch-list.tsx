import type { BatchView as Batch } from '@darkroom-service/contract/batch';
import { Group, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import { TASK_LISTS } from '../../api/task-lists.ts';
import { formatAgo } from '../../format.ts';
import { batchTexts as texts } from '../../texts/batches.ts';
import { SmallButton } from '../buttons.ts';
import { ErrorNote } from '../error-note.tsx';
import { Hint } from '../words.ts';
import { BatchState, batchTitle, LIGHT_TABLE } from './batch-state.tsx';
import classes from './batches.module.css';

const PAGE_SIZE = 50;
const EVERY_MS = 3_000;

/** The batches of the key, newest first. Each leads to its pictures. */
export function BatchList({
  only,
  none,
  onChoose,
}: {
  /** Leaves the others out. */
  readonly only?: 'light-tables';
  /** Said if there are none. */
  readonly none: string;
  readonly onChoose?: () => void;
}) {
  const secret = orderingKey(useSession());
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [TASK_LISTS, 'batches', secret],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /v1/batches',
        { query: { limit: PAGE_SIZE, ...(pageParam === '' ? {} : { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.items.at(-1)?.batch_id : undefined),
    // Asks only while a batch of the list is under way.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'processing')) === true
        ? EVERY_MS
        : false,
  });
  if (data === undefined && error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={120} radius={14} aria-hidden="true" />;
  const batches = data.pages
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => only === undefined || LIGHT_TABLE in metadata);
  return (
    <>
      {batches.length === 0 && !hasNextPage && <Hint>{none}</Hint>}
      <ul className={classes.list}>
        {batches.map((batch) => (
          <li key={batch.batch_id}>
            <Link href={addressOf(batch)} className={classes.batch ?? ''} onClick={onChoose}>
              <span className="truncate" dir="auto">
                {batchTitle(batch)}
              </span>
              <span className={`${classes.facts} figures`}>
                <BatchState batch={batch} />
                <span>{formatAgo(batch.created_at)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Group justify="center" mt="sm">
          <SmallButton loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.older}
          </SmallButton>
        </Group>
      )}
    </>
  );
}

function addressOf({ batch_id: id, metadata }: Batch): string {
  return LIGHT_TABLE in metadata ? `/light/${id}` : `/batches/${id}`;
}
