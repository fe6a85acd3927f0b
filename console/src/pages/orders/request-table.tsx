import { Text } from '@mantine/core';
import { Link } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Moment } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { requestTexts } from '../../texts/requests.ts';

type Entry = DataOf<'GET /admin/v1/requests'>['items'][number];

/** Requests and how they were answered. @param names of keys, by id */
export function RequestTable({
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
