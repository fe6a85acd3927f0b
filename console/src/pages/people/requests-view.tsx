import { Group, Select } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useApi, usePages } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { requestColumns } from '../../components/request-columns.tsx';

const STATUSES = [
  { value: 'all', label: 'Any status' },
  { value: 'failed', label: 'All failures' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Service failed (5xx)' },
  { value: '2xx', label: 'Succeeded (2xx)' },
] as const;
type Status = (typeof STATUSES)[number]['value'];

/** The latest requests of keys. They change all the time, so they are read on demand. */
export function RequestsView() {
  const { item: keyId = null } = useParams<{ item?: string }>();
  const [, navigate] = useLocation();
  const [status, setStatus] = useState<Status>('all');
  const keys = useApi('GET /admin/v1/keys', { query: {} });
  const names = new Map(keys.data?.items.map((key) => [key.key_id, key.name]));
  if (keyId !== null && !names.has(keyId)) names.set(keyId, keyId);
  const query = { ...(keyId === null ? {} : { key_id: keyId }), ...(status === 'all' ? {} : { status }) };
  const requests = usePages('GET /admin/v1/requests', { limit: 50, ...query }, (entry) => entry.entry_id);
  return (
    <ListPanel
      pages={requests}
      title="Requests"
      isDense
      hint="What keys sent lately and how it was answered, without contents. By default successful reads are not listed."
      empty="No such request. A request appears here about a second after its answer, and stays for 7 days."
      aside={
        <Group gap="sm">
          <Select
            aria-label="Key"
            placeholder="Every key"
            searchable
            clearable
            w={230}
            value={keyId}
            onChange={(id) => navigate(id === null ? '/people/requests' : `/people/requests/${id}`)}
            data={[...names].toReversed().map(([value, label]) => ({ value, label }))}
          />
          <Select
            aria-label="Status"
            allowDeselect={false}
            w={190}
            value={status}
            onChange={(value) => setStatus(value as Status)}
            data={STATUSES}
          />
          <PlainButton
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={requests.isRefetching}
            onClick={() => void requests.refetch()}
          >
            Refresh
          </PlainButton>
        </Group>
      }
      columns={requestColumns(orderAddress, {
        head: 'Key',
        phone: 'fact',
        cell: ({ key_id: id }) => <span className="free-text">{names.get(id) ?? id}</span>,
      })}
    />
  );
}
