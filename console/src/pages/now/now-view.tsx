import { Group, Stack } from '@mantine/core';
import { Suspense, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { Toggle } from '../../components/inputs.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { ordersAddress } from '../../components/orders/order-filter.ts';
import { OrderList } from '../../components/orders/order-list.tsx';
import { SEARCHED } from '../../components/orders/search-words.ts';
import { ResolveDialog, UnknownCauses } from '../../components/orders/unresolved.tsx';
import classes from '../../components/records.module.css';
import { SearchField } from '../../components/search-input.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatCount, formatMoment } from '../../format.ts';
import { Causes, EndedAlerts } from './alerts.tsx';
import { DayStrip } from './day-strip.tsx';
import type { Tile } from './seen-tile.ts';
import { ServiceActions } from './service-actions.tsx';
import { useTiles } from './use-tiles.ts';

const LocalModels = lazyPart(async () => (await import('./local-models.tsx')).LocalModels);

/** Present problems: the state of every part, the open alerts, and the delayed orders. */
export function NowView() {
  const { tiles, hold } = useTiles();
  const [showsEnded, setShowsEnded] = useState(false);
  const [asked, setAsked] = useState<readonly string[]>([]);
  return (
    <Stack>
      <DayStrip />
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

/** The orders of all keys that are not final, oldest first, each with the reason for its delay. */
function OpenOrders({ onResolve }: Pick<Parameters<typeof OrderList>[0], 'onResolve'>) {
  const [search, setSearch] = useState('');
  const [withTest, setWithTest] = useState(false);
  return (
    <OrderList
      onResolve={onResolve}
      filter={{ state: 'open', search, engine: null, withTest }}
      aside={
        <Group gap="sm" maw="100%">
          <Toggle label="Show test orders too" value={withTest} onChange={setWithTest} />
          {search !== '' && <Link href={ordersAddress({ search, withTest })}>Search all orders</Link>}
          <SearchField label={SEARCHED} onSearch={useCallback((text) => setSearch(text ?? ''), [])} />
        </Group>
      }
    />
  );
}

/** The state of every part of the service, each with a link to its cause. */
function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <section aria-label="State of the service">
      <ul className={classes.line}>
        {tiles.map(({ name, tone, says, href }) => (
          <li key={name} className={classes.lineItem} data-tone={tone}>
            <Link href={href} className={classes.linePart ?? ''}>
              <Mark tone={tone}>{name}</Mark>
              <span className={classes.lineSays}>{says}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const texts = { states: { running: 'Running', silent: 'Silent', ended: 'Ended' } } as const;

/** The running and the missing processes. Ended ones that were replaced are left out. */
function Processes() {
  const processes = useApi('GET /admin/v1/processes', {});
  const items = processes.data?.items.filter(({ state, missing }) => state !== 'ended' || missing);
  return (
    <ListPanel
      pages={{ ...singlePage(processes, (one) => one.process_id), items }}
      title="Processes"
      hint="Each process tells every few seconds that it works. One that is silent has its orders taken over."
      empty="No process is known."
      columns={[
        { head: 'Process', phone: 'title', cell: ({ role, host, pid }) => `${role} at ${host} (${pid})` },
        {
          head: 'State',
          phone: 'aside',
          cell: ({ state, missing }) => (
            <Mark tone={missing ? 'bad' : state === 'running' ? 'good' : 'quiet'}>
              {missing ? 'Silent, not replaced' : texts.states[state]}
            </Mark>
          ),
        },
        { head: 'Last heard of', phone: 'fact', cell: (one) => formatMoment(one.heard_at) },
        { head: 'Started', phone: 'fact', cell: (one) => formatMoment(one.started_at) },
        { head: 'Orders', numeric: true, cell: (one) => formatCount(one.tasks) },
        { head: 'Differs from the others', cell: ({ faults, differences }) => [...faults, ...differences].join(' ') },
        { head: 'Version', phone: 'fact', cell: (one) => one.version },
      ]}
    />
  );
}
