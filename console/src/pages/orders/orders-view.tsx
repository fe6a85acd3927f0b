import { Group, Stack } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHashQuery } from '../../api/hash-location.ts';
import { useMay } from '../../api/may.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Segments, Toggle } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { costOrdersAddress, SETTLED } from '../../components/orders/cost-filter.ts';
import { type OrderFilter, ordersAddress, readOrderFilter } from '../../components/orders/order-filter.ts';
import { OrderList } from '../../components/orders/order-list.tsx';
import { OrderName, orderAddress } from '../../components/orders/order-name.tsx';
import { SEARCHED } from '../../components/orders/search-words.ts';
import { ResolveDialog, UNKNOWN_KINDS, UnknownCauses } from '../../components/orders/unresolved.tsx';
import classes from '../../components/records.module.css';
import { SearchField } from '../../components/search-input.tsx';
import { Moment, Told } from '../../components/words.tsx';
import { formatCount, formatMinute, formatMoney } from '../../format.ts';
import { SettledList } from './settled-list.tsx';

const STATES = { all: 'All', open: 'Open', failed: 'Failed', unknown: 'Unknown' };
const WITH_COSTS = { ...STATES, [SETTLED]: 'With costs' };

/** The orders of all accounts: what is found by a search, or those that the costs count. */
export function OrdersView() {
  const query = useHashQuery();
  const [, navigate] = useLocation();
  const may = useMay();
  const isSettled = new URLSearchParams(query).get('state') === SETTLED;
  const filter = readOrderFilter(query);
  const choice = (
    <Segments
      label="Which orders"
      words={(may('GET /admin/v1/costs/orders') ? WITH_COSTS : STATES) as typeof WITH_COSTS}
      value={isSettled ? SETTLED : filter.state}
      onChange={(next) =>
        navigate(
          next === SETTLED ? costOrdersAddress() : ordersAddress({ ...filter, state: next as OrderFilter['state'] }),
        )
      }
    />
  );
  if (!isSettled) return <FoundOrders filter={filter} choice={choice} />;
  return (
    <Stack>
      <Group>{choice}</Group>
      <SettledList query={query} />
    </Stack>
  );
}

/** The list of all orders. One search box finds an order by any known property. The address contains the filter. */
function FoundOrders({ filter, choice }: { readonly filter: OrderFilter; readonly choice: ReactNode }) {
  const [, navigate] = useLocation();
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
      <SearchField label={SEARCHED} value={search} onSearch={onSearch} />
      <Group justify="space-between" gap="sm">
        {choice}
        <Group gap="md">
          {engine !== null && (
            <PlainButton
              component={Link}
              href={ordersAddress({ ...filter, engine: null })}
              leftSection={<IconX size={16} aria-hidden="true" />}
            >
              {`At ${engine} only`}
            </PlainButton>
          )}
          {state === 'unknown' && (
            <Toggle label="Show resolved ones" value={showsResolved} onChange={setShowsResolved} />
          )}
          <Toggle label="Show test orders too" value={withTest} onChange={(isOn) => show({ withTest: isOn })} />
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

/** Operators' findings about orders of unknown outcome. */
function ResolvedEntries({ mode }: { readonly mode: 'live' | 'all' }) {
  const entries = usePages(
    'GET /admin/v1/reconciliation',
    { limit: 30, mode, resolved: 'true' },
    (entry) => entry.reconciliation_id,
  );
  return (
    <ListPanel
      pages={entries}
      title="Resolved"
      empty="Nothing was resolved yet."
      columns={[
        { head: 'When', phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
        { head: 'Whose', phone: 'title', cell: (entry) => <OrderName order={entry} /> },
        {
          head: 'What',
          phone: 'note',
          cell: ({ kind, engine, resolved_at: at, resolution }) => (
            <Told more={at !== null && `Resolved ${formatMinute(at)}: ${resolution ?? ''}`}>
              {`${UNKNOWN_KINDS[kind]} at ${engine}`}
            </Told>
          ),
        },
        { head: 'Price', phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.price) },
      ]}
    />
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  content_policy: 'Nothing: the order was refused for its content. The customer must change it.',
  invalid_input:
    'Read the message. If it names a parameter that the catalog allows, correct the model’s entry for this upstream in the catalog; otherwise the customer must change the order.',
  upstream_error:
    'See the status page of the upstream. If it lasts, pause the engine so that orders go to another upstream.',
  upstream_billing: 'Add credit to your account at the upstream, then resume the engine.',
  upstream_auth: 'Set a valid key and restart the service.',
  timeout: 'If the upstream has become slower, allow more time or use another upstream.',
  outcome_unknown:
    'Look the orders up in the records of the upstream, then resolve them in the orders that are “Unknown”.',
  storage_error: 'Check the disk or the bucket, and press “Check everything” on “Now”.',
  parent_failed: 'Nothing: see why the task failed that it waited for.',
};
const MODELS_AT_MOST = 5;

/** The failures of the last day by cause, with advice. Empty if nothing failed. */
function CausesPanel({ mode }: { readonly mode: 'live' | 'all' }) {
  const causes = useApi('GET /admin/v1/failures/causes', { query: { mode } });
  if (causes.data?.items.length === 0) return null;
  return (
    <ListPanel
      pages={singlePage(causes, ({ engine, code, cause }) => [engine, code, cause].join())}
      title="Causes"
      hint="The failures of the last 24 hours, grouped by what the engine said; the most frequent first."
      empty=""
      columns={[
        { head: 'Orders', phone: 'aside', numeric: true, cell: ({ orders }) => formatCount(orders) },
        { head: 'Cause', phone: 'title', cell: ({ cause, code }) => <Told more={<code>{code}</code>}>{cause}</Told> },
        {
          head: 'Engine',
          phone: 'note',
          cell: ({ engine, models }) => (
            <Told more={models.length < MODELS_AT_MOST ? models.join(', ') : `${models.join(', ')} and others`}>
              {engine}
            </Told>
          ),
        },
        { head: 'What to do', phone: 'note', cell: ({ code }) => ADVICE[code] },
        {
          head: 'Latest',
          phone: 'note',
          cell: ({ example }) => (
            <div>
              <Moment at={example.completed_at ?? example.created_at} />
              <div>
                <Link href={orderAddress(example.task_id)}>
                  <span className={classes.code}>{example.task_id}</span>
                </Link>
              </div>
            </div>
          ),
        },
      ]}
    />
  );
}
