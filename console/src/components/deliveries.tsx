import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { perform } from '../api/deeds.ts';
import { useMay } from '../api/may.ts';
import type { DataOf } from '../api/operations.ts';
import { usePages } from '../api/use-api.ts';
import { formatMany, formatMoment } from '../format.ts';
import classes from './deliveries.module.css';
import { ListPanel } from './list-panel.tsx';
import { orderAddress } from './orders/order-name.tsx';
import { Mark } from './status-mark.tsx';
import { Moment } from './words.tsx';

type Delivery = DataOf<'GET /v1/account/webhooks/deliveries'>['items'][number];

export const DELIVERY_STATUSES = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const SEND_AGAIN = 'Send again';
const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;
const PENDING_EVERY_MS = 10_000;

/** Operations on deliveries: of all accounts, for operators, or of the account or the key. */
const SOURCES = {
  service: {
    list: 'GET /admin/v1/webhooks/deliveries',
    redeliver: 'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver',
    orderAddress,
  },
  account: {
    list: 'GET /v1/account/webhooks/deliveries',
    redeliver: 'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver',
    orderAddress: (taskId: string) => `/history/${taskId}`,
  },
} as const;

/** A list of webhook deliveries with their attempts. A delivery that has ended can be sent again. */
export function Deliveries({
  of,
  query,
  enabled = true,
  ...panel
}: {
  readonly of: keyof typeof SOURCES;
  readonly query: Readonly<{
    limit: number;
    task_id?: string;
    status?: keyof typeof DELIVERY_STATUSES;
    scope?: 'key' | 'account';
  }>;
  readonly enabled?: boolean;
  readonly title: string;
  readonly empty: string;
  readonly hint?: string;
  readonly aside?: ReactNode;
}) {
  const may = useMay();
  const source = SOURCES[of];
  const deliveries = usePages(source.list, query, ({ delivery_id: id }) => id, {
    // Operators get change events instead.
    every: (items) => (of === 'account' && items.some(({ status }) => status === 'pending') ? PENDING_EVERY_MS : false),
    enabled,
  });
  return (
    <ListPanel
      pages={deliveries}
      {...panel}
      isDense
      columns={[
        {
          head: 'When',
          phone: 'note',
          width: '13%',
          sortBy: (one) => one.created_at,
          cell: (one) => <Moment at={one.created_at} />,
        },
        {
          head: 'Event',
          phone: 'title',
          width: '14%',
          sortBy: ({ type }) => type,
          cell: ({ type, task_id: taskId }) =>
            taskId === null ? type : <Link href={source.orderAddress(taskId)}>{type}</Link>,
        },
        { head: 'To', phone: 'note', cell: (one) => <span className={classes.address}>{one.url}</span> },
        {
          head: 'Status',
          phone: 'aside',
          width: '10%',
          sortBy: ({ status }) => status,
          cell: (one) => <Mark tone={TONES[one.status]}>{DELIVERY_STATUSES[one.status]}</Mark>,
        },
        { head: 'Attempts', phone: 'note', cell: (one) => <Attempts delivery={one} /> },
      ]}
      deeds={[
        may(source.redeliver) && {
          word: SEND_AGAIN,
          name: ({ type, url }) => `${SEND_AGAIN}: ${type} to ${url}`,
          isOffered: ({ status }) => status !== 'pending',
          act: ({ delivery_id }) => perform(source.redeliver, { path: { delivery_id } }, SEND_AGAIN),
          failed: 'It was not sent again',
        },
      ]}
    />
  );
}

function Attempts({ delivery: { attempts, next_attempt_at: next } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : (last.error ?? String(last.response_status ?? ''));
  return (
    <span title={answer}>
      {formatMany(attempts.length, 'attempt')}
      {next !== null && `, next ${formatMoment(next)}`}
      {answer !== '' && `: ${answer}`}
    </span>
  );
}
