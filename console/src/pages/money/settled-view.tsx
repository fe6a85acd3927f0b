import { Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { usePages } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { Moment, Told } from '../../components/words.tsx';
import { costOrdersAddress, GROUPS, NOT_KNOWN, NOTE_NAMES, NOTES, readCostFilter } from './cost-filter.ts';

const OUTCOMES = { succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled', unknown: 'Outcome unknown' };

/** The orders behind the figures of the costs. The address contains the filter. */
export function SettledView() {
  const [, navigate] = useLocation();
  const filter = readCostFilter(useHashQuery());
  const { note, ...of } = filter;
  const named = Object.entries(of).map(([group, value]) => `${GROUPS[group as 'engine']}: ${value}`);
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/costs/orders', { limit: 50, ...filter }, (order) => order.task_id)}
      title="Settled orders"
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
        { head: 'When', phone: 'note', cell: (order) => <Moment at={order.settled_at} /> },
        {
          head: 'Whose',
          phone: 'title',
          cell: ({ task_id: id, account_name: account, model_id: model, engine }) => (
            <Group gap={6} wrap="nowrap">
              <Told more={`${model}, ${engine}`}>
                <Link href={orderAddress(id)} aria-label={`${account}, ${model}, ${id}`}>
                  {account}
                </Link>
              </Told>
              <CopyAction value={id} label={`Copy ${id}`} />
            </Group>
          ),
        },
        { head: 'Outcome', phone: 'note', cell: ({ outcome }) => OUTCOMES[outcome] },
        { head: 'Revenue', numeric: true, cell: ({ revenue }) => <Money amount={revenue} /> },
        { head: 'Expected cost', numeric: true, cell: ({ expected }) => known(expected) },
        { head: 'Told cost', numeric: true, cell: ({ told }) => known(told) },
        {
          head: 'Margin',
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
