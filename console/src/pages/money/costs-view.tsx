import { Skeleton, Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Segments } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import {
  type CostFilter,
  costOrdersAddress,
  GROUPS,
  NOT_KNOWN,
  NOTE_NAMES,
  NOTES,
} from '../../components/orders/cost-filter.ts';
import { Figure, Figures } from '../../components/panel.tsx';
import { Hint, Small } from '../../components/words.tsx';
import { formatCount, formatMoney, formatShare, toCents } from '../../format.ts';
import { Losses } from './losses.tsx';
import { RouteMargins } from './route-margins.tsx';

const EMPTY = 'No live order with a cost yet';

/** Revenue and cost of live orders in the last 30 days, in total and by model, account or engine. */
export function CostsView() {
  const total = useApi('GET /admin/v1/costs', {});
  return (
    <Stack>
      <AsSeen of={total} placeholder={<Skeleton h={320} radius={14} aria-hidden="true" />}>
        {({ items: [sum] }) =>
          sum === undefined ? (
            <EmptyState
              icon={IconCoins}
              title={EMPTY}
              text="Live orders of the last 30 days are listed here if their upstream told what they cost, or if the catalog states it."
            />
          ) : (
            <Costs sum={sum} />
          )
        }
      </AsSeen>
      {total.data !== undefined && <RouteMargins />}
    </Stack>
  );
}

function Costs({ sum }: { readonly sum: CostRow }) {
  const [group, setGroup] = useState<CostGroup>('model_id');
  const costs = useApi('GET /admin/v1/costs', { query: { group_by: group } });
  return (
    <>
      <Sums row={sum} />
      <Losses />
      {sum.without_amount > 0 && (
        <Text size="sm">
          <Link href={costOrdersAddress({ note: 'without_amount' })}>
            {`Cost unknown for orders: ${formatCount(sum.without_amount)}.`}
          </Link>{' '}
          {`They earned ${formatMoney(toCents(sum.revenue_without_amount))}, which the margin leaves out. State their cost in the catalog.`}
        </Text>
      )}
      {sum.unknown > 0 && (
        <Text size="sm">
          <Link
            href={costOrdersAddress({ note: 'unknown' })}
          >{`Outcome unknown for orders: ${formatCount(sum.unknown)}.`}</Link>{' '}
          {`If their upstreams made them, they cost ${formatMoney(toCents(sum.unknown_cost))}, which the cost and the margin leave out.`}
        </Text>
      )}
      <ListPanel
        pages={singlePage(costs, (row) => row[group] ?? '')}
        title="Revenue and costs"
        hint="Live orders of the last 30 days, in US dollars. The cost is what the upstream reported, else what its price list says."
        empty={EMPTY}
        aside={<Segments label="Grouped by" words={GROUPS} value={group} onChange={setGroup} />}
      >
        {(rows) => (
          <>
            <CostTable rows={rows} group={group} />
            {costs.data?.has_more === true && (
              <Hint p="md">{`The first ${formatCount(rows.length)} only. GET /admin/v1/costs has all of them.`}</Hint>
            )}
          </>
        )}
      </ListPanel>
    </>
  );
}

/** The totals; each links to its list. */
function Sums({ row }: { readonly row: CostRow }) {
  // Orders of unknown cost have no margin, so their revenue does not count.
  const revenue = Number(row.revenue) - Number(row.revenue_without_amount);
  const leading = (value: ReactNode) => <Link href={costOrdersAddress()}>{value}</Link>;
  return (
    <Figures>
      <Figure label="Orders" value={leading(formatCount(row.orders))} />
      <Figure label="Revenue" value={leading(formatMoney(toCents(row.revenue)))} />
      <Figure label="Cost" value={leading(hasCosts(row) ? formatMoney(toCents(row.cost)) : NOT_KNOWN)} />
      <Figure
        label="Margin"
        value={leading(hasCosts(row) ? <Margin amount={toCents(row.margin)} /> : NOT_KNOWN)}
        hint={
          revenue > 0
            ? `${formatShare(Number(row.margin) / revenue)} of the revenue of orders with a known cost`
            : undefined
        }
      />
    </Figures>
  );
}

type CostRow = DataOf<'GET /admin/v1/costs'>['items'][number];
type CostGroup = keyof typeof GROUPS;

/** Revenue and cost by model, account or engine. The orders and each note link to their list. */
function CostTable({ rows, group }: { readonly rows: readonly CostRow[]; readonly group: CostGroup }) {
  const ordersOf = (row: CostRow): CostFilter => ({ [group]: row[group] });
  return (
    <DataTable
      label="Revenue and costs"
      rows={rows}
      rowKey={(row) => row[group] ?? ''}
      columns={[
        { head: GROUPS[group], phone: 'title', cell: (row) => row[group] },
        {
          head: 'Orders',
          numeric: true,
          cell: (row) => <Link href={costOrdersAddress(ordersOf(row))}>{formatCount(row.orders)}</Link>,
        },
        { head: 'Revenue', numeric: true, cell: (row) => <Money amount={row.revenue} /> },
        {
          head: 'Expected cost',
          numeric: true,
          cell: (row) => (row.without_amount < row.orders ? <Money amount={row.expected} /> : NOT_KNOWN),
        },
        {
          head: 'Reported cost',
          numeric: true,
          cell: (row) => (Number(row.told) === 0 ? 'none' : <Money amount={row.told} />),
        },
        { head: 'Cost', numeric: true, cell: (row) => known(row, <Money amount={row.cost} />) },
        { head: 'Margin', numeric: true, cell: (row) => known(row, <Margin amount={row.margin} />) },
        { head: 'Notes', phone: 'note', cell: (row) => <Notes row={row} of={ordersOf(row)} /> },
      ]}
    />
  );
}

/** Tells whether the outcome and cost of at least one order are known. */
function hasCosts({ orders, without_amount: withoutAmount, unknown }: CostRow): boolean {
  return withoutAmount + unknown < orders;
}

function known(row: CostRow, amount: ReactNode): ReactNode {
  return hasCosts(row) ? amount : NOT_KNOWN;
}

/** Notes about orders that an operator should check. */
function Notes({ row, of }: { readonly row: CostRow; readonly of: CostFilter }) {
  const notes = NOTE_NAMES.filter((note) => row[note] > 0);
  return (
    <Small>
      {notes.map((note, place) => (
        <span key={note}>
          {place > 0 && ', '}
          <Link href={costOrdersAddress({ ...of, note })}>{NOTES[note].told(formatCount(row[note]))}</Link>
        </span>
      ))}
    </Small>
  );
}
