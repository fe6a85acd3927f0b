import { Group, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Segments } from '../../components/segments.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { CausesPanel } from './causes-panel.tsx';
import { OrderFacts } from './order-facts.tsx';
import { type OrderFilter, ordersAddress, readOrderFilter } from './order-filter.ts';
import { OrderList } from './order-list.tsx';
import { ResolveDialog } from './resolve-form.tsx';
import { ResolvedEntries } from './resolved-entries.tsx';
import { SearchField } from './search-field.tsx';
import { UnknownCauses } from './unknown-causes.tsx';

const texts = orderTexts;

/** One list of all orders, or one order. */
export function OrdersView() {
  const { item } = useParams<{ item?: string }>();
  return item === undefined ? <Orders /> : <OrderFacts key={item} taskId={item} />;
}

/** One box finds an order by whatever is known of it. The address has the filter. */
function Orders() {
  const { view = 'orders' } = useParams<{ view?: string }>();
  const [, navigate] = useLocation();
  const filter = readOrderFilter(useHashQuery(), view);
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
