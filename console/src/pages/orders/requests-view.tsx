import { Group, Select, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton } from '../../components/buttons.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Moment } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { requestTexts } from '../../texts/requests.ts';

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

type Entry = DataOf<'GET /admin/v1/requests'>['items'][number];

/** Requests and how they were answered. @param names of keys, by id */
function RequestTable({
  requests,
  names,
}: {
  readonly requests: readonly Entry[];
  readonly names: ReadonlyMap<string, string>;
}) {
  return (
    <DataTable
      label={frameTexts.views.requests}
      rows={requests}
      rowKey={(entry) => entry.entry_id}
      columns={[
        { head: requestTexts.heads.when, phone: 'note', cell: (entry) => <Moment at={entry.answered_at} /> },
        { head: requestTexts.heads.request, phone: 'title', cell: (entry) => <Sent entry={entry} /> },
        { head: requestTexts.heads.status, phone: 'aside', cell: (entry) => <Answer entry={entry} /> },
        {
          head: requestTexts.heads.took,
          phone: 'fact',
          numeric: true,
          cell: (entry) => <span className="figures">{formatCount(entry.duration_ms)} ms</span>,
        },
        {
          head: 'Key',
          phone: 'fact',
          cell: (entry) => <span className="free-text">{names.get(entry.key_id) ?? entry.key_id}</span>,
        },
        {
          head: requestTexts.heads.id,
          phone: 'note',
          cell: (entry) => <span className={classes.code}>{entry.request_id}</span>,
        },
      ]}
    />
  );
}

function Sent({ entry: { method, path, task_id: taskId } }: { readonly entry: Entry }) {
  return (
    <div>
      <span className={classes.code}>
        {method} {path}
      </span>
      {taskId !== null && (
        <Text size="xs">
          <Link href={orderAddress(taskId)}>
            <span className={classes.code}>{taskId}</span>
          </Link>
        </Text>
      )}
    </div>
  );
}

function Answer({ entry: { status, code } }: { readonly entry: Entry }) {
  if (status === null) return <Mark tone="quiet">{requestTexts.left}</Mark>;
  return (
    <div>
      <Mark tone={status >= 400 ? 'bad' : 'good'}>{String(status)}</Mark>
      {code !== null && (
        <Text size="xs" className={classes.code ?? ''}>
          {code}
        </Text>
      )}
    </div>
  );
}
