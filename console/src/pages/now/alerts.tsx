import { Button, Group, Menu, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { perform, useDeed } from '../../api/deeds.ts';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi, usePages } from '../../api/use-api.ts';
import { AsSeen, together } from '../../components/as-seen.tsx';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment, Told } from '../../components/words.tsx';
import { formatMinute, formatMoment, inReadersForm } from '../../format.ts';
import { alertKinds } from '../../texts/alert-kinds.ts';
import classes from './alert-line.module.css';
import { AlertLine } from './alert-line.tsx';
import { CircuitAdvice, CircuitRemedies, causeOf, type Engine, faultOf } from './circuit-note.tsx';

type Alert = DataOf<'GET /admin/v1/alerts'>['items'][number];

const TAKE = 'I take it on';
/** Kinds of alerts about an upstream that gets no orders. */
const BLOCKED: readonly Alert['kind'][] = ['circuit_open', 'upstream_credit'];
const SILENCES = [1, 8, 24, 168];

/** The open alerts, and the upstreams that get no orders: first what costs money or orders now. */
export function Causes() {
  const open = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const engines = useApi('GET /admin/v1/engines', {});
  return (
    <AsSeen of={together(open, engines)} placeholder={<Skeleton h={60} radius={14} aria-hidden="true" />}>
      {([told, all]) => <Known alerts={told.items} engines={all.items} />}
    </AsSeen>
  );
}

function Known({ alerts, engines }: { readonly alerts: readonly Alert[]; readonly engines: readonly Engine[] }) {
  const blocked = engines.filter(({ circuit }) => circuit.state !== 'closed');
  const engineOf = ({ kind, subject }: Alert) => blocked.find(({ name }) => BLOCKED.includes(kind) && name === subject);
  const untold = blocked.filter((engine) => !alerts.some((alert) => engineOf(alert) === engine));
  const lines = (some: readonly Alert[]) =>
    some.map((alert) => <OpenAlert key={alert.alert_id} alert={alert} engine={engineOf(alert)} />);
  const isUrgent = ({ kind }: Alert) => alertKinds.urgent.includes(kind);
  const urgent = alerts.filter(isUrgent);
  const others = alerts.filter((alert) => !isUrgent(alert));
  return (
    <>
      {urgent.length + untold.length > 0 && (
        <div className={classes.weight} data-urgent>
          <h2 className={classes.head}>Costs money or orders now</h2>
          {untold.map((engine) => (
            <AlertLine
              key={engine.name}
              label={faultOf(engine)}
              tone="bad"
              since={engine.circuit.since === null ? '' : `since ${formatMinute(engine.circuit.since)}`}
              cause={causeOf(engine)}
              remedies={<CircuitRemedies engine={engine} />}
            >
              <CircuitAdvice engine={engine} />
            </AlertLine>
          ))}
          {lines(urgent)}
        </div>
      )}
      {others.length > 0 && (
        <div className={classes.weight}>
          <h2 className={classes.head}>To look at this week</h2>
          {lines(others)}
        </div>
      )}
    </>
  );
}

function OpenAlert({ alert, engine }: { readonly alert: Alert; readonly engine: Engine | undefined }) {
  const { alert_id: id, kind, subject, summary, acknowledged, silenced } = alert;
  const label = subject === null ? alertKinds.kinds[kind] : `${alertKinds.kinds[kind]}: ${subject}`;
  const isSilenced = silenced !== null && Date.parse(silenced.until) > Date.now();
  const path = { alert_id: id };
  const take = useDeed(() => perform('POST /admin/v1/alerts/{alert_id}/acknowledge', { path }, `${TAKE}: ${label}`));
  const silence = useDeed((hours: number) => {
    const body = { seconds: hours * 3_600 };
    return perform('POST /admin/v1/alerts/{alert_id}/silence', { path, body }, `Silence: ${label}`);
  });
  const isNew = acknowledged === null && !isSilenced;
  return (
    <>
      <AlertLine
        label={label}
        tone={!isNew ? 'quiet' : alertKinds.urgent.includes(kind) ? 'bad' : 'busy'}
        since={`since ${formatMinute(alert.began_at)}${acknowledged === null ? '' : `, ${acknowledged.by_name ?? acknowledged.by} took it on`}`}
        cause={inReadersForm(summary)}
        remedies={
          <>
            {engine !== undefined && <CircuitRemedies engine={engine} />}
            {acknowledged === null && (
              <SmallButton loading={take.isPending} onClick={() => take.mutate()}>
                {TAKE}
              </SmallButton>
            )}
          </>
        }
      >
        <Text size="sm" maw="72ch" mt={4}>
          {alertKinds.advice[kind]}
        </Text>
        <Text size="sm" c="dimmed" mt="xs">
          {acknowledged !== null && `Taken on ${formatMinute(acknowledged.at)}. `}
          {isSilenced && `${silenced.by_name ?? silenced.by} silenced it until ${formatMinute(silenced.until)}. `}
          {told(alert)}
        </Text>
        <Group gap="xs" mt="xs">
          {kind in alertKinds.show && (
            <SmallButton component={Link} href={pageOf(alert)}>
              {alertKinds.show[kind as keyof typeof alertKinds.show]}
            </SmallButton>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" size="xs" loading={silence.isPending}>
                Silence
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {SILENCES.map((hours) => (
                <Menu.Item key={hours} onClick={() => silence.mutate(hours)}>
                  {hours < 48 ? `For ${hours} h` : `For ${hours / 24} days`}
                </Menu.Item>
              ))}
              {isSilenced && <Menu.Item onClick={() => silence.mutate(0)}>Send messages again</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </AlertLine>
      <ErrorNote title="The alert was not changed" error={take.error ?? silence.error} />
    </>
  );
}

/** The alerts of the last 30 days that have ended. */
export function EndedAlerts() {
  return (
    <ListPanel
      pages={usePages('GET /admin/v1/alerts', { state: 'ended', limit: 20 }, (alert) => alert.alert_id)}
      title="Ended alerts"
      hint="Alerts of the last 30 days, with the last message about each."
      empty="No alert has ended within 30 days."
      columns={[
        { head: 'Began', phone: 'aside', cell: (alert) => <Moment at={alert.began_at} /> },
        { head: 'Ended', phone: 'fact', cell: (alert) => <Moment at={alert.ended_at} /> },
        {
          head: 'Alert',
          phone: 'title',
          cell: (alert) => <Told more={inReadersForm(alert.summary)}>{alertKinds.kinds[alert.kind]}</Told>,
        },
        { head: 'Told', phone: 'note', cell: told },
      ]}
    />
  );
}

function pageOf({ url }: Alert): string {
  return url === null ? '/now' : new URL(url).hash.slice(1);
}

/** Returns the recipients of the alert's latest message, with the result. */
function told({ messages }: Alert): string {
  if (messages.length === 0) return 'Nobody was told: no webhook is set up.';
  return messages
    .map(({ receiver, status, error, ...message }) => {
      const to = receiver === null ? 'Webhook' : `Webhook (${receiver})`;
      if (status === 'delivered') return `${to} told ${formatMoment(message.delivered_at ?? message.created_at)}.`;
      if (status === 'failed') return `${to} not reached: ${error ?? ''}`;
      return (error ?? '') === '' ? `${to} is being told.` : `${to} not reached yet: ${error}`;
    })
    .join(' ');
}
