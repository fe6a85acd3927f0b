import { Group, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { PlainButton } from '../../components/buttons.ts';
import { type OrderFilter, ordersAddress, readOrderFilter } from '../../components/orders/order-filter.ts';
import { OrderList } from '../../components/orders/order-list.tsx';
import { ResolveDialog } from '../../components/orders/resolve-form.tsx';
import { SearchField } from '../../components/orders/search-field.tsx';
import { UnknownCauses } from '../../components/orders/unknown-causes.tsx';
import { Segments } from '../../components/segments.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { CausesPanel } from './causes-panel.tsx';
import { ResolvedEntries } from './resolved-entries.tsx';

const texts = orderTexts;

/** The list of all orders. One box finds an order by whatever is known of it. The address has the filter. */
export function OrdersView() {
  const [, navigate] = useLocation();
  const filter = readOrderFilter(useHashQuery());
  const { state, search, engine, withTest } = filter;
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [showsResolved, setShowsResolved] = useState(false);
  const show = (change: Partial<OrderFilter>) => navigate(ordersAddress({ ...filter, ...change }));
  const onSearch = useCallback(
    (text: string | null) => {
      if ((text ?? '') !== search)
        navigate(ordersAddress({ state, engine, withTest, search: text ?? '' }), { replace: true });
    },
    [navigate, state, engine, withTest, search],
  );
  const mode = withTest ? 'all' : 'live';
  return (
    <Stack>
      <SearchField label={texts.search} value={search} onSearch={onSearch} />
      <Group justify="space-between" gap="sm">
        <Segments label={texts.state} words={texts.states} value={state} onChange={(next) => show({ state: next })} />
        <Group gap="md">
          {engine !== null && (
            <PlainButton
              component={Link}
              href={ordersAddress({ ...filter, engine: null })}
              leftSection={<IconX size={16} aria-hidden="true" />}
            >
              {texts.atEngine(engine)}
            </PlainButton>
          )}
          {state === 'unknown' && (
            <Toggle label={operationsTexts.unknown.showResolved} isOn={showsResolved} onChange={setShowsResolved} />
          )}
          <Toggle label={operationsTexts.showTest} isOn={withTest} onChange={(isOn) => show({ withTest: isOn })} />
        </Group>
      </Group>
      {state === 'failed' && search === '' && engine === null && <CausesPanel mode={mode} />}
      {state === 'unknown' && search === '' && engine === null && <UnknownCauses mode={mode} onResolve={setAsked} />}
      <OrderList filter={filter} onResolve={setAsked} />
      {state === 'unknown' && showsResolved && <ResolvedEntries mode={mode} />}
      <ResolveDialog ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}
