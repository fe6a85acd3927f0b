import { Link } from 'wouter';
import { formatMinute } from '../../format.ts';
import { CopyAction } from '../copy-action.tsx';
import type { Column } from '../data-table.tsx';
import classes from '../records.module.css';
import { orderAddress } from './order-name.tsx';

/** Number of characters of an id that a list shows: they tell its millisecond, and the search finds it by them. */
const SHOWN_OF_ID = 14;

type Owned = Readonly<Record<'task_id' | 'account_name' | 'model_id', string>>;

/** Columns of a dense list of orders: account, model, time and id. @param timeOf returns the time that is shown */
export function ownerColumns<Order extends Owned>(timeOf: (order: Order) => string): readonly Column<Order>[] {
  return [
    {
      head: 'Account',
      phone: 'title',
      width: '13%',
      sortBy: ({ account_name: account }) => account,
      cell: ({ task_id: id, account_name: account, model_id: model }) => (
        <Link href={orderAddress(id)} aria-label={`${account}, ${model}, ${id}`} title={account}>
          {account}
        </Link>
      ),
    },
    {
      head: 'Model',
      phone: 'note',
      width: '13%',
      sortBy: ({ model_id: model }) => model,
      cell: ({ model_id: model }) => <span title={model}>{model}</span>,
    },
    {
      head: 'When',
      phone: 'aside',
      width: '12%',
      sortBy: timeOf,
      cell: (order) => <span className="figures">{formatMinute(timeOf(order))}</span>,
    },
    {
      head: 'Order',
      phone: 'note',
      width: '14%',
      cell: ({ task_id: id }) => (
        <>
          <span className={classes.code} title={id}>
            {id.slice(0, SHOWN_OF_ID)}
          </span>{' '}
          <CopyAction value={id} label={`Copy ${id}`} />
        </>
      ),
    },
  ];
}
