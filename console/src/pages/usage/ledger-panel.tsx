import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import type { LedgerEntry } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoment } from '../../format.ts';
import { usageTexts } from '../../texts/usage.ts';
import type { Scope } from './scope.ts';

const texts = usageTexts.ledger;
const PAGE_SIZE = 15;

/** Every movement of money, newest first. */
export function LedgerPanel({ scope }: { readonly scope: Scope }) {
  const secret = orderingKey(useSession());
  const ledger = useInfiniteQuery({
    queryKey: ['ledger', secret, scope],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /v1/account/ledger',
        { query: { scope, limit: PAGE_SIZE, ...(pageParam === '' ? {} : { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.items.at(-1)?.entry_id : undefined),
  });
  const entries = ledger.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title={texts.title} hint={texts.hint} flush>
      {ledger.error !== null ? (
        <ErrorNote error={ledger.error} onRetry={() => void ledger.refetch()} />
      ) : ledger.data === undefined ? (
        <Skeleton h={200} m="md" w="auto" aria-hidden="true" />
      ) : entries.length === 0 ? (
        <Text p="md" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <Entries entries={entries} />
      )}
      {ledger.hasNextPage && (
        <Group justify="center" p="sm">
          <Button variant="default" loading={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
            {texts.more}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

function Entries({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  return (
    <DataTable
      label={texts.title}
      rows={entries}
      rowKey={(entry) => entry.entry_id}
      columns={[
        {
          head: texts.when,
          phone: 'note',
          cell: (entry) => <span className="figures">{formatMoment(entry.created_at)}</span>,
        },
        { head: texts.kind, phone: 'title', cell: (entry) => texts.kinds[entry.kind] },
        {
          head: texts.task,
          phone: 'note',
          cell: ({ task_id: taskId, note }) =>
            taskId === null ? (
              <span className="free-text">{note}</span>
            ) : (
              <Link href={`/history/${taskId}`}>{taskId}</Link>
            ),
        },
        { head: texts.amount, phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.amount) },
      ]}
    />
  );
}
