import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { AsSeen } from '../../components/as-seen.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { ordersAddress } from '../../components/orders/order-filter.ts';
import { Figure, Figures } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Named } from '../../components/words.tsx';
import { formatCount, formatMinute, formatSeconds, formatShare } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';
import { CircuitNote, type Engine } from './circuit-note.tsx';
import { pausing } from './pausing.tsx';

type Queue = Engine['queues'][number];

const NONE = '–';
const ofHour = (failed: number, ended: number) => `${formatCount(failed)} of ${formatCount(ended)}`;

/** All upstreams: state, queues, and results of the last hour; the ones that need attention first. */
export function EnginesView() {
  const engines = useApi('GET /admin/v1/engines', {});
  const items = engines.data?.items.toSorted((left, right) => urgency(left) - urgency(right));
  return (
    <Stack gap="lg">
      <AsSeen of={{ ...engines, data: items }} placeholder={<Skeleton h={220} radius={14} aria-hidden="true" />}>
        {(all) => (
          <>
            <Totals queues={all.flatMap(({ queues }) => queues)} />
            {all.map((engine) => (
              <CircuitNote key={engine.name} engine={engine} />
            ))}
          </>
        )}
      </AsSeen>
      <ListPanel
        pages={{ ...singlePage(engines, ({ name }) => name), items }}
        title="Upstreams"
        empty="No upstream is set up."
        columns={[
          { head: 'Upstream', phone: 'title', cell: (engine) => <EngineName engine={engine} /> },
          { head: 'State', phone: 'note', cell: (engine) => <EngineState engine={engine} /> },
          byMode('Waiting', ({ waiting }) => formatCount(waiting)),
          byMode('In progress', ({ in_flight: count }) => formatCount(count)),
          byMode('Longest wait', ({ oldest_waiting_at: at }) => (at === null ? NONE : ageOf(at))),
          byMode('Failed', ({ last_hour: hour }) => shareOf(hour)),
        ]}
        deeds={pausing('engine')}
      />
    </Stack>
  );
}

/** Returns the sort order: upstreams that need attention first, idle ones last. */
function urgency({ paused, circuit, queues }: Engine): number {
  if (circuit.state !== 'closed') return 0;
  return paused ? 1 : queues.length > 0 ? 2 : 3;
}

/** The totals; each links to its list. */
function Totals({ queues }: { readonly queues: readonly Queue[] }) {
  const sum = (of: (queue: Queue) => number) => queues.reduce((total, queue) => total + of(queue), 0);
  const oldest = queues.flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at])).sort()[0];
  const failed = sum(({ last_hour: hour }) => hour.failed);
  const ended = failed + sum(({ last_hour: hour }) => hour.succeeded);
  const leading = (state: 'open' | 'failed', value: string) => <Link href={ordersAddress({ state })}>{value}</Link>;
  return (
    <Figures>
      <Figure label="Waiting" value={leading('open', formatCount(sum((queue) => queue.waiting)))} />
      <Figure label="In progress" value={leading('open', formatCount(sum((queue) => queue.in_flight)))} />
      <Figure
        label="Longest wait"
        value={leading('open', oldest === undefined ? NONE : ageOf(oldest))}
        hint={oldest === undefined ? 'None waiting' : undefined}
      />
      <Figure
        label="Failed in the last hour"
        value={leading('failed', ended === 0 ? NONE : formatShare(failed / ended))}
        hint={ended === 0 ? undefined : ofHour(failed, ended)}
      />
    </Figures>
  );
}

/** The name of an engine, with the operator's balance at the upstream below it. */
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
            {balance.error !== null && ` The balance could not be read: ${balance.error}`}
          </>
        )
      }
    />
  );
}

function EngineState({ engine: { paused, paused_at: since, reason, circuit } }: { readonly engine: Engine }) {
  if (paused)
    return (
      <Mark tone="bad">
        {since === null ? 'Paused' : `Paused since ${formatMinute(since)}${reason === null ? '' : `: ${reason}`}`}
      </Mark>
    );
  if (circuit.state === 'open') return <Mark tone="bad">Blocked for now</Mark>;
  if (circuit.state === 'half_open') return <Mark tone="busy">Being tested</Mark>;
  return <Mark tone="good">Accepts orders</Mark>;
}

/** Returns a column with one line for each kind of key that has orders; the line of live ones has no label. */
function byMode(head: string, cell: (queue: Queue) => ReactNode): Column<Engine> {
  const line = (queue: Queue) => (
    <div key={queue.mode}>
      {cell(queue)} {queue.mode !== 'live' && <span className={classes.mode}>{inWords(queue.mode)}</span>}
    </div>
  );
  return { head, numeric: true, cell: ({ queues }) => (queues.length === 0 ? NONE : queues.map(line)) };
}

function shareOf({ failed, succeeded }: Queue['last_hour']): ReactNode {
  const ended = failed + succeeded;
  if (ended === 0) return NONE;
  return (
    <>
      {formatShare(failed / ended)}
      <div className={classes.mode}>{ofHour(failed, ended)}</div>
    </>
  );
}

function ageOf(iso: string): string {
  return formatSeconds((Date.now() - Date.parse(iso)) / 1000);
}
