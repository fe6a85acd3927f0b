import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure, Figures } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatCount, formatMinute, formatSeconds, formatShare } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { CircuitNote } from './circuit-note.tsx';
import type { Engine } from './engine-row.ts';
import { HealthCheck } from './health-check.tsx';
import classes from './operations.module.css';
import { PauseModal } from './pause-modal.tsx';
import { useSwitch } from './use-switch.ts';

type Queue = Engine['queues'][number];

const texts = operationsTexts.engines;

/** All engines: state, queue, and results of the last hour. */
export function EnginesView() {
  const engines = useApi('GET /admin/v1/engines', {});
  const [asked, setAsked] = useState<string | null>(null);
  if (engines.data === undefined) {
    return engines.error === null ? (
      <Stack aria-hidden="true">
        <Skeleton h={104} radius={14} />
        <Skeleton h={150} radius={14} />
      </Stack>
    ) : (
      <ErrorNote error={engines.error} onRetry={() => void engines.refetch()} />
    );
  }
  const items = engines.data.items.toSorted((left, right) => urgency(left) - urgency(right));
  const card = (engine: Engine) => (
    <EngineCard key={engine.name} engine={engine} onPause={() => setAsked(engine.name)} />
  );
  return (
    <Stack gap="lg">
      <Totals queues={items.flatMap(({ queues }) => queues)} />
      {items.filter((engine) => !isIdle(engine)).map(card)}
      {items.some(isIdle) && <div className={classes.idleOnes}>{items.filter(isIdle).map(card)}</div>}
      <HealthCheck />
      <PauseModal kind="engine" name={asked} onClose={() => setAsked(null)} />
    </Stack>
  );
}

/** The sort order: engines that need attention first, idle ones last (3). */
function urgency({ paused, circuit, queues }: Engine): number {
  if (circuit.state !== 'closed') return 0;
  return paused ? 1 : queues.length > 0 ? 2 : 3;
}

function isIdle(engine: Engine): boolean {
  return urgency(engine) === 3;
}

function Totals({ queues }: { readonly queues: readonly Queue[] }) {
  const sum = (of: (queue: Queue) => number) => queues.reduce((total, queue) => total + of(queue), 0);
  const oldest = queues.flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at])).sort()[0];
  const failed = sum(({ last_hour: hour }) => hour.failed);
  const ended = failed + sum(({ last_hour: hour }) => hour.succeeded);
  return (
    <Figures>
      <Figure label={texts.figures.waiting} value={formatCount(sum((queue) => queue.waiting))} />
      <Figure label={texts.figures.inFlight} value={formatCount(sum((queue) => queue.in_flight))} />
      <Figure
        label={texts.figures.oldest}
        value={oldest === undefined ? texts.none : ageOf(oldest)}
        hint={oldest === undefined ? texts.figures.noneWaits : undefined}
      />
      <Figure
        label={texts.figures.errors}
        value={ended === 0 ? texts.none : formatShare(failed / ended)}
        hint={ended === 0 ? undefined : texts.ofHour(failed, ended)}
      />
    </Figures>
  );
}

function EngineCard({ engine, onPause }: { readonly engine: Engine; readonly onPause: () => void }) {
  const { resume } = useSwitch('engine');
  return (
    <section className={classes.engine} aria-label={engine.name}>
      <div className={classes.engineHead}>
        <div>
          <h2 className={classes.engineName}>{engine.name}</h2>
          <EngineState engine={engine} />
          <Balance of={engine.balance} />
        </div>
        {engine.paused ? (
          <Button
            loading={resume.isPending}
            aria-label={texts.resumeOf(engine.name)}
            onClick={() => resume.mutate(engine.name)}
          >
            {texts.resume}
          </Button>
        ) : (
          <Button variant="default" aria-label={texts.pauseOf(engine.name)} onClick={onPause}>
            {texts.pause}
          </Button>
        )}
      </div>
      {resume.error !== null && <ErrorNote title={texts.failed} error={resume.error} />}
      <CircuitNote engine={engine} />
      {engine.queues.length === 0 ? <p className={classes.idle}>{texts.idle}</p> : <Queues engine={engine} />}
    </section>
  );
}

function EngineState({ engine: { paused, paused_at: since, reason, circuit } }: { readonly engine: Engine }) {
  if (paused)
    return <Mark tone="bad">{since === null ? texts.paused : texts.pausedSince(formatMinute(since), reason)}</Mark>;
  if (circuit.state === 'open') return <Mark tone="bad">{texts.circuit.open}</Mark>;
  if (circuit.state === 'half_open') return <Mark tone="busy">{texts.circuit.halfOpen}</Mark>;
  return <Mark tone="good">{texts.takes}</Mark>;
}

/** What is left in the operator's account at the upstream. */
function Balance({ of }: { readonly of: Engine['balance'] }) {
  if (of === null) return null;
  const { amount, unit, told_at: toldAt, error } = of;
  return (
    <Text size="sm" c="dimmed">
      {amount !== null &&
        toldAt !== null &&
        texts.balance(formatCount(Number(amount)), unit ?? '', formatMinute(toldAt))}
      {error !== null && ` ${texts.balanceUnknown(error)}`}
    </Text>
  );
}

function Queues({ engine }: { readonly engine: Engine }) {
  return (
    <div className={classes.queues}>
      <DataTable
        label={engine.name}
        rows={engine.queues}
        rowKey={(queue) => queue.mode}
        columns={[
          { head: texts.queue, phone: 'title', cell: (queue) => texts.modes[queue.mode] },
          { head: texts.waiting, phone: 'fact', numeric: true, cell: (queue) => formatCount(queue.waiting) },
          { head: texts.inFlight, phone: 'fact', numeric: true, cell: (queue) => formatCount(queue.in_flight) },
          {
            head: texts.oldest,
            phone: 'fact',
            numeric: true,
            cell: ({ oldest_waiting_at: at }) => (at === null ? texts.none : ageOf(at)),
          },
          {
            head: texts.errorRate,
            phone: 'fact',
            numeric: true,
            cell: ({ last_hour: hour }) => {
              const ended = hour.failed + hour.succeeded;
              return ended === 0
                ? texts.none
                : `${formatShare(hour.failed / ended)} (${texts.ofHour(hour.failed, ended)})`;
            },
          },
        ]}
      />
    </div>
  );
}

function ageOf(iso: string): string {
  return formatSeconds((Date.now() - Date.parse(iso)) / 1000);
}
