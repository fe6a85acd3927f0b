import { Button, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { DialogAbout } from '../../components/dialog.tsx';
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
import { PauseForm } from './pause-form.tsx';
import { useSwitch } from './use-switch.ts';

type Queue = Engine['queues'][number];

const texts = operationsTexts.engines;

/** All upstreams: what each does, its queues, and results of the last hour; those that need attention first. */
export function EnginesView() {
  const engines = useApi('GET /admin/v1/engines', {});
  const [asked, setAsked] = useState<string | null>(null);
  const { resume } = useSwitch('engine');
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
      {resume.error !== null && <ErrorNote title={texts.failed} error={resume.error} />}
      <ListPanel
        pages={{ ...atOnce(engines), items }}
        title={frameTexts.views.upstreams}
        empty=""
        rowKey={({ name }) => name}
        columns={[
          { head: texts.heads.name, phone: 'title', cell: (engine) => <EngineName engine={engine} /> },
          { head: texts.heads.state, phone: 'note', cell: (engine) => <EngineState engine={engine} /> },
          {
            head: texts.waiting,
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ waiting }) => formatCount(waiting)),
          },
          {
            head: texts.inFlight,
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ in_flight: count }) => formatCount(count)),
          },
          {
            head: texts.oldest,
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ oldest_waiting_at: at }) => (at === null ? texts.none : ageOf(at))),
          },
          {
            head: texts.errorRate,
            phone: 'fact',
            numeric: true,
            cell: ({ queues }) => byMode(queues, ({ last_hour: hour }) => shareOf(hour)),
          },
          {
            head: texts.heads.actions,
            actions: true,
            cell: ({ name, paused }) =>
              paused ? (
                <Button
                  size="xs"
                  loading={resume.isPending && resume.variables === name}
                  aria-label={texts.resumeOf(name)}
                  onClick={() => resume.mutate(name)}
                >
                  {texts.resume}
                </Button>
              ) : (
                <Button size="xs" variant="default" aria-label={texts.pauseOf(name)} onClick={() => setAsked(name)}>
                  {texts.pause}
                </Button>
              ),
          },
        ]}
      />
      <DialogAbout about={asked} title={operationsTexts.pause.title} onClose={() => setAsked(null)}>
        {(name) => <PauseForm kind="engine" name={name} onClose={() => setAsked(null)} />}
      </DialogAbout>
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
        label={texts.figures.waiting}
        value={leading(ordersAddress({ state: 'open' }), formatCount(sum((queue) => queue.waiting)))}
      />
      <Figure
        label={texts.figures.inFlight}
        value={leading(ordersAddress({ state: 'open' }), formatCount(sum((queue) => queue.in_flight)))}
      />
      <Figure
        label={texts.figures.oldest}
        value={leading(ordersAddress({ state: 'open' }), oldest === undefined ? texts.none : ageOf(oldest))}
        hint={oldest === undefined ? texts.figures.noneWaits : undefined}
      />
      <Figure
        label={texts.figures.errors}
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
              texts.balance(formatCount(Number(balance.amount)), balance.unit ?? '', formatMinute(balance.told_at))}
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
  if (circuit.state === 'open') return <Mark tone="bad">{texts.circuit.open}</Mark>;
  if (circuit.state === 'half_open') return <Mark tone="busy">{texts.circuit.halfOpen}</Mark>;
  return <Mark tone="good">{texts.takes}</Mark>;
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
