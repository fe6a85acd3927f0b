import { Group, Stack } from '@mantine/core';
import { Suspense, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { lazyPart } from '../../components/lazy-part.ts';
import { ordersAddress } from '../../components/orders/order-filter.ts';
import { OrderList } from '../../components/orders/order-list.tsx';
import { ResolveDialog } from '../../components/orders/resolve-form.tsx';
import { SearchField } from '../../components/orders/search-field.tsx';
import { UnknownCauses } from '../../components/orders/unknown-causes.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { Causes, EndedAlerts } from './alerts.tsx';
import { Processes } from './processes.tsx';
import { ServiceActions } from './service-actions.tsx';
import { Tiles } from './tiles.tsx';
import { useTiles } from './use-tiles.ts';

const LocalModels = lazyPart(async () => (await import('./local/local-models.tsx')).LocalModels);

/** What is wrong now: how every part does, what needs somebody, and which orders stand still. */
export function NowView() {
  const { tiles, hold } = useTiles();
  const [showsEnded, setShowsEnded] = useState(false);
  const [asked, setAsked] = useState<readonly string[]>([]);
  return (
    <Stack>
      <Tiles tiles={tiles} />
      <ServiceActions hold={hold} showsEnded={showsEnded} onShowEnded={setShowsEnded} />
      <Causes />
      {showsEnded && <EndedAlerts />}
      <OpenOrders onResolve={setAsked} />
      <UnknownCauses mode="live" onResolve={setAsked} />
      <Processes />
      <Suspense>
        <LocalModels />
      </Suspense>
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
