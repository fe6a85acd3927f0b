import { Button, Group, Select, Skeleton } from '@mantine/core';
import { IconArrowsExchange, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { call } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { requestTexts } from '../../texts/requests.ts';
import { MoreButton } from './more-button.tsx';
import { RequestTable } from './request-table.tsx';
import { useAdminPages } from './use-admin-pages.ts';

type Status = keyof typeof requestTexts.statuses;

const PAGE_SIZE = 50;

/** Returns the page with the requests of a key. */
export function requestsAddress(keyId: string): string {
  return `/operations/requests/${keyId}`;
}

/** What keys sent lately. It changes all the time, so it is read on demand. */
export function RequestsView() {
  const { item: keyId = null } = useParams<{ item?: string }>();
  const [, navigate] = useLocation();
  const [status, setStatus] = useState<Status>('all');
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const requests = useAdminPages(
    ['GET /admin/v1/requests', keyId, status],
    (after, signal) => {
      const narrowed = {
        ...(keyId === null ? {} : { key_id: keyId }),
        ...(status === 'all' ? {} : { status }),
        ...(after === undefined ? {} : { after }),
      };
      return call('GET /admin/v1/requests', { query: { limit: PAGE_SIZE, ...narrowed } }, { signal });
    },
    (entry) => entry.entry_id,
  );
  const names = new Map(keys.data?.items.map((key) => [key.key_id, key.name]));
  if (keyId !== null && !names.has(keyId)) names.set(keyId, keyId);
  return (
    <Panel
      title={operationsTexts.views.requests}
      hint={requestTexts.hint}
      flush
      aside={
        <Group gap="sm">
          <Select
            aria-label={requestTexts.key}
            placeholder={requestTexts.anyKey}
            searchable
            clearable
            w={230}
            value={keyId}
            onChange={(id) => navigate(id === null ? '/operations/requests' : requestsAddress(id))}
            data={[...names].toReversed().map(([value, name]) => ({ value, label: name }))}
          />
          <Select
            aria-label={requestTexts.status}
            allowDeselect={false}
            w={190}
            value={status}
            onChange={(value) => setStatus(value as Status)}
            data={Object.entries(requestTexts.statuses).map(([value, label]) => ({ value, label }))}
          />
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={requests.isRefetching}
            onClick={() => void requests.refetch()}
          >
            {requestTexts.refresh}
          </Button>
        </Group>
      }
    >
      {requests.error !== null ? (
        <ErrorNote error={requests.error} onRetry={() => void requests.refetch()} />
      ) : requests.items === undefined ? (
        <Skeleton h={320} m="md" w="auto" aria-hidden="true" />
      ) : requests.items.length === 0 ? (
        <EmptyState
          icon={<IconArrowsExchange size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
          title={requestTexts.empty}
          text={requestTexts.emptyText}
        />
      ) : (
        <RequestTable requests={requests.items} names={names} />
      )}
      <MoreButton pages={requests} />
    </Panel>
  );
}
