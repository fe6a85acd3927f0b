import { Link } from 'wouter';
import type { DataOf } from '../api/operations.ts';
import { formatCount } from '../format.ts';
import type { Column } from './data-table.tsx';
import classes from './records.module.css';
import { Mark } from './status-mark.tsx';
import { Moment } from './words.tsx';

type Entry = DataOf<'GET /v1/requests'>['items'][number];

/**
 * Returns the columns of a list of requests: time, request and answer.
 * @param orderAddress returns the page of the order that a request placed or named, if it has one here
 * @param more further columns
 */
export function requestColumns<E extends Entry>(
  orderAddress?: (taskId: string) => string,
  ...more: readonly Column<E>[]
): readonly Column<E>[] {
  const orderOf = (id: string) => {
    const text = <span className={classes.code}>{id}</span>;
    return orderAddress === undefined ? text : <Link href={orderAddress(id)}>{text}</Link>;
  };
  return [
    {
      head: 'When',
      phone: 'note',
      width: '14%',
      sortBy: ({ answered_at: at }) => at,
      cell: ({ answered_at: at }) => <Moment at={at} />,
    },
    {
      head: 'Request',
      phone: 'title',
      cell: ({ method, path, task_id: id }) => (
        <>
          <span className={classes.code} title={path}>
            {method} {path}
          </span>{' '}
          {id !== null && orderOf(id)}
        </>
      ),
    },
    {
      head: 'Status',
      phone: 'aside',
      width: '20%',
      sortBy: ({ status }) => status ?? 0,
      cell: ({ status, code }) =>
        status === null ? (
          <Mark tone="quiet">Caller left</Mark>
        ) : (
          <span title={code ?? undefined}>
            <Mark tone={status >= 400 ? 'bad' : 'good'}>{code === null ? String(status) : `${status} ${code}`}</Mark>
          </span>
        ),
    },
    {
      head: 'Took',
      numeric: true,
      width: '8%',
      sortBy: ({ duration_ms: took }) => took,
      cell: ({ duration_ms: took }) => `${formatCount(took)} ms`,
    },
    ...more,
    { head: 'Request id', phone: 'note', cell: ({ request_id: id }) => <span className={classes.code}>{id}</span> },
  ];
}
