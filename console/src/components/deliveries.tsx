import { Link } from 'wouter';
import type { DataOf } from '../api/operations.ts';
import { formatMany, formatMoment } from '../format.ts';
import type { Column } from './data-table.tsx';
import classes from './deliveries.module.css';
import type { RowDeed } from './list-panel.tsx';
import { Mark } from './status-mark.tsx';
import { Moment, Told } from './two-lines.tsx';

type Delivery = DataOf<'GET /v1/account/webhooks/deliveries'>['items'][number];

export const DELIVERY_STATUSES = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
export const SEND_AGAIN = 'Send again';
const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

/**
 * The columns of a list of webhook deliveries with their attempts.
 * @param orderAddress returns the page of a delivery's order
 */
export function deliveryColumns(orderAddress: (taskId: string) => string): readonly Column<Delivery>[] {
  return [
    { head: 'When', phone: 'note', cell: (one) => <Moment at={one.created_at} /> },
    {
      head: 'Event',
      phone: 'title',
      cell: (one) => (one.task_id === null ? one.type : <Link href={orderAddress(one.task_id)}>{one.type}</Link>),
    },
    { head: 'To', phone: 'note', cell: (one) => <span className={classes.address}>{one.url}</span> },
    {
      head: 'Status',
      phone: 'aside',
      cell: (one) => <Mark tone={TONES[one.status]}>{DELIVERY_STATUSES[one.status]}</Mark>,
    },
    { head: 'Attempts', phone: 'note', cell: (one) => <Attempts delivery={one} /> },
  ];
}

/** The deed of a list of webhook deliveries that sends one again, once it is no longer being sent. */
export function sendingAgain(act: (deliveryId: string) => Promise<unknown>): RowDeed<Delivery> {
  return {
    word: SEND_AGAIN,
    name: ({ type, url }) => `${SEND_AGAIN}: ${type} to ${url}`,
    isOffered: ({ status }) => status !== 'pending',
    act: ({ delivery_id: id }) => act(id),
    failed: 'It was not sent again',
  };
}

function Attempts({ delivery: { attempts, next_attempt_at: next } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : (last.error ?? String(last.response_status ?? ''));
  return (
    <Told more={answer}>
      {formatMany(attempts.length, 'attempt')}
      {next !== null && `, next ${formatMoment(next)}`}
    </Told>
  );
}
