import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import { TASK_LISTS } from '../../api/task-lists.ts';
import type { Batch } from '../../api/types.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { batchTexts } from '../../texts/batches.ts';
import { frameTexts } from '../../texts/frame.ts';
import { BatchTable } from './batch-table.tsx';
import { CancelModal } from './cancel-modal.tsx';

const PAGE_SIZE = 20;
const EVERY_MS = 3_000;

/** The page with the batches of the key, newest first. */
export function BatchesPage() {
  const secret = orderingKey(useSession());
  const [asked, setAsked] = useState<Batch | null>(null);
  const batches = useInfiniteQuery({
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
  const rows = batches.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <PageHeader title={frameTexts.pages.batches} lead={batchTexts.lead} />
      {rows === undefined ? (
        batches.error === null ? (
          <Skeleton h={240} radius={14} aria-hidden="true" />
        ) : (
          <ErrorNote error={batches.error} onRetry={() => void batches.refetch()} />
        )
      ) : rows.length === 0 ? (
        <NoBatches />
      ) : (
        <Stack>
          <Panel title={batchTexts.title} flush>
            <BatchTable batches={rows} onCancel={setAsked} />
          </Panel>
          {batches.hasNextPage && (
            <Group justify="center">
              <Button
                variant="default"
                loading={batches.isFetchingNextPage}
                onClick={() => void batches.fetchNextPage()}
              >
                {batchTexts.older}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      <CancelModal
        batch={asked}
        onClose={() => setAsked(null)}
        onCanceled={() => {
          setAsked(null);
          void batches.refetch();
        }}
      />
    </>
  );
}

function NoBatches() {
  const { title, text, action } = batchTexts.empty;
  return (
    <EmptyState
      icon={<IconStack2 size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
      title={title}
      text={text}
      action={
        <Button component={Link} href="/history">
          {action}
        </Button>
      }
    />
  );
}
