import type { TaskView as Task } from '@darkroom-service/contract';
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { usePages } from '../../api/use-api.ts';
import { formatMoney, formatSeconds, inReadersForm } from '../../format.ts';
import type { Column } from '../data-table.tsx';
import { ListPanel } from '../list-panel.tsx';
import { StatusMark } from '../status-mark.tsx';
import { Moment, Told } from '../words.tsx';
import { DeedsForAll } from './deeds-for-all.tsx';
import { OrderDeeds } from './order-deeds.tsx';
import { type OrderFilter, queryOf } from './order-filter.ts';
import { engineOf, OrderName } from './order-name.tsx';
import { ownerColumns } from './owner-columns.tsx';
import { searchWords } from './search-words.ts';
import { UNKNOWN_KINDS, Unresolved, UnresolvedDeeds } from './unresolved.tsx';

type Order = DataOf<'GET /admin/v1/tasks'>['items'][number];

const STATES = {
  all: {
    title: 'Orders',
    hint: 'Of all keys, the newest first. Only the key that ordered sees prompts and results.',
    empty: 'No order yet.',
    noneFound: 'No order matches.',
  },
  open: {
    title: 'Open orders',
    hint: 'Of all keys, the oldest first, each with the reason why it is not done.',
    empty: 'No order is waiting or in progress.',
    noneFound: 'No open order matches.',
  },
  failed: {
    title: 'Failed orders',
    hint: 'The newest first, with the reason as the engine gave it. None of them was charged.',
    empty: 'No order has failed.',
    noneFound: 'No failed order matches.',
  },
  unknown: {
    title: 'Unknown outcomes',
    hint: 'The newest first. Compare each with the bill of the upstream.',
    empty: 'No order has an unknown outcome.',
    noneFound: 'No order of unknown outcome matches.',
  },
};
/** Polling interval in milliseconds: the sentences contain ages. */
const READ_EVERY_MS = 10_000;

/** Orders of all keys, each with its facts and deeds. */
export function OrderList({
  filter,
  aside,
  onResolve,
}: {
  readonly filter: OrderFilter;
  readonly aside?: ReactNode;
  readonly onResolve: (ids: readonly string[]) => void;
}) {
  const { state, search, withTest } = filter;
  const orders = usePages('GET /admin/v1/tasks', { state, limit: 50, ...queryOf(filter) }, (order) => order.task_id, {
    every: (items) => (state === 'open' || items.some(({ standing }) => standing !== null) ? READ_EVERY_MS : false),
  });
  const { title, hint, empty, noneFound } = STATES[state];
  return (
    <ListPanel
      pages={orders}
      title={title}
      {...searchWords(orders.data?.pages, search.trim(), hint)}
      empty={`${search === '' ? empty : noneFound}${withTest ? '' : ' Test orders are left out.'}`}
      aside={aside}
      deedsForAll={
        state === 'open' && (
          <Box px="md" pb="sm">
            <DeedsForAll filter={filter} isOffered={(orders.items?.length ?? 0) > 1} />
          </Box>
        )
      }
      isDense={state === 'all' || state === 'failed'}
      columns={state === 'all' || state === 'failed' ? DENSE : columnsWithDeeds(onResolve)}
    />
  );
}

/** Columns of orders that an operator looks up: one line an order. */
const DENSE: readonly Column<Order>[] = [
  { head: 'State', phone: 'note', sortBy: ({ status }) => status, cell: (order) => <State order={order} /> },
  {
    head: 'Customer',
    phone: 'note',
    width: '11%',
    sortBy: ({ end_user: customer }) => customer ?? '',
    cell: ({ end_user: customer }) => customer !== null && <span title={customer}>{customer}</span>,
  },
  ...ownerColumns<Order>(({ created_at: at }) => at),
  {
    head: 'Price',
    numeric: true,
    phone: 'note',
    width: '8%',
    sortBy: ({ price }) => Number(price),
    cell: ({ price }) => formatMoney(price),
  },
];

/** Columns of orders with which an operator has something to do. */
function columnsWithDeeds(onResolve: (ids: readonly string[]) => void): readonly Column<Order>[] {
  return [
    { head: 'Whose', phone: 'title', cell: (order) => <OrderName order={order} /> },
    { head: 'State', phone: 'note', cell: (order) => <Standing order={order} /> },
    { head: 'When', phone: 'aside', cell: (order) => <When order={order} /> },
    { head: 'Price', numeric: true, cell: (order) => formatMoney(order.price) },
    {
      head: 'Actions',
      actions: true,
      cell: (order) => (
        <Group gap="xs" justify="flex-end">
          <OrderDeeds order={order} />
          <UnresolvedDeeds order={order} onResolve={onResolve} />
        </Group>
      ),
    },
  ];
}

/** The state of an order in one line: why it waits or failed, or what is to be compared with a bill. */
function State({ order }: { readonly order: Order }) {
  const { standing, status, unresolved } = order;
  const error = order.error as { readonly code: string; readonly message: string } | null;
  const [entry] = unresolved;
  const words =
    standing !== null
      ? inReadersForm(standing.sentence)
      : (error?.message ?? (entry === undefined ? '' : `${UNKNOWN_KINDS[entry.kind]} at ${engineOf(order)}`));
  return (
    <span title={words}>
      <StatusMark status={status as Task['status']} />{' '}
      <Text span size="xs" c="dimmed">
        {error !== null && <code>{error.code}</code>} {words}
      </Text>
    </span>
  );
}

/** The reason why an open order is delayed or a failed one failed, or the outcome; and entries to check with a bill. */
function Standing({ order }: { readonly order: Order }) {
  const { standing, status, unresolved } = order;
  const error = order.error as { readonly code: string; readonly message: string } | null;
  return (
    <div>
      {standing !== null ? (
        <Told>{inReadersForm(standing.sentence)}</Told>
      ) : error !== null ? (
        <Told more={<code>{error.code}</code>}>{inReadersForm(error.message)}</Told>
      ) : (
        <StatusMark status={status as Task['status']} />
      )}
      {unresolved.length > 0 && <Unresolved order={order} />}
    </div>
  );
}

/** The waiting time of an open order, otherwise the time at which it was placed. */
function When({ order: { standing, created_at: at } }: { readonly order: Order }) {
  if (standing === null) return <Moment at={at} />;
  return <span className="figures">{`${formatSeconds((Date.now() - Date.parse(at)) / 1000)} ago`}</span>;
}
