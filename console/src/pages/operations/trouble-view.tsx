import { Group, Stack } from '@mantine/core';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { Toggle } from '../../components/toggle.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { OpenAlerts } from './alerts-view.tsx';
import { HealthLine } from './health-line.tsx';
import { ordersAddress } from './order-filter.ts';
import { OrderList } from './order-list.tsx';
import { ResolveDialog } from './resolve-form.tsx';
import { SearchField } from './search-field.tsx';
import { UnknownCauses } from './unknown-causes.tsx';

/** What is wrong now: how every part does, what needs somebody, and which orders stand still. */
export function TroubleView() {
  const [asked, setAsked] = useState<readonly string[]>([]);
  return (
    <Stack>
      <HealthLine />
      <OpenAlerts />
      <OpenOrders onResolve={setAsked} />
      <UnknownCauses mode="live" onResolve={setAsked} />
      <ResolveDialog ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}

/** The orders of all keys that are not final, oldest first, each with the reason why it stands still. */
function OpenOrders({ onResolve }: Pick<Parameters<typeof OrderList>[0], 'onResolve'>) {
  const [search, setSearch] = useState('');
  const [withTest, setWithTest] = useState(false);
  return (
    <OrderList
      onResolve={onResolve}
      filter={{ state: 'open', search, engine: null, withTest }}
      aside={
        <Group gap="sm" maw="100%">
          <Toggle label={operationsTexts.showTest} isOn={withTest} onChange={setWithTest} />
          {search !== '' && <Link href={ordersAddress({ search, withTest })}>{orderTexts.searchAll}</Link>}
          <SearchField label={orderTexts.search} onSearch={useCallback((text) => setSearch(text ?? ''), [])} />
        </Group>
      }
    />
  );
}
