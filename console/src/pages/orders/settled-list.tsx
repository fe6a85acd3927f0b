import { Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { DataOf } from '../../api/operations.ts';
import { usePages } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import {
  costOrdersAddress,
  GROUPS,
  NOT_KNOWN,
  NOTE_NAMES,
  NOTES,
  readCostFilter,
} from '../../components/orders/cost-filter.ts';
import { ownerColumns } from '../../components/orders/owner-columns.tsx';

type Settled = DataOf<'GET /admin/v1/costs/orders'>['items'][number];
const OUTCOMES = { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled', unknown: 'Outcome unknown' };

/**
 * The orders behind the figures of the costs, with what each earned and cost.
 * @param query part of the address that has the filter
 */
export function SettledList({ query }: { readonly query: string }) {
  const [, navigate] = useLocation();
  const filter = readCostFilter(query);
  const { note, ...of } = filter;
  const named = Object.entries(of).map(([group, value]) => `${GROUPS[group as 'engine']}: ${value}`);
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/costs/orders', { limit: 50, ...filter }, (order) => order.task_id)}
      title="Orders with their costs"
      isDense
      hint={
        named.length === 0
          ? 'The live orders of the last 30 days that the costs count, latest first.'
          : named.join(', ')
      }
      empty="No such order within 30 days."
      aside={
        <Group gap="sm">
          <Select
            aria-label="Notes"
            placeholder="Any note"
            clearable
            w={230}
            value={note ?? null}
            onChange={(value) =>
              navigate(costOrdersAddress({ ...of, ...(value === null ? {} : { note: value as keyof typeof NOTES }) }))
            }
            data={NOTE_NAMES.map((value) => ({ value, label: NOTES[value].name }))}
          />
          {named.length > 0 && (
            <PlainButton
              component={Link}
              href={costOrdersAddress(note === undefined ? {} : { note })}
              leftSection={<IconX size={16} aria-hidden="true" />}
            >
              All orders
            </PlainButton>
          )}
        </Group>
      }
      columns={[
        ...ownerColumns<Settled>(({ settled_at: at }) => at),
        { head: 'Upstream', phone: 'note', width: '9%', cell: ({ engine }) => engine },
        { head: 'Outcome', phone: 'note', width: '10%', cell: ({ outcome }) => OUTCOMES[outcome] },
        {
          head: 'Revenue',
          numeric: true,
          sortBy: ({ revenue }) => Number(revenue),
          cell: ({ revenue }) => <Money amount={revenue} />,
        },
        {
          head: 'Expected cost',
          numeric: true,
          sortBy: ({ expected }) => Number(expected ?? 0),
          cell: ({ expected }) => known(expected),
        },
        {
          head: 'Reported cost',
          numeric: true,
          sortBy: ({ told }) => Number(told ?? 0),
          cell: ({ told }) => known(told),
        },
        {
          head: 'Margin',
          sortBy: ({ margin }) => Number(margin ?? 0),
          phone: 'aside',
          numeric: true,
          cell: ({ margin }) => margin !== null && <Margin amount={margin} />,
        },
      ]}
    />
  );
}

function known(amount: string | null) {
  return amount === null ? NOT_KNOWN : <Money amount={amount} />;
}
