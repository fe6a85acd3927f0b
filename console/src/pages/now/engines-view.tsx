import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { ordersAddress } from '../../components/orders/order-filter.ts';
import { Figure, Figures } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Named } from '../../components/two-lines.tsx';
import { formatCount, formatMinute, formatSeconds, formatShare } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { CircuitNote } from './circuit-note.tsx';
import type { Engine } from './engine-row.ts';
import { usePausing } from './use-pausing.tsx';

type Queue = Engine['queues'][number];

const texts = operationsTexts.engines;

/** All upstreams: what each does, its queues, and results of the last hour; those that need attention first. */
export function EnginesView() {
  const engines = useApi('GET /admin/v1/engines', {});
  const pausing = usePausing<Engine>('engine');
  if (engines.data === undefined)
    return engines.error === null ? (
      <Skeleton h={220} radius={14} aria-hidden="true" />
    ) : (
      <ErrorNote error={engines.error} onRetry={() => void engines.refetch()} />
    );
  const items = engines.data.items.toSorted((left, right) => urgency(left) - urgency(right));
  return (
    <Stack gap="lg">
      <Totals queues={items.flatMap(({ queues }) => queues)} />
      {items.map((engine) => (
        <CircuitNote key={engine.name} engine={engine} />
      ))}
      <ListPanel
        pages={{ ...atOnce(engines), items }}
        title={frameTexts.views.upstreams}
        empty=""
        rowKey={({ name }) => name}
        columns={[
          { head: 'Upstream', phone: 'title', cell: (engine) => <EngineName engine={engine} /> },
          { head: 'State', phone: 'note', cell: (engine) => <EngineState engine={engine} /> },
          {
            head: 'Waiting',
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ waiting }) => formatCount(waiting)),
          },
          {
            head: 'In progress',
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ in_flight: count }) => formatCount(count)),
          },
          {
            head: 'Longest wait',
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ oldest_waiting_at: at }) => (at === null ? texts.none : ageOf(at))),
          },
          {
            head: 'Failed',
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ last_hour: hour }) => shareOf(hour)),
          },
        ]}
        deeds={pausing}
      />
    </Stack>
  );
}

/** The sort order: those that need attention first, idle ones last. */
function urgency({ paused, circuit, queues }: Engine): number {
  if (circuit.state !== 'closed') return 0;
  return paused ? 1 : queues.length > 0 ? 2 : 3;
}

/** Every figure leads to its list. */
function Totals({ queues }: { readonly queues: readonly Queue[] }) {
  const sum = (of: (queue: Queue) => number) => queues.reduce((total, queue) => total + of(queue), 0);
  const oldest = queues.flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at])).sort()[0];
  const failed = sum(({ last_hour: hour }) => hour.failed);
  const ended = failed + sum(({ last_hour: hour }) => hour.succeeded);
  const leading = (href: string, value: string) => <Link href={href}>{value}</Link>;
  return (
    <Figures>
      <Figure
        label="Waiting"
        value={leading(ordersAddress({ state: 'open' }), formatCount(sum((queue) => queue.waiting)))}
      />
      <Figure
        label="In progress"
        value={leading(ordersAddress({ state: 'open' }), formatCount(sum((queue) => queue.in_flight)))}
      />
      <Figure
        label="Longest wait"
        value={leading(ordersAddress({ state: 'open' }), oldest === undefined ? texts.none : ageOf(oldest))}
        hint={oldest === undefined ? 'None waiting' : undefined}
      />
      <Figure
        label="Failed in the last hour"
        value={leading(ordersAddress({ state: 'failed' }), ended === 0 ? texts.none : formatShare(failed / ended))}
        hint={ended === 0 ? undefined : texts.ofHour(failed, ended)}
      />
    </Figures>
  );
}

/** What is left in the operator's account at the upstream stands below the name. */
function EngineName({ engine: { name, balance } }: { readonly engine: Engine }) {
  return (
    <Named
      name={name}
      more={
        balance !== null && (
          <>
            {balance.amount !== null &&
              balance.told_at !== null &&
              `${formatCount(Number(balance.amount))} ${balance.unit ?? ''} left at the upstream, ${formatMinute(balance.told_at)}`}
            {balance.error !== null && ` ${texts.balanceUnknown(balance.error)}`}
          </>
        )
      }
    />
  );
}

function EngineState({ engine: { paused, paused_at: since, reason, circuit } }: { readonly engine: Engine }) {
  if (paused)
    return <Mark tone="bad">{since === null ? texts.paused : texts.pausedSince(formatMinute(since), reason)}</Mark>;
  if (circuit.state === 'open') return <Mark tone="bad">Blocked for now</Mark>;
  if (circuit.state === 'half_open') return <Mark tone="busy">Being tested</Mark>;
  return <Mark tone="good">Accepts orders</Mark>;
}

/** One line for each kind of key that has orders; of live ones without a name. */
function byMode(queues: readonly Queue[], cell: (queue: Queue) => ReactNode) {
  if (queues.length === 0) return texts.none;
  return queues.map((queue) => (
    <div key={queue.mode}>
      {cell(queue)} {queue.mode !== 'live' && <span className={classes.mode}>{texts.modes[queue.mode]}</span>}
    </div>
  ));
}

function shareOf({ failed, succeeded }: Queue['last_hour']): ReactNode {
  const ended = failed + succeeded;
  if (ended === 0) return texts.none;
  return (
    <>
      {formatShare(failed / ended)}
      <div className={classes.mode}>{texts.ofHour(failed, ended)}</div>
    </>
  );
}

function ageOf(iso: string): string {
  return formatSeconds((Date.now() - Date.parse(iso)) / 1000);
}
