import { Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { usePages } from '../../api/use-pages.ts';
import { PlainButton } from '../../components/buttons.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Margin, Money } from '../../components/money.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { costOrdersAddress, NOTES, readCostFilter } from './cost-filter.ts';

const texts = operationsTexts.costs;
const PAGE_SIZE = 50;

/** The orders behind the figures of the costs. The address has the filter. */
export function SettledView() {
  const [, navigate] = useLocation();
  const filter = readCostFilter(useHashQuery());
  const { note, ...of } = filter;
  const named = Object.entries(of).map(([group, value]) => `${texts.groups[group as 'engine']}: ${value}`);
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/costs/orders', { limit: PAGE_SIZE, ...filter }, (order) => order.task_id)}
      title={frameTexts.views.settled}
      hint={
        named.length === 0
          ? 'The live orders of the last 30 days that the costs count, latest first.'
          : named.join(', ')
      }
      empty="No such order within 30 days."
      aside={
        <Group gap="sm">
          <Select
            aria-label={texts.heads.notes}
            placeholder="Any note"
            clearable
            w={230}
            value={note ?? null}
            onChange={(value) =>
              navigate(
                costOrdersAddress({ ...of, ...(value === null ? {} : { note: value as (typeof NOTES)[number] }) }),
              )
            }
            data={NOTES.map((value) => ({ value, label: texts.noteNames[value] }))}
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
      rowKey={(order) => order.task_id}
      columns={[
        { head: 'When', phone: 'note', cell: (order) => <Moment at={order.settled_at} /> },
        {
          head: orderTexts.heads.whose,
          phone: 'title',
          cell: ({ task_id: id, account_name: account, model_id: model, engine }) => (
            <Group gap={6} wrap="nowrap">
              <Told more={`${model}, ${engine}`}>
                <Link href={orderAddress(id)} aria-label={orderTexts.nameOf(account, model, id)}>
                  {account}
                </Link>
              </Told>
              <CopyAction value={id} label={orderTexts.copy(id)} />
            </Group>
          ),
        },
        { head: 'Outcome', phone: 'note', cell: ({ outcome }) => texts.outcomes[outcome] },
        { head: texts.heads.revenue, phone: 'fact', numeric: true, cell: ({ revenue }) => <Money amount={revenue} /> },
        { head: texts.heads.expected, phone: 'fact', numeric: true, cell: ({ expected }) => known(expected) },
        { head: texts.heads.told, phone: 'fact', numeric: true, cell: ({ told }) => known(told) },
        {
          head: texts.heads.margin,
          phone: 'aside',
          numeric: true,
          cell: ({ margin }) => margin !== null && <Margin amount={margin} />,
        },
      ]}
    />
  );
}

function known(amount: string | null) {
  return amount === null ? texts.notKnown : <Money amount={amount} />;
}
