import { Button, Group, Progress, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import type { EndUser } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { endUserTexts as texts } from '../../texts/end-users.ts';
import { EndUserModal } from './end-user-modal.tsx';

const PAGE_SIZE = 20;
const NEARLY = 80;
type WindowName = keyof EndUser['windows'];

/** The end users of the key: what each has spent, and its limits. */
export function EndUsersPanel() {
  const secret = orderingKey(useSession());
  const [asked, setAsked] = useState<EndUser | 'new' | null>(null);
  const users = useInfiniteQuery({
    queryKey: ['end-users', secret],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /v1/end_users',
        { query: { limit: PAGE_SIZE, ...(pageParam === '' ? {} : { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.items.at(-1)?.end_user : undefined),
  });
  const rows = users.data?.pages.flatMap(({ items }) => items);
  return (
    <Panel
      title={texts.title}
      hint={texts.hint}
      flush
      aside={
        <Button variant="default" onClick={() => setAsked('new')}>
          {texts.add}
        </Button>
      }
    >
      {users.error !== null ? (
        <ErrorNote error={users.error} onRetry={() => void users.refetch()} />
      ) : rows === undefined ? (
        <Skeleton h={120} m="md" w="auto" aria-hidden="true" />
      ) : rows.length === 0 ? (
        <Text p="md" c="dimmed">
          {texts.empty}
        </Text>
      ) : (
        <DataTable
          label={texts.title}
          rows={rows}
          rowKey={(user) => user.end_user}
          columns={[
            { head: texts.heads.name, phone: 'title', cell: (user) => <span dir="auto">{user.end_user}</span> },
            ...(['day', 'month', 'total'] as const).map((window) => ({
              head: texts.heads[window],
              cell: (user: EndUser) => <Spent user={user} window={window} />,
            })),
            {
              head: texts.heads.actions,
              actions: true,
              cell: (user) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.changeOf(user.end_user)}
                  onClick={() => setAsked(user)}
                >
                  {texts.change}
                </Button>
              ),
            },
          ]}
        />
      )}
      {users.hasNextPage && (
        <Group justify="center" p="sm">
          <Button variant="default" loading={users.isFetchingNextPage} onClick={() => void users.fetchNextPage()}>
            {texts.more}
          </Button>
        </Group>
      )}
      <EndUserModal
        asked={asked}
        onClose={() => setAsked(null)}
        onChanged={() => {
          setAsked(null);
          void users.refetch();
        }}
      />
    </Panel>
  );
}

function Spent({ user, window }: { readonly user: EndUser; readonly window: WindowName }) {
  const { limit, charged, held } = user.windows[window];
  const spent = formatMoney(charged);
  const used = Number(charged) + Number(held);
  const percent = limit === null ? 0 : Number(limit) === 0 ? 100 : Math.min(100, (used / Number(limit)) * 100);
  return (
    <div style={{ minWidth: 120 }}>
      <span className="figures">{limit === null ? spent : texts.of(spent, formatMoney(limit))}</span>
      {limit !== null && (
        <Progress
          size={5}
          mt={4}
          value={percent}
          color={percent >= NEARLY ? 'red' : 'safelight'}
          aria-label={`${user.end_user}, ${texts.heads[window]}`}
        />
      )}
      {limit !== null && user.limits[window] === undefined && (
        <Text size="xs" c="dimmed">
          {texts.byKey}
        </Text>
      )}
      {Number(held) > 0 && (
        <Text size="xs" c="dimmed">
          {texts.held(formatMoney(held))}
        </Text>
      )}
    </div>
  );
}
