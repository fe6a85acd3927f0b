import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { Small } from '../../components/words.ts';
import { formatCount } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { type CostFilter, costOrdersAddress, NOTES } from './cost-filter.ts';

export type CostRow = DataOf<'GET /admin/v1/costs'>['items'][number];
export type CostGroup = keyof typeof texts.groups;

const texts = operationsTexts.costs;

/** What each model, account or engine earned and cost. Its orders and each note lead to their list. */
export function CostTable({ rows, group }: { readonly rows: readonly CostRow[]; readonly group: CostGroup }) {
  const ordersOf = (row: CostRow): CostFilter => ({ [group]: row[group] });
  return (
    <DataTable
      label={frameTexts.views.margins}
      rows={rows}
      rowKey={(row) => row[group] ?? ''}
      columns={[
        { head: texts.groups[group], phone: 'title', cell: (row) => row[group] },
        {
          head: texts.heads.orders,
          phone: 'fact',
          numeric: true,
          cell: (row) => <Link href={costOrdersAddress(ordersOf(row))}>{formatCount(row.orders)}</Link>,
        },
        { head: texts.heads.revenue, phone: 'fact', numeric: true, cell: (row) => <Money amount={row.revenue} /> },
        {
          head: texts.heads.expected,
          phone: 'fact',
          numeric: true,
          cell: (row) => (row.without_amount < row.orders ? <Money amount={row.expected} /> : texts.notKnown),
        },
        {
          head: texts.heads.told,
          phone: 'fact',
          numeric: true,
          cell: (row) => (Number(row.told) === 0 ? texts.notTold : <Money amount={row.told} />),
        },
        {
          head: texts.heads.cost,
          phone: 'fact',
          numeric: true,
          cell: (row) => known(row, <Money amount={row.cost} />),
        },
        {
          head: texts.heads.margin,
          phone: 'fact',
          numeric: true,
          cell: (row) => known(row, <Margin amount={row.margin} />),
        },
        { head: texts.heads.notes, phone: 'note', cell: (row) => <Notes row={row} of={ordersOf(row)} /> },
      ]}
    />
  );
}

/** Tells whether the outcome and cost of any order are known. */
export function hasCosts({ orders, without_amount: withoutAmount, unknown }: CostRow): boolean {
  return withoutAmount + unknown < orders;
}

function known(row: CostRow, amount: ReactNode): ReactNode {
  return hasCosts(row) ? amount : texts.notKnown;
}

/** What an operator should look into. */
function Notes({ row, of }: { readonly row: CostRow; readonly of: CostFilter }) {
  const notes = NOTES.filter((note) => row[note] > 0);
  return (
    <Small>
      {notes.map((note, place) => (
        <span key={note}>
          {place > 0 && ', '}
          <Link href={costOrdersAddress({ ...of, note })}>{texts.notes[note](formatCount(row[note]))}</Link>
        </span>
      ))}
    </Small>
  );
}
