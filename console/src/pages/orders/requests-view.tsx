import { Group, Select } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { requestTexts } from '../../texts/requests.ts';
import { RequestTable } from './request-table.tsx';

type Status = keyof typeof requestTexts.statuses;

const PAGE_SIZE = 50;

/** What keys sent lately. It changes all the time, so it is read on demand. */
export function RequestsView() {
  const { item: keyId = null } = useParams<{ item?: string }>();
  const [, navigate] = useLocation();
  const [status, setStatus] = useState<Status>('all');
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const names = new Map(keys.data?.items.map((key) => [key.key_id, key.name]));
  if (keyId !== null && !names.has(keyId)) names.set(keyId, keyId);
  return (
    <RequestsOf
      title={frameTexts.views.requests}
      hint="What keys sent lately and how it was answered, without contents. By default successful reads are not listed."
      empty="No such request. A request appears here about a second after its answer, and stays for 7 days."
      query={{ ...(keyId === null ? {} : { key_id: keyId }), ...(status === 'all' ? {} : { status }) }}
      aside={
        <>
          <Select
            aria-label="Key"
            placeholder="Every key"
            searchable
            clearable
            w={230}
            value={keyId}
            onChange={(id) => navigate(id === null ? '/orders/requests' : `/orders/requests/${id}`)}
            data={[...names].toReversed().map(([value, name]) => ({ value, label: name }))}
          />
          <Select
            aria-label="Status"
            allowDeselect={false}
            w={190}
            value={status}
            onChange={(value) => setStatus(value as Status)}
            data={Object.entries(requestTexts.statuses).map(([value, label]) => ({ value, label }))}
          />
        </>
      }
    />
  );
}

/** Some requests of keys. */
function RequestsOf({
  query,
  aside,
  ...panel
}: {
  readonly query: { readonly key_id?: string; readonly task_id?: string; readonly status?: Exclude<Status, 'all'> };
  readonly title: string;
  readonly empty: string;
  readonly hint?: string;
  readonly aside?: ReactNode;
}) {
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const requests = usePages('GET /admin/v1/requests', { limit: PAGE_SIZE, ...query }, (entry) => entry.entry_id);
  return (
    <ListPanel
      pages={requests}
      {...panel}
      aside={
        <Group gap="sm">
          {aside}
          <PlainButton
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={requests.isRefetching}
            onClick={() => void requests.refetch()}
          >
            Refresh
          </PlainButton>
        </Group>
      }
    >
      {(items) => (
        <RequestTable requests={items} names={new Map(keys.data?.items.map((key) => [key.key_id, key.name]))} />
      )}
    </ListPanel>
  );
}
